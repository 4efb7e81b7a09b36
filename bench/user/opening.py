"""Times opening a store of many words, and whole commands that need one or two of them; prints a table.

    PYTHONPATH=build/python build/python-env/bin/python bench/user/opening.py --folder SCRATCH      # 10^6 words: 1.5 GB there

Fails where `wb.Store(folder)`, with the files in the cache, takes longer than --bound. The store is made by `wordbreadth import`, of random
vectors. Files out of the cache: the system is asked to forget those of the store, not the program's.
"""

import argparse
import json
import os
import pathlib
import random
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import common  # noqa: E402
import process  # noqa: E402

ROWS, DIMENSION, DOCUMENTS = 4, 8, 10_000

# In processes of their own. What is timed is the call, not the start of Python.
PYTHON = {
    "`wb.Store(folder)`": "store = wb.Store(folder)",
    "`wb.Store(folder)`, a cloud": 'store = wb.Store(folder); store.cloud("word0000007"); "x" in store; len(store)',
    "`wb.Store(folder)`, all names": "store = wb.Store(folder); list(store)",
}
TIMED = """
import sys, time
import wordbreadth as wb
folder = sys.argv[1]
start = time.perf_counter()
{}
print(time.perf_counter() - start)
"""
COMMANDS = {
    "`test STORE:A STORE:B`": lambda store: ["test", f"{store}:word0000007", f"{store}:word0000901"],
    "`contexts STORE A`": lambda store: ["contexts", store, "word0000007"],
    "`info STORE`": lambda store: ["info", store],
    "`export STORE --words A,B`": lambda store: ["export", store, "--words", "word0000007,word0000901", "--out", f"{store}.npz"],
}


def make(folder, words, program):
    vectors, store = folder / "vectors.jsonl", folder / "store"
    uniform = random.Random(1).random
    with open(vectors, "w") as lines:
        for row in range(words * ROWS):
            word = f"word{row // ROWS:07}"
            vector = [round(uniform() - 0.3, 4) for _ in range(DIMENSION)]
            lines.write(json.dumps({"word": word, "vector": vector, "text": f"a text with {word}", "document": f"d{row % DOCUMENTS}"}) + "\n")
    made = process.run([program, "import", vectors, "--out", store], folder / "output", 3600)
    if made.failure:
        raise SystemExit(f"import: {made.failure}")
    vectors.unlink()
    return store


def forget(store):
    """Has the system drop what it caches of the files."""
    for path in store.iterdir():
        descriptor = os.open(path, os.O_RDONLY)
        os.fsync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def measured(command, folder, store, rounds, cached, from_output):
    """The seconds of the median round, and its memory."""
    runs = []
    for _ in range(rounds):
        if not cached:
            forget(store)
        run = process.run(command, folder / "output", 600)
        if run.failure:
            raise SystemExit(f"{command[1]}: {run.failure}")
        runs.append((float((folder / "output").read_text()) if from_output else run.seconds, run.memory))
    return sorted(runs)[rounds // 2]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--bound", type=float, default=0.1, help="seconds that wb.Store(folder) may take")
    parser.add_argument("--folder", type=pathlib.Path, help="where the store is made; default: the system's for temporary ones")
    parser.add_argument("--program", default=common.ROOT / "build" / "wordbreadth")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = pathlib.Path(name)
        store = make(folder, options.words, options.program)
        size = sum(path.stat().st_size for path in store.iterdir())
        print(f"{options.words:,} words, {size / 1e6:.0f} MB in {len(list(store.iterdir()))} files\n")
        print("| what | in the cache | not in the cache | peak memory |\n|---|---:|---:|---:|")
        rows = {what: ([sys.executable, "-c", TIMED.format(code), store], True) for what, code in PYTHON.items()}
        rows |= {what: ([options.program, *map(str, command(store))], False) for what, command in COMMANDS.items()}
        seconds = {}
        for what, (command, from_output) in rows.items():
            seconds[what], memory = measured(command, folder, store, options.rounds, True, from_output)
            cold, _ = measured(command, folder, store, options.rounds, False, from_output)
            print(f"| {what} | {1000 * seconds[what]:.0f} ms | {1000 * cold:.0f} ms | {memory / 1e6:.0f} MB |", flush=True)
    opened = seconds["`wb.Store(folder)`"]
    if opened > options.bound:
        raise SystemExit(f"wb.Store took {opened:.3f} s; expected at most {options.bound} s")


if __name__ == "__main__":
    main()
