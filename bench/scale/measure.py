"""Runs a small study in 1, 2, 4 and 8 parts under a Slurm of its own, and writes down what each command took.

measure.py PROGRAM MODEL CORPUS OUT.json [--parts 1 2 4 8] [--rounds 1]

Every process has one thread. Of each command: wall and CPU seconds, by the shell's `time`. Of each shard: the seconds since the one before
it in its part, by the time stamps of the files, which are of one machine.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "slurm"))
from cluster import Cluster  # noqa: E402

# `time` writes what the program and its children took to a file of its own: wall, user, system.
SCRIPT = """\
#!/bin/bash
TIMEFORMAT='%R %U %S'
exec 3>&2 4>"$TIMES/$STEP-${SLURM_ARRAY_TASK_ID:-1}"
{ time "$@" ${PART:+--part "$SLURM_ARRAY_TASK_ID/$PART"} 2>&3; } 2>&4
"""


class Study:
    def __init__(self, cluster: Cluster, folder: Path, program: str, parts: int):
        self.cluster, self.folder, self.program, self.parts = cluster, folder, program, parts
        self.store, self.pairs = folder / "store", folder / "pairs"
        (folder / "times").mkdir(parents=True)
        (folder / "job.sh").write_text(SCRIPT)

    def step(self, name: str, *arguments, in_parts: bool) -> dict:
        """Runs a command as an array, or as one job, and waits for it."""
        environment = {"TIMES": str(self.folder / "times"), "STEP": name, "PART": str(self.parts) if in_parts else ""}
        array = [f"--array=1-{self.parts}"] if in_parts else []
        begin = time.monotonic()
        done = self.cluster.call("sbatch", "--wait", *array, f"--output={self.folder}/{name}-%a.out", f"--error={self.folder}/{name}.err", str(self.folder / "job.sh"),
                                 self.program, *map(str, arguments), environment=environment, cwd=self.folder)
        if done.returncode != 0:
            raise RuntimeError(f"{name}: {done.stderr}{(self.folder / f'{name}.err').read_text()}")
        elapsed = time.monotonic() - begin
        times = [(self.folder / "times" / f"{name}-{part}").read_text().split() for part in range(1, (self.parts if in_parts else 1) + 1)]
        tasks = [{"wall": float(wall), "user": float(user), "system": float(system)} for wall, user, system in times]
        return {"tasks": tasks, "with_queue": round(elapsed, 3)}


def shard_seconds(store: Path, parts: int) -> list:
    """Of each part, the seconds between one shard and the next; the first follows the start and is left out."""
    stamps = [path.stat().st_mtime_ns for path in sorted((store / "shards").glob("*.safetensors"))]
    found = []
    for part in range(parts):
        own = stamps[len(stamps) * part // parts : len(stamps) * (part + 1) // parts]
        found.append([round((after - before) / 1e9, 4) for before, after in zip(own, own[1:])])
    return found


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def measure(cluster: Cluster, folder: Path, call, parts: int) -> dict:
    study = Study(cluster, folder, str(call.program.resolve()), parts)
    one_thread = ["--device", "cpu", "--threads", "1"]
    corpus = [path.resolve() for path in call.corpus]
    found = {"parts": parts, "load_before": os.getloadavg()[0]}
    found["plan"] = study.step("plan", "extract", "--model", call.model.resolve(), "--corpus", *corpus, "--out", study.store, *call.extract.split(),
                               *one_thread, "--plan-only", in_parts=True)
    found["plan_part_bytes"] = size_of(study.store)
    found["merge_plan"] = study.step("merge_plan", "merge", study.store, "--threads", "1", in_parts=False)
    found["plan_bytes"] = (study.store / "store.sqlite").stat().st_size
    found["embed"] = study.step("embed", "extract", "--resume", "--out", study.store, "--threads", "1", in_parts=True)
    found["shard_seconds"] = shard_seconds(study.store, parts)
    found["embed_again"] = study.step("embed_again", "extract", "--resume", "--out", study.store, "--threads", "1", in_parts=True)
    found["shard_bytes"] = size_of(study.store / "shards")
    found["join"] = study.step("join", "merge", study.store, "--threads", "1", in_parts=False)
    found["info"] = json.loads(cluster.run(study.program, "info", str(study.store), "--format", "json"))
    found["pairs"] = study.step("pairs", "pairs", study.store, "--all", *call.tests.split(), *one_thread, "--out", study.pairs, in_parts=True)
    found["tile_bytes"] = size_of(study.pairs)
    found["merge_pairs"] = study.step("merge_pairs", "merge", study.pairs, "--format", "tsv", "--threads", "1", in_parts=False)
    found["table_bytes"] = (study.folder / "merge_pairs-4294967294.out").stat().st_size
    info = found.pop("info")
    found.update({name: info[name] for name in ("words", "rows", "shards", "dimension")})
    found["corpus_words"] = int(info["settings"]["corpus words"])
    found["corpus_bytes"] = sum(source["bytes"] for source in info["sources"])
    return found


def tokens_per_row(call, folder: Path) -> float:
    """Where hardly two rows share a sentence, as in a large corpus: with one row of each word."""
    done = subprocess.run([call.program.resolve(), "extract", "--model", call.model, "--corpus", *call.corpus, "--out", folder, "--corpus-format", "lines", "--min-count", "40",
                           "--per-word", "1", "--device", "cpu", "--plan-only", "--format", "json"], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    return round(found["tokens"] / found["rows"], 2)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program", type=Path)
    options.add_argument("model", type=Path)
    options.add_argument("corpus", type=Path, nargs="+")
    options.add_argument("out", type=Path)
    options.add_argument("--parts", type=int, nargs="+", default=[1, 2, 4, 8])
    options.add_argument("--rounds", type=int, default=1)
    options.add_argument("--extract", default="--corpus-format lines --min-count 800 --per-word 15 --layer 2 --shard-tokens 4000")
    options.add_argument("--tests", default="--permutations 200 --common-size 15")
    call = options.parse_args()
    scratch = Path(tempfile.mkdtemp(prefix="wordbreadth-scale-"))
    runs = []
    try:
        per_row = tokens_per_row(call, scratch / "one")
        with Cluster(cpus=max(call.parts)) as cluster:
            for round_ in range(call.rounds):
                for parts in call.parts:
                    runs.append(measure(cluster, scratch / f"{round_}-{parts}", call, parts))
                    print(f"{parts} parts: " + ", ".join(f"{step} {max(task['wall'] for task in runs[-1][step]['tasks']):.2f} s" for step in ("plan", "embed", "pairs")))
                    call.out.write_text(json.dumps({"date": str(date.today()), "cores": os.cpu_count(), "processor": platform.processor() or platform.machine(),
                                                    "tokens_per_row": per_row, "extract": call.extract, "tests": call.tests, "runs": runs}, indent=1) + "\n")
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
