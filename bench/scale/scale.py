"""What large jobs cost, and how long they take on 1 to 1,000 workers: simulated from measured rates.

scale.py [--record measured.json] [--results FILE.md] [--svg FILE.svg] [--workers 1 10 100 1000]

rates.json has the rates of an H200, each with the file it is from; the record, by measure.py, what parts and merges take. A worker is one GPU
with 8 cores. What was not measured is an assumption, and stands in `Assumed`.
"""

import argparse
import json
import statistics
from dataclasses import dataclass
from pathlib import Path

from figure import Line, Panel, svg_of
from phases import Conditions, Phase, simulate

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
WORKERS = [1, 3, 10, 30, 100, 300, 1000]
LARGEST_SHARDS = 20_000  # of a simulated job: a user of a large corpus takes larger shards


@dataclass(frozen=True)
class Assumed:
    """Of the machines: not measured here."""

    bandwidth: float = 10e9  # bytes per second of the storage
    link: float = 2.5e9  # of one machine to it
    hours_between_failures: float = 1000.0  # of one worker
    back_after: float = 600.0  # seconds until a killed part runs again
    slow_share: float = 0.02  # of workers
    slow_factor: float = 2.0
    parts_per_worker: float = 4
    cores: int = 8  # of a worker
    dimension: int = 1024
    model_bytes: float = 1.34e9
    rows_per_word: int = 100


@dataclass(frozen=True)
class Job:
    name: str
    corpus: float  # words; 0: there is a store
    words: float  # of the lexicon
    pairs: bool = False
    every: bool = False  # every token has a row


JOBS = [
    Job("10⁹ words, 10⁴", 1e9, 1e4),
    Job("10¹² words, 10⁴", 1e12, 1e4),
    Job("10¹² words, 10⁶", 1e12, 1e6),
]
PAIR_JOBS = [Job("10⁴ words", 0, 1e4, True), Job("44,721 words", 0, 44721, True), Job("10⁶ words", 0, 1e6, True)]


def load_rates() -> dict:
    return {name: rate["value"] for name, rate in json.loads((HERE / "rates.json").read_text()).items()}


@dataclass
class Measured:
    """Of this program on one core, from a record."""

    plan_words: float  # words per second
    merge_plan_words: float
    plan_part_bytes: float  # per word of the corpus
    plan_bytes: float  # per row
    open_rows: float  # rows of a plan per second, which every part checks before it starts
    join_bytes: float  # bytes per second
    tile_bytes: float  # per pair
    corpus_bytes: float  # per word
    tokens_per_row: float
    spread: list  # of shard times: factors of the median


def cpu(step: dict) -> float:
    return sum(task["user"] + task["system"] for task in step["tasks"])


def load_measured(path: Path) -> Measured:
    record = json.loads(path.read_text())
    run = next(run for run in record["runs"] if run["parts"] == 4)
    pairs = run["words"] * (run["words"] - 1) / 2
    times = [seconds for one in record["runs"] for part in one["shard_seconds"] for seconds in part]
    middle = statistics.median(times)
    return Measured(
        plan_words=run["corpus_words"] / cpu(run["plan"]),
        merge_plan_words=run["corpus_words"] / cpu(run["merge_plan"]),
        plan_part_bytes=run["plan_part_bytes"] / run["corpus_words"],
        plan_bytes=run["plan_bytes"] / run["rows"],
        open_rows=139_000 / 0.2,  # docs/store.md
        join_bytes=run["shard_bytes"] / cpu(run["join"]),
        tile_bytes=run["tile_bytes"] / pairs,
        corpus_bytes=run["corpus_bytes"] / run["corpus_words"],
        tokens_per_row=record["tokens_per_row"],
        spread=[round(seconds / middle, 3) for seconds in times],
    )


# ---- what a job consists of

@dataclass
class Step:
    """Of a job: what workers do side by side, or one machine alone."""

    name: str
    phase: Phase | None = None
    alone: float = 0.0  # seconds of one machine
    bytes_kept: float = 0.0  # on disk afterwards

    def work(self) -> float:
        return sum(self.phase.pieces) if self.phase else self.alone


def equal(total: float, count: int) -> list:
    return [total / count] * count


def rows_of(job: Job, assumed: Assumed) -> float:
    return job.words * assumed.rows_per_word


def extraction(job: Job, workers: int, rates: dict, measured: Measured, assumed: Assumed) -> list:
    rows = rows_of(job, assumed)
    tokens = rows * measured.tokens_per_row
    row_bytes = 4 * assumed.dimension
    # A part of a plan is read from its first file to its last: it is one piece. A worker plans one on every core.
    plans = max(1, round(workers * assumed.parts_per_worker))
    per_plan = job.corpus / plans
    planning = Phase(
        equal(job.corpus / (rates["plan_core"] * assumed.cores), plans),
        piece_bytes=per_plan * (measured.corpus_bytes + measured.plan_part_bytes),
    )
    plan_bytes = rows * measured.plan_bytes
    shards = int(min(LARGEST_SHARDS, max(1, tokens / 50_000)))
    embedding = Phase(
        equal(tokens / rates["encode_gpu"], shards),
        start=rates["start_gpu"] + rows / measured.open_rows,
        start_bytes=plan_bytes + assumed.model_bytes,
        piece_bytes=rows * row_bytes / shards,
        pool=measured.spread,
    )
    moved = rows * row_bytes
    return [
        Step("plan", planning, bytes_kept=job.corpus * measured.plan_part_bytes),
        Step("merge the plan", alone=max(job.corpus / measured.merge_plan_words, job.corpus * measured.plan_part_bytes / assumed.link), bytes_kept=plan_bytes),
        Step("embed", embedding, bytes_kept=moved),
        Step("join shards", alone=max(moved / measured.join_bytes, 2 * moved / assumed.link), bytes_kept=moved),
    ]


