# shellcheck shell=bash disable=SC2034
# What to run, on what, and what to ask the queue for. submit.sh and all jobs read this file; edit it.
PROGRAM=wordbreadth
MODEL=model            # the folder of a Hugging Face snapshot
CORPUS=(corpus)        # files and folders of text
STORE=corpus.store     # on a disk that all nodes share
PAIRS=corpus.pairs     # the folder for the tests of all pairs, whose table is then corpus.pairs.tsv; empty: none

EXTRACT=(--corpus-format auto --min-count 100)          # options of the plan: which words, how many rows, which layer
TESTS=(--permutations 20000)                            # options of the tests

# Parts of each step. A few for each machine that you get: those that end early make up for slow ones.
PLAN_PARTS=16
PARTS=64
PAIR_PARTS=64

# What one task asks for.
CPU_JOB=(--cpus-per-task=8 --mem=16G --time=8:00:00)
GPU_JOB=(--gres=gpu:1 --cpus-per-task=8 --mem=32G --time=8:00:00)
MERGE_JOB=(--cpus-per-task=8 --mem=64G --time=8:00:00)
