"""Plans a large corpus in parts, and merges them: memory of a part, time of the merge, beside the number of distinct words; prints a table.

    python3 bench/scale/plan_corpus.py CORPUS 100 8
    python3 bench/scale/plans.py CORPUS MODEL SCRATCH      # 1, 2, 4 and 8 files of it, a part for each, one after the other

The plan of one and of two parts is made in one piece, too, and compared byte for byte.
"""

import argparse
import pathlib
import shutil
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "user"))
import common  # noqa: E402
import process  # noqa: E402


def finished(command, output):
    run = process.run(command, output, 3600)
    if run.failure:
        raise SystemExit(f"{' '.join(map(str, command))}: {run.failure}")
    return run


def distinct(files):
    words = set()
    for file in files:
        for line in file.open():
            words.update(map(hash, line.lower().rstrip(".\n").split(" ")))
    return len(words)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("--program", default=common.ROOT / "build" / "wordbreadth")
    options = parser.parse_args()
    files = sorted(options.corpus.iterdir())
    options.scratch.mkdir(parents=True, exist_ok=True)
    output = options.scratch / "output"
    print("| parts | distinct words | CPU time of a part | memory of a part | CPU time of the merge | per million distinct words | memory |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    for count in (1, 2, 4, 8):
        some = files[:count]
        plan = [options.program, "extract", "--plan-only", "--model", options.model, "--corpus", *some, "--corpus-format", "lines",
                "--min-count", "40", "--threads", "1"]
        store, whole = options.scratch / "parts", options.scratch / "whole"
        parts = [finished([*plan, "--part", f"{part}/{count}", "--out", store], output) for part in range(1, count + 1)]
        merge = finished([options.program, "merge", store], output)
        if count <= 2:
            finished([*plan, "--out", whole], output)
            if (store / "store.sqlite").read_bytes() != (whole / "store.sqlite").read_bytes():
                raise SystemExit(f"{count} parts: another plan than in one piece")
            shutil.rmtree(whole)
        shutil.rmtree(store)
        words = distinct(some)
        print(f"| {count} | {words:,} | {max(part.processor for part in parts):.1f} s | {max(part.memory for part in parts) / 1e6:.0f} MB |"
              f" {merge.processor:.2f} s | {merge.processor / words * 1e6:.2f} s | {merge.memory / 1e6:.0f} MB |", flush=True)


if __name__ == "__main__":
    main()