def testing(job: Job, workers: int, rates: dict, measured: Measured, assumed: Assumed) -> list:
    pairs = job.words * (job.words - 1) / 2
    parts = workers * assumed.parts_per_worker
    tiles = int(parts) * 32
    clouds = rows_of(job, assumed) * 4 * assumed.dimension
    phase = Phase(
        equal(pairs / rates["pairs_gpu"], tiles),
        start=rates["start_gpu"],
        start_bytes=clouds * min(1.0, (2 / parts) ** 0.5),  # docs/pairs.md: a half for 8 parts, a fifth for 64
        piece_bytes=pairs / tiles * measured.tile_bytes,
    )
    return [
        Step("test", phase, bytes_kept=pairs * measured.tile_bytes),
        Step("merge the pairs", alone=max(pairs / rates["merge_pairs"], pairs * rates["pair_text"] / assumed.link), bytes_kept=pairs * rates["pair_text"]),
    ]


def steps_of(job: Job, workers: int, *facts) -> list:
    return (testing if job.pairs else extraction)(job, workers, *facts)


def conditions(workers: int, assumed: Assumed) -> Conditions:
    return Conditions(workers, assumed.parts_per_worker, bandwidth=assumed.bandwidth, link=assumed.link,
                      hours_between_failures=assumed.hours_between_failures, back_after=assumed.back_after,
                      slow_share=assumed.slow_share, slow_factor=assumed.slow_factor)


@dataclass
class Run:
    workers: int
    seconds: dict  # of each step
    lost: float  # worker seconds
    failures: int

    def total(self) -> float:
        return sum(self.seconds.values())


def run(job: Job, workers: int, rates: dict, measured: Measured, assumed: Assumed) -> Run:
    found = Run(workers, {}, 0.0, 0)
    for step in steps_of(job, workers, rates, measured, assumed):
        if step.phase is None:
            found.seconds[step.name] = step.alone
            continue
        outcome = simulate(step.phase, conditions(workers, assumed))
        found.seconds[step.name] = outcome.seconds
        found.lost += outcome.lost
        found.failures += outcome.failures
    return found


# ---- tables and the figure

def shown(seconds: float) -> str:
    for size, unit in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"


def bytes_shown(value: float) -> str:
    for size, unit in ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB")):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.0f} B"


def table(header: list, rows: list) -> str:
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def costs(jobs: list, *facts) -> str:
    rows = []
    for job in jobs:
        for step in steps_of(job, 100, *facts):
            gpu = step.name in ("embed", "test")
            rows.append([f"{job.name}: {step.name}", shown(step.work()) + (" of a GPU" if gpu else " of 8 cores" if step.phase else " alone"), bytes_shown(step.bytes_kept)])
    return table(["job and step", "work", "kept on disk"], rows)


def times(jobs: list, found: dict) -> str:
    rows = []
    for job in jobs:
        for one in found[job]:
            steps = "; ".join(f"{name} {shown(seconds)}" for name, seconds in one.seconds.items())
            rows.append([job.name, f"{one.workers:,}", shown(one.total()), steps, str(one.failures)])
    return table(["job", "workers", "in all", "of which", "failures"], rows)


def step_line(name: str, step: str, runs: list) -> Line:
    first = runs[0]
    return Line(name, [(one.workers, one.seconds[step]) for one in runs], [(one.workers, first.seconds[step] * first.workers / one.workers) for one in runs])


def line(job: Job, runs: list) -> Line:
    first = runs[0]
    return Line(job.name, [(one.workers, one.total()) for one in runs], [(one.workers, first.total() * first.workers / one.workers) for one in runs])


def main(arguments=None):
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--record", type=Path, default=HERE / "measured.json")
    options.add_argument("--results", type=Path, default=PROJECT / "bench" / "results" / "scale.md")
    options.add_argument("--svg", type=Path, default=PROJECT / "docs" / "figures" / "scale.svg")
    options.add_argument("--workers", type=int, nargs="+", default=WORKERS)
    call = options.parse_args(arguments)
    facts = (load_rates(), load_measured(call.record), Assumed())
    found = {job: [run(job, workers, *facts) for workers in call.workers] for job in JOBS + PAIR_JOBS}
    text = "Made by `python3 bench/scale/scale.py`.\n\n" + "\n".join([costs(JOBS + PAIR_JOBS, *facts), times(JOBS, found), times(PAIR_JOBS, found)])
    call.results.write_text(text, encoding="utf-8")
    of_parts = [step_line("plan 10¹² words", "plan", found[JOBS[1]]), step_line("test 5·10¹¹ pairs", "test", found[PAIR_JOBS[2]]),
                step_line("embed 10⁸ rows", "embed", found[JOBS[2]]), step_line("test 10⁹ pairs", "test", found[PAIR_JOBS[1]])]
    panels = [Panel("The steps in parts", of_parts), Panel("Whole jobs, merges included", [line(job, found[job]) for job in JOBS + PAIR_JOBS[1:2]])]
    call.svg.write_text(svg_of("Simulated time by the number of workers",
                               "Hours from start to end, with failures, slow machines and shared storage; dashed: if the time of one worker were divided",
                               panels), encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
