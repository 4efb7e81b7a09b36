#!/bin/bash
# Submits all that is left to do, each step after the one before it. Run it again after anything went wrong: what is finished is kept.
set -eu
. ./settings.sh
mkdir -p logs

before=
step() {  # SBATCH'S ARGUMENTS: a job that waits until the one before it has ended well
    before=$(sbatch --parsable --kill-on-invalid-dep=yes ${before:+--dependency="afterok:$before"} "$@")
}

if [ ! -e "$STORE/store.sqlite" ]; then
    step "${CPU_JOB[@]}" --array="1-$PLAN_PARTS" plan.sbatch
    step "${MERGE_JOB[@]}" merge.sbatch
fi
if [ ! -e "$STORE/clouds.safetensors" ]; then
    step "${GPU_JOB[@]}" --array="1-$PARTS" extract.sbatch
fi
if [ ! -e "$STORE/clouds.safetensors" ] || [ -e "$STORE/shards" ] || [ -e "$STORE/parts" ]; then  # a merge that was killed may leave some
    step "${MERGE_JOB[@]}" merge.sbatch
fi
if [ -n "$PAIRS" ] && [ ! -e "$PAIRS.tsv" ]; then
    step "${GPU_JOB[@]}" --array="1-$PAIR_PARTS" pairs.sbatch
    step "${MERGE_JOB[@]}" merge_pairs.sbatch
fi
squeue --me
