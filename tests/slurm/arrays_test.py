"""Runs examples/slurm under a real Slurm, kills jobs and processes at random moments, submits again, and compares what comes out with
what single runs make, byte by byte.

arrays_test.py PROGRAM [--kills 4] [--seed 1] [--model FOLDER --corpus FILES...]

Until there were as many kills, the study is made again and again. Without a model and a corpus: stand-ins. Exits with 77, which CTest shows as skipped, where there is no Slurm.
"""

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cluster import Cluster, Unavailable, kill

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "tests" / "tools"))
import stand_ins  # noqa: E402

SKIPPED = 77
EXAMPLES = PROJECT / "examples" / "slurm"


def write_inputs(folder: Path):
    """A model of random weights that takes its time, and a corpus of as many files as there are parts of the plan."""
    stand_ins.WIDTH, stand_ins.INNER = 64, 256
    stand_ins.write_bert(folder / "model", [*stand_ins.ENGLISH, "."], {"model_type": "bert"}, {"do_lower_case": True, "tokenizer_class": "BertTokenizer"})
    chance = random.Random(4)
    (folder / "corpus").mkdir()
    for number in range(6):
        lines = [" ".join(chance.choices(stand_ins.ENGLISH, k=chance.randrange(4, 30))) + " ." for _ in range(700)]
        (folder / "corpus" / f"{number}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def files_of(folder: Path) -> dict:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def without_seconds(table: str) -> list:
    """The time of each test, which `merge` does not know."""
    rows = [line.split("\t") for line in table.splitlines()]
    place = rows[0].index("seconds")
    return [row[:place] + row[place + 1 :] for row in rows]


class Study:
    """A folder with a copy of the examples, edited as a user would, and what single runs make of the same inputs."""

    def __init__(self, program: Path, folder: Path, model: Path, corpus: list):
        self.program, self.folder = program, folder
        self.store, self.pairs, self.table = folder / "words.store", folder / "words.pairs", folder / "words.pairs.tsv"
        self.extract = ["--corpus-format", "lines", "--min-count", "50", "--per-word", "60", "--device", "cpu", "--threads", "1", "--shard-tokens", "4000"]
        self.tests = ["--permutations", "2000", "--device", "cpu", "--threads", "1", "--common-size", "40"]
        for path in EXAMPLES.iterdir():
            shutil.copy(path, folder)
        with open(folder / "settings.sh", "a", encoding="utf-8") as settings:
            settings.write(
                f"PROGRAM={program}\nMODEL={model}\nCORPUS=({' '.join(map(str, corpus))})\nSTORE={self.store.name}\nPAIRS={self.pairs.name}\n"
                f"EXTRACT=({' '.join(self.extract)})\nTESTS=({' '.join(self.tests)})\n"
                "PLAN_PARTS=3\nPARTS=5\nPAIR_PARTS=4\nCPU_JOB=()\nGPU_JOB=()\nMERGE_JOB=()\n"
            )
        self.single(model, corpus)

    def single(self, model: Path, corpus: list):
        """In a folder of its own, under the same names, which results record."""
        single = self.folder / "single"
        single.mkdir()
        self.call(single, "extract", "--model", model, "--corpus", *corpus, "--out", self.store.name, *self.extract)
        self.expected_store = files_of(single / self.store.name)
        self.expected_table = self.call(single, "pairs", self.store.name, "--all", *self.tests, "--format", "tsv")

    def call(self, folder: Path, *arguments) -> str:
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True, cwd=folder)
        if done.returncode != 0:
            raise RuntimeError(f"wordbreadth {' '.join(map(str, arguments))}: exit status {done.returncode}: {done.stderr}")
        return done.stdout

    def submit(self, cluster: Cluster):
        cluster.run("./submit.sh", cwd=self.folder)

    def start_over(self):
        for path in (self.store, self.pairs):
            shutil.rmtree(path, ignore_errors=True)
        self.table.unlink(missing_ok=True)

    def is_finished(self) -> bool:
        left = [self.store / name for name in ("parts", "shards") if (self.store / name).exists()]
        return (self.store / "clouds.safetensors").exists() and self.table.exists() and not left

    def differences(self) -> list:
        found = files_of(self.store)
        faults = [f"{name}: {'is missing' if name not in found else 'differs'}" for name, content in self.expected_store.items() if found.get(name) != content]
        faults += [f"{name}: is left" for name in found.keys() - self.expected_store.keys()]
        if without_seconds(self.table.read_text()) != without_seconds(self.expected_table):
            faults.append("the table of pairs differs")
        return faults


class Killer:
    """Kills at random moments, in two ways in turn: a task, as scancel does it, and a process, as the kernel does it out of memory."""

    def __init__(self, cluster: Cluster, seed: int, pause: float):
        self.cluster, self.random, self.pause = cluster, random.Random(seed), pause
        self.tasks, self.processes = 0, 0

    def kills(self) -> int:
        return self.tasks + self.processes

    def strike(self):
        time.sleep(self.random.uniform(0, self.pause))
        if self.kills() % 2 == 0:
            running = [job for job, state, _ in self.cluster.waiting_and_running() if state == "RUNNING"]
            if running and self.cluster.call("scancel", "--signal=KILL", "--full", self.random.choice(running)).returncode == 0:
                self.tasks += 1  # and it had not just ended
        elif running := self.cluster.processes("wordbreadth"):
            kill(self.random.choice(running))
            self.processes += 1


def run(study: Study, cluster: Cluster, killer: Killer, kills: int, until: float) -> int:
    """Submits until all is done. Returns how often."""
    submitted = 0
    while not study.is_finished():
        if time.monotonic() > until:
            raise RuntimeError(f"not finished in time, after {submitted} submissions; logs: {last_logs(study)}")
        study.submit(cluster)
        submitted += 1
        while cluster.waiting_and_running():
            if killer.kills() < kills:
                killer.strike()
            else:
                time.sleep(0.2)
    return submitted


def last_logs(study: Study) -> str:
    logs = sorted((study.folder / "logs").iterdir(), key=lambda path: path.stat().st_mtime)
    return " | ".join(f"{path.name}: {path.read_text(errors='replace')[-300:]}" for path in logs[-4:])


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program", type=Path)
    options.add_argument("--kills", type=int, default=4)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--pause", type=float, default=1.0, help="seconds between kills, at most")
    options.add_argument("--limit", type=float, default=120, help="seconds")
    options.add_argument("--model", type=Path)
    options.add_argument("--corpus", type=Path, nargs="+")
    call = options.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="wordbreadth-arrays-"))
    try:
        if not call.model:
            write_inputs(folder)
        study = Study(call.program.resolve(), folder, call.model or folder / "model", call.corpus or [folder / "corpus"])
        with Cluster(cpus=4) as cluster:
            begin = time.monotonic()
            killer = Killer(cluster, call.seed, call.pause)
            submitted, studies, faults = 0, 0, []
            while killer.kills() < call.kills and not faults:
                study.start_over()
                submitted += run(study, cluster, killer, call.kills, begin + call.limit)
                studies += 1
                faults = study.differences()
                print(f"{killer.tasks} tasks and {killer.processes} processes killed, {submitted} submissions, {studies} studies, {time.monotonic() - begin:.0f} s: "
                      f"{'; '.join(faults) or 'the store and the table are those of single runs'}", flush=True)
            return 1 if faults else 0
    except Unavailable as error:
        print(f"arrays_test.py: Skipped\nSlurm cannot be started: {error}")
        return SKIPPED
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
