"""How fast `extract` plans: reading, tokenizing, counting and drawing samples, before the first vector.

The text does not repeat itself, which caches would flatter: words drawn one by one, by Zipf's law, from a vocabulary of 60,000. Its 20,000
or so frequent words are those of the model, in the model's order, which is about that of their frequency; the others are made of two
of them, and so of several tokens. It is one file of wrapped paragraphs, the format `text`.
"""

import bisect
import hashlib
import itertools
import os
import pathlib
import random
import resource
import subprocess
import textwrap
import time

TYPES = 60_000
OFFSET = 2.7  # Mandelbrot's, of English: the share of rank r goes with 1 / (r + 2.7)
SENTENCES = range(4, 40)  # words in one


def vocabulary(model, generator):
    tokens = pathlib.Path(model, "vocab.txt").read_text(encoding="utf-8").split("\n")
    words = [token for token in tokens if token.isascii() and token.isalpha() and (len(token) > 1 or token in "ai")]
    seen, made = set(words), []
    while len(words) + len(made) < TYPES:
        word = generator.choice(words) + generator.choice(words)
        if word not in seen:
            seen.add(word)
            made.append(word)
    return words + made


def write_corpus(path, model, words, seed=1):
    """About that many words, the same ones for the same seed."""
    generator = random.Random(seed)
    types = vocabulary(model, generator)
    totals = list(itertools.accumulate(1 / (rank + OFFSET) for rank in range(1, len(types) + 1)))
    with open(path, "w", encoding="utf-8") as corpus:
        while words > 0:
            paragraph = [sentence(generator, types, totals) for _ in range(generator.randint(2, 8))]
            words -= sum(map(len, paragraph))
            corpus.write(textwrap.fill(" ".join(map(written, paragraph)), 78) + "\n\n")


def sentence(generator, types, totals):
    return [types[bisect.bisect(totals, generator.random() * totals[-1])] for _ in range(generator.choice(SENTENCES))]


def written(words):
    commas = [word + "," if at % 11 == 10 else word for at, word in enumerate(words[:-1])]
    return " ".join([*commas, words[-1]]).capitalize() + "."


def plan(program, model, corpus, store, threads, cores):
    """(seconds, seconds of the processor, hash of the plan) of one whole process on that many cores."""
    command = ["taskset", "-c", ",".join(map(str, cores)), program, "extract", "--plan-only", "--device", "cpu", "--threads", threads]
    command += ["--model", model, "--corpus", corpus, "--corpus-format", "text", "--out", store]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, busy, hashlib.sha256((store / "store.sqlite").read_bytes()).hexdigest()


def measure(programs, model, folder, words, threads, rounds):
    """A row per program and number of threads, the programs taking turns. All must make the same plan, to the last byte."""
    corpus = folder / "planning.txt"
    write_corpus(corpus, model, words)
    words = sum(len(line.split()) for line in open(corpus, encoding="utf-8"))
    available = sorted(os.sched_getaffinity(0))
    rows = {(program, count): {"program": str(program), "words": words, "threads": count, "rounds": []}
            for count in threads if count <= len(available) for program in programs}
    plans = set()
    for number in range(rounds):
        for (program, count), row in rows.items():
            store = folder / f"plan-{len(plans)}-{number}-{count}-{programs.index(program)}"
            seconds, busy, plan_hash = plan(program, model, corpus, store, count, available[:count])
            row["rounds"].append({"seconds": seconds, "processor": busy})
            plans.add(plan_hash)
            subprocess.run(["rm", "-r", str(store)], check=True)
    if len(plans) > 1:
        raise SystemExit("planning: the plans differ, between threads or programs")
    return list(rows.values())


def best(row):
    return min(row["rounds"], key=lambda one: one["seconds"])


def table(rows):
    """Head and lines for a table."""
    lines = []
    for row in rows:
        one = best(row)
        lines.append([f"{row['words'] / 1e6:.1f} M words, {row['threads']} thread{'s' if row['threads'] > 1 else ''}",
                      f"{one['seconds'] * 1e3:,.0f}", f"{one['processor'] * 1e3:,.0f}", f"{row['words'] / one['seconds'] / 1e6:.2f}"])
    return ["planning", "ms", "ms of processors", "M words/s"], lines
