"""Times wordbreadth and the alternatives in one run and prints one table; also writes bench/results/cpu.{md,json}.

Rounds alternate (wordbreadth, alternatives, wordbreadth, ...), so that whatever else the machine does affects both, and
every figure is that of the fastest round, the least disturbed one. Before each turn the load by other processes is
measured: where no round was quiet, ratios are printed but not judged. The clouds are the
same for all; see clouds.h.
"""
import os

THREADS = 2  # for all programs; the libraries read it when they are loaded
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = str(THREADS)

import dataclasses
import pathlib
import sys
import tempfile

import numpy as np
import scipy
import torch

import cpu_peers as peers

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import common  # noqa: E402
from common import number  # noqa: E402

PERMUTATIONS = 20000
PAIRS = 300
ROUNDS = 3
PEER_PAIRS = 5  # of the 300: those that the alternatives test
ROBUST_GOAL = 2.0  # times the plain test
QUIET = 0.1  # cores that others may keep busy


@dataclasses.dataclass(frozen=True)
class Case:
    n: int
    m: int
    d: int
    torch_goal: float | None = None  # times as fast as torch, its masks given for free
    loop_goal: float | None = None  # times as fast as the numpy loop


CASES = [Case(128, 128, 1024, 25, 500), Case(100, 100, 384, 15, 400), Case(500, 500, 384, 4, 100), Case(40, 160, 384)]


def run_ours(program, case, folder):
    command = [program, case.n, case.m, case.d, "--pairs", PAIRS, "--permutations", PERMUTATIONS,
               "--threads", THREADS, "--device", "cpu", "--write", folder]
    return common.json_of(command)


def read_problems(case, folder):
    def rows(pair, which):
        return np.fromfile(f"{folder}/pair{pair}-{which}.f32", np.float32).reshape(-1, case.d)

    return [peers.Problem(rows(k, "x"), rows(k, "y")) for k in range(PEER_PAIRS)]


def measure(program, case, rounds):
    ours, theirs, busy = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for k in range(rounds):
            common.progress(f"n={case.n} m={case.m} d={case.d}: round {k + 1} of {rounds}")
            before_ours = common.cores_busy()
            ours.append(run_ours(program, case, folder))
            before_theirs = common.cores_busy()
            theirs.append(peers.measure(read_problems(case, folder), PERMUTATIONS, THREADS))
            busy.append(max(before_ours, before_theirs))
            common.require_agreement(case, ours[-1]["plain"]["first"], theirs[-1]["agree"], PERMUTATIONS, 2 / PERMUTATIONS)
    return summarise(case, ours, theirs, busy)


def summarise(case, ours, theirs, busy):
    row = dataclasses.asdict(case)
    row["cores_busy_elsewhere"] = busy
    row["quiet"] = min(busy) <= QUIET
    for key in ("numpy_loop", "scipy", "torch", "torch_masks"):
        row[key] = min(r[key] for r in theirs)
    row["torch_by_threads"] = [r["torch_by_threads"] for r in theirs]
    for kind in ("plain", "robust"):
        row[kind] = min(r[kind]["ms_a_test"] for r in ours)
        row[f"{kind}_single"] = min(r[kind]["single_ms"] for r in ours)
        row[f"{kind}_rounds"] = [r[kind]["ms_a_test"] for r in ours]
    row["device"] = ours[0]["plain"]["device"]
    row["quartiles_of_p"] = ours[0]["plain"]["quartiles_of_p"]
    row["times_torch"] = row["torch"] / row["plain"]
    row["times_loop"] = row["numpy_loop"] / row["plain"]
    row["robust_to_plain"] = row["robust"] / row["plain"]
    return row


def machine():
    return common.machine({"numpy": np.__version__, "scipy": scipy.__version__, "torch": torch.__version__}, threads=THREADS)


def judged(text, reached, goal, quiet):
    if goal is None:
        return text
    verdict = ("pass" if reached else "MISS") if quiet else "not judged: busy machine"
    return f"{text} ({verdict}, goal {goal:g}x)"


def at_least(value, goal, quiet):
    return judged(f"{number(value)}x", goal is not None and value >= goal, goal, quiet)


def table(rows):
    head = ["n, m, d", "numpy loop", "scipy", "torch (+ masks)", "**wordbreadth**", "robust", "one pair alone",
            "torch / wordbreadth", "loop / wordbreadth", "robust / wordbreadth"]
    lines = []
    for r in rows:
        ratio = r["robust_to_plain"]
        lines.append([
            f"{r['n']}, {r['m']}, {r['d']}", number(r["numpy_loop"]), number(r["scipy"]),
            f"{number(r['torch'])} (+ {number(r['torch_masks'])})", f"**{number(r['plain'])}**", number(r["robust"]),
            number(r["plain_single"]), at_least(r["times_torch"], r["torch_goal"], r["quiet"]),
            at_least(r["times_loop"], r["loop_goal"], r["quiet"]),
            judged(f"{ratio:.2f}x", ratio <= ROBUST_GOAL, ROBUST_GOAL, r["quiet"])])
    return common.markdown_table(head, lines)


def markdown(rows, host):
    busy = max(min(row["cores_busy_elsewhere"]) for row in rows)
    return f"""Milliseconds per test of {PERMUTATIONS:,} permutations, {host['threads']} threads each:

{table(rows)}

{host['cpu']}, {host['cores']} cores, {rows[0]['device']}; {host['date']}, commit {host['commit']}; {common.versions_line(host)}.
Cores busy with other processes, quietest round of the worst case: {busy:.2f}.

- wordbreadth, robust: {PAIRS} pairs of {2 * PAIRS} different clouds in one call, divided by {PAIRS}. All costs are
  counted: alignment, Gram matrices, splits, recounts. One pair alone: the median of calls with a single pair.
- numpy loop: one permutation at a time, as in the paper; {peers.LOOP_PERMUTATIONS} are timed and scaled.
- scipy: `permutation_test` with a vectorized statistic; {peers.SCIPY_PERMUTATIONS:,} resamples are timed and scaled.
- torch: the paper's Algorithm 2, float32, blocks of {peers.BLOCK:,}, with one thread or {THREADS}, whichever is faster.
  Drawing the masks, which pairs of one shape can share, is timed apart and left out of the ratio.
- For numpy, scipy and torch the clouds are aligned before the clock starts.
- Every figure is the fastest of {len(rows[0]['plain_rounds'])} rounds, which alternate between wordbreadth and the
  others, on the same clouds.
"""


def main():
    options = common.arguments(__doc__, common.program("wordbreadth_bench"), "bench", ROUNDS).parse_args()
    rows = [measure(options.program, case, options.rounds) for case in CASES]
    host = machine()
    common.write_results(options.results, "cpu", markdown(rows, host), {"machine": host, "cases": rows})


if __name__ == "__main__":
    main()
