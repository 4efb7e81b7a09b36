"""Times `wordbreadth import` beside a copy of the same file, whole processes both; prints a table.

The file is in the system's cache, which makes the copy fastest; the columns "from disk" are of runs before each of which it was
dropped from the cache.

    python3 bench/user/imports.py --rows 1000000 --folder SCRATCH     # 3 GB per format, 17 GB of JSON

The vectors are random, of 1,000 words; in tables their rows are scattered and have texts and documents. Needs numpy, pyarrow and safetensors.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import common  # noqa: E402
import process  # noqa: E402

WORDS, DIMENSION = 1000, 768
FORMATS = {
    "npz": "`.npz`, an array per word",
    "safetensors": "`.safetensors`, an array per word",
    "none.parquet": "Parquet, uncompressed",
    "snappy.parquet": "Parquet, snappy (pyarrow's default)",
    "zstd.parquet": "Parquet, zstd (polars's default)",
    "jsonl": "JSON lines",
}

# In a process of its own, so that its memory is not that of those that are timed.
MAKE = """
import json, sys
import numpy as np, pyarrow as pa, pyarrow.parquet as pq
from safetensors.numpy import save_file
path, form, rows, words, dimension = *sys.argv[1:3], *map(int, sys.argv[3:])
random = np.random.default_rng(1)
word = random.integers(words, size=rows)
if form in ("npz", "safetensors"):
    sizes = np.bincount(word, minlength=words)
    clouds = {f"word{i}": random.standard_normal((size, dimension), np.float32) for i, size in enumerate(sizes)}
    np.savez(path, **clouds) if form == "npz" else save_file(clouds, path)
    sys.exit()
lines = open(path, "w") if form == "jsonl" else None
writer = None
for first in range(0, rows, 10000):
    some = word[first:first + 10000]
    vectors = random.standard_normal((len(some), dimension), np.float32)
    texts = [f"a sentence, number {first + i}, with word{w} in it" for i, w in enumerate(some)]
    documents = [f"document {(first + i) // 100}" for i in range(len(some))]
    if lines:
        for w, vector, text, document in zip(some, vectors, texts, documents):
            numbers = [round(x, 7) for x in vector.tolist()]
            lines.write(json.dumps({"word": f"word{w}", "vector": numbers, "text": text, "document": document}) + "\\n")
        continue
    starts = pa.array(np.arange(0, vectors.size + 1, dimension, dtype=np.int32))
    table = pa.table({"word": [f"word{w}" for w in some], "vector": pa.ListArray.from_arrays(starts, vectors.ravel()),
                      "text": texts, "document": documents})
    writer = writer or pq.ParquetWriter(path, table.schema, compression=form.split(".")[0])
    writer.write_table(table)
if writer: writer.close()
"""


def drop_from_cache(path):
    os.sync()
    descriptor = os.open(path, os.O_RDONLY)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def timed(commands, folder, rounds, prepare):
    """The fastest run of each command, with what it makes; they take turns, and none waits for what another left to be written."""
    runs = [[] for _ in commands]
    for _ in range(rounds):
        for (command, makes), of_it in zip(commands, runs):
            prepare()
            of_it.append(process.run(command, folder / "output", 3600))
            if of_it[-1].failure:
                raise SystemExit(f"{command[0]}: {of_it[-1].failure}")
            shutil.rmtree(makes) if makes.is_dir() else makes.unlink()
    return [min(of_it, key=lambda run: run.seconds) for of_it in runs]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--formats", nargs="+", choices=FORMATS, default=list(FORMATS))
    parser.add_argument("--folder", type=pathlib.Path, help="where the files are made; default: the system's for temporary ones")
    parser.add_argument("--program", default=common.ROOT / "build" / "wordbreadth")
    parser.add_argument("--python", default=sys.executable, help="has numpy, pyarrow and safetensors")
    options = parser.parse_args()
    print(f"{options.rows:,} rows of {DIMENSION} dimensions\n")
    print("| file | size | copy | import | ratio | from disk: copy | import | ratio | processor | memory |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for form in options.formats:
        with tempfile.TemporaryDirectory(dir=options.folder) as name:
            folder = pathlib.Path(name)
            path = folder / f"vectors.{form}"
            subprocess.run([options.python, "-c", MAKE, path, form, *map(str, (options.rows, WORDS, DIMENSION))], check=True)
            subprocess.run(["cat", path], stdout=subprocess.DEVNULL, check=True)  # into the cache, not into this process
            store = folder / "store"
            commands = [(["cp", path, folder / "copy"], folder / "copy"), ([options.program, "import", path, "--out", store], store)]
            cached = timed(commands, folder, options.rounds, os.sync)
            uncached = timed(commands, folder, options.rounds, lambda: drop_from_cache(path))
            times = "".join(f" {copy.seconds:.2f} s | {ours.seconds:.2f} s | {ours.seconds / copy.seconds:.1f} |"
                            for copy, ours in (cached, uncached))
            ours = cached[1]
            print(f"| {FORMATS[form]} | {path.stat().st_size / 1e9:.2f} GB |{times}"
                  f" {ours.processor:.2f} s | {ours.memory / 1e6:.0f} MB |", flush=True)


if __name__ == "__main__":
    main()
