"""Times whole commands as a user sees them, from the start of the process to its exit; writes bench/results/user.{md,json}, or
user_cpu where there is no GPU.

Beside each runs what would do the same job in Python, also a whole process that reads the same file: torch_pairs.py, the paper's
Algorithm 2, and transformers_extract.py. All inputs are made up, by fixed seeds (inputs.py), and in the file cache when they are read. A
round runs every row, ours and theirs in turn. Rows that need a GPU are skipped where there is none. jobs.py has the rows.
"""

import concurrent.futures
import csv
import dataclasses
import hashlib
import io
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import common  # noqa: E402
import jobs  # noqa: E402
import process  # noqa: E402
import report  # noqa: E402

ROUNDS = 5
UNASKED = "all-10000-cuda"  # minutes, and 23 GB: runs only where it is named
RESERVE = 3  # seconds of the limit that are left to write the results


# ---- what to run


def choose(everything, options, gpu_missing):
    """Those to run. Prints why the others are not."""
    names = {name for job in everything for name in (job.name, job.family) if name}
    unknown = set(options.rows) - names
    if unknown:
        raise SystemExit(f"--rows {' '.join(sorted(unknown))}: expected some of {' '.join(sorted(names))}")
    chosen, skipped = [], {}
    for job in everything:
        if job.name == UNASKED and UNASKED not in options.rows:
            reason = f"takes minutes and 25 GB of disk; --rows {UNASKED} runs it"
        elif options.rows and job.place_in(options.rows) is None:
            continue
        elif job.device == "cuda" and gpu_missing:
            reason = gpu_missing
        elif job.cores and job.cores > common.cores():
            reason = f"this machine has {common.cores()} cores"
        else:
            chosen.append(job)
            continue
        skipped[job.title] = reason
        common.progress(f"skipped: {job.title}: {reason}")
    if not chosen:
        raise SystemExit("no row is left to be run")
    return sorted(chosen, key=lambda job: job.place_in(options.rows) or 0), skipped


def gpu_missing(program):
    """Why the program has no GPU here; None where it has one."""
    rows = csv.DictReader(io.StringIO(common.output_of(str(program), "devices", "--format", "tsv")), delimiter="\t")
    return next((row["unavailable_because"] or None for row in rows if row["name"] == "cuda"), "the program does not run")


def peers_missing(job):
    """Why there is nothing to compare with; None where there is."""
    needed = {"torch": ("torch", "safetensors"), "transformers": ("torch", "transformers", "safetensors")}
    absent = [name for name in needed.get(job.peer_title, ()) if not common.versions(name)]
    return f"{', '.join(absent)} not installed" if absent else None


# ---- making the inputs, all at once


def prepare(chosen, made, program, deadline):
    """What takes long is made beside the rest; nothing is timed meanwhile."""
    needs = dict.fromkeys(need for job in chosen for need in job.needs)
    if "store" in needs:
        needs |= dict.fromkeys(["part", "small"])
    common.progress(f"making {', '.join(needs)}")
    commands = [jobs.python([jobs.HERE / "inputs.py", *made.commands[need]]) for need in needs if made.commands.get(need)]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        list(pool.map(lambda command: must_succeed(command, deadline), commands))
    if "store" in needs:
        make_store(chosen, made, program, deadline)


def make_store(chosen, made, program, deadline):
    """And picks the two words in the middle of its ranking; torch gets them as a file."""
    store = made.path("store")
    must_succeed([program, *jobs.extract(made.small, made.path("part.txt"), store)], deadline)
    ranked = csv.DictReader(io.StringIO(must_succeed([program, "rank", store, "--format", "tsv"], deadline)), delimiter="\t")
    words = [row["word"] for row in ranked]
    middle = sorted(words[len(words) // 2 - 1 :][:2])
    must_succeed([program, "export", store, "--words", ",".join(middle), "--out", made.path("two.safetensors")], deadline)
    for job in chosen:
        if "store" in job.needs:
            jobs.of_words(job, store, middle)


def must_succeed(command, deadline):
    command = [str(word) for word in command]
    left = deadline - time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=common.cublas_environment(),
                              timeout=None if left == math.inf else left)
    except subprocess.TimeoutExpired:
        raise SystemExit(f"{' '.join(command)}: not done at the time limit")
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed with status {done.returncode}: {done.stderr.strip()[-2000:]}")
    return done.stdout


# ---- measuring


class Contender:
    """One of those that do a job: its runs, and why it has no more: it failed, or for another reason, a note. It may be known to take as
    long as another one."""

    def __init__(self, job, who, command, read, rounds, like=None):
        self.job, self.who, self.command, self.read, self.rounds = job, who, command, read, rounds
        self.runs, self.failure, self.note = [], "", ""
        self.like = like or self
        self.settings = {}  # of the environment

    def run(self, made, deadline):
        left = deadline - time.monotonic()
        expected = max((run["seconds"] for run in self.like.runs), default=0)
        if self.failure or self.note or len(self.runs) >= self.rounds or left <= expected:
            return
        output = made.path("output")
        done = process.run(self.command, output, left, common.cublas_environment() | self.settings, self.job.cores)
        self.failure, self.note = done.failure, "stopped at the time limit" if done.stopped else ""
        if not done.failure and not done.stopped:
            self.runs.append({**dataclasses.asdict(done), **self.read(output), **plan_of(self.job)})
        common.progress(f"{self.job.name}, {self.who}: {self.failure or self.note or f'{done.seconds * 1e3:,.0f} ms'}")
        for path in (output, *self.job.makes):
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def plan_of(job):
    """Plans have to be the same, to the last byte, whatever the number of threads."""
    if not job.threads:
        return {}
    return {"plan": hashlib.sha256((job.makes[0] / "store.sqlite").read_bytes()).hexdigest()}


def contenders(job, options):
    ours = Contender(job, report.OURS, [options.program, *job.command], job.read, options.rounds)
    found = [ours, Contender(job, report.STAGES, [options.program, *job.command, "--timing"], job.read, 1, like=ours)]
    if options.beside:
        found.append(Contender(job, report.BEFORE, [options.beside, *job.command], job.read, options.rounds))
    if job.peer and not options.no_peers:
        found.append(Contender(job, job.peer_title, jobs.python(job.peer), read_json, options.peer_rounds))
        found[-1].note = peers_missing(job) or ""
        # torch's threads spin while they wait: with two, on two cores that others use too, it took 19 times as long.
        found[-1].settings = {"OMP_WAIT_POLICY": "PASSIVE", "HF_HUB_OFFLINE": "1"}
    return found


def read_json(output):
    return json.loads(output.read_text(encoding="utf-8") or "{}")


def measure(chosen, made, options, deadline):
    everyone = {job.name: contenders(job, options) for job in chosen}
    for _ in range(options.rounds):
        for contender in (one for row in everyone.values() for one in row):
            contender.run(made, deadline)
    return everyone


def complaints(chosen, everyone):
    """Failures, and answers that differ, which would make the race mean nothing."""
    found = [f"{job.name}, {one.who}: {one.failure}" for job in chosen for one in everyone[job.name]
             if one.failure and one.who != report.STAGES]
    for job in chosen:
        by_pair = [{(row["x"], row["y"]): row for row in one.runs[0].get("results", [])} for one in everyone[job.name] if one.runs]
        for other in by_pair[1:]:
            both = [key for key in by_pair[0] if key in other]
            ours, theirs = ([results[key] for key in both] for results in (by_pair[0], other))
            difference = common.disagreement(ours, theirs, jobs.PERMUTATIONS, 0.005)
            found += [f"{job.name}: {difference}"] if difference else []
    plans = {}  # of one program: another version may record more
    for one in (one for row in everyone.values() for one in row):
        plans.setdefault(one.who, set()).update(run["plan"] for run in one.runs if "plan" in run)
    return found + [f"{who}: the plans differ between numbers of cores" for who, its in plans.items() if len(its) > 1]


# ---- the program


def arguments():
    parser = common.arguments(__doc__, next(filter(pathlib.Path.exists, programs()), programs()[-1]), "build", ROUNDS)
    parser.add_argument("--rows", default=[], nargs="+", help="only these, in this order, by name or kind (jobs.py); default: nearly all")
    parser.add_argument("--peer-rounds", type=int, help="of the scripts in Python; default: as many")
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--beside", type=lambda path: common.require(path, "build"), help="an older build, which takes its turn")
    parser.add_argument("--limit", default=math.inf, type=float, help="seconds in all: ends in time, with what there is by then")
    parser.add_argument("--threads", default=[1, 2, 4, 8, 16], type=int, nargs="+", help="of planning, as far as there are cores")
    parser.add_argument("--tokenizer", default=common.MODEL, help="a folder with BERT's vocabulary, for models and text that are made")
    parser.add_argument("--model", help="BERT-large, or another of 24 layers; default: one with random weights")
    parser.add_argument("--small-model", help="MiniLM-L6, or another of 6 layers and 384 dimensions; default: likewise")
    parser.add_argument("--folder", type=pathlib.Path, help="for inputs and outputs; default: a temporary one")
    parser.add_argument("--small", action="store_true", help="small inputs, to try it; writes no results")
    parser.add_argument("--commit", help="the commit that the program was built from, where that was elsewhere")
    return parser


def commit_of(program):
    """That of this tree, where it was built here."""
    return common.commit() if program.is_relative_to(common.ROOT) else "unknown"


def programs():
    return [common.ROOT / "build" / "cuda" / "wordbreadth", common.ROOT / "build" / "wordbreadth"]


def main():
    options = arguments().parse_args()
    deadline = time.monotonic() + options.limit - RESERVE
    options.peer_rounds = options.rounds if options.peer_rounds is None else options.peer_rounds
    busy, missing = common.cores_busy(), gpu_missing(options.program)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        made = jobs.Inputs(pathlib.Path(folder), options, jobs.SMALL if options.small else jobs.Sizes())
        chosen, skipped = choose(jobs.all_jobs(made, options.threads), options, missing)
        prepare(chosen, made, options.program, deadline)
        everyone = measure(chosen, made, options, deadline)
    wrong = complaints(chosen, everyone)
    rows = [report.Row(job, everyone[job.name]) for job in chosen]
    host = common.machine(common.versions("torch", "transformers"), **common.gpu_machine(), cores_busy=busy,
                          commit=options.commit or commit_of(options.program))
    text = report.markdown(rows, skipped, wrong, host, options)
    data = {"machine": host, "rows": [row.data() for row in rows], "skipped": skipped, "failed": wrong}
    if options.small:
        print(text)
    else:
        common.write_results(options.results, "user_cpu" if missing else "user", text, data)
    if wrong:
        raise SystemExit("\n".join(wrong))


if __name__ == "__main__":
    main()
