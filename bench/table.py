"""Times wordbreadth and the alternatives in one run and prints one table; also writes bench/results/cpu.{md,json}.

Rounds alternate (wordbreadth, alternatives, wordbreadth, ...), so that whatever else the machine does hits both, and
every figure is that of the fastest round, the one least disturbed. The clouds are the same for all; see clouds.h.
"""
import os

THREADS = 2  # for everybody; the libraries read it when they are loaded
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = str(THREADS)

import argparse
import dataclasses
import datetime
import json
import math
import pathlib
import platform
import subprocess
import sys
import tempfile

import numpy as np
import scipy
import torch

import peers

HERE = pathlib.Path(__file__).resolve().parent
PERMUTATIONS = 20000
PAIRS = 300
ROUNDS = 3
PEER_PAIRS = 5  # of the 300: those that the alternatives test
ROBUST_GOAL = 2.0  # times the plain test


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
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{program} failed with status {done.returncode}")
    return json.loads(done.stdout)


def read_problems(case, folder):
    def rows(pair, which):
        return np.fromfile(f"{folder}/pair{pair}-{which}.f32", np.float32).reshape(-1, case.d)

    return [peers.Problem(rows(k, "x"), rows(k, "y")) for k in range(PEER_PAIRS)]


def require_agreement(case, ours, theirs):
    """A race between programs that answer differently would mean nothing."""
    for mine, other in zip(ours["plain"]["first"], theirs["agree"]):
        error = math.sqrt(2 * mine["p"] * (1 - mine["p"]) / PERMUTATIONS)
        if abs(mine["T"] - other["T"]) > 1e-4 or abs(mine["p"] - other["p"]) > 5 * error + 2 / PERMUTATIONS:
            raise SystemExit(f"{case}: wordbreadth finds {mine}, torch {other}")


def measure(program, case, rounds):
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        for k in range(rounds):
            print(f"n={case.n} m={case.m} d={case.d}: round {k + 1} of {rounds}", file=sys.stderr)
            ours.append(run_ours(program, case, folder))
            theirs.append(peers.measure(read_problems(case, folder), PERMUTATIONS, THREADS))
            require_agreement(case, ours[-1], theirs[-1])
    return summarise(case, ours, theirs)


def summarise(case, ours, theirs):
    row = dataclasses.asdict(case)
    for key in ("numpy_loop", "scipy", "torch", "torch_masks"):
        row[key] = min(r[key] for r in theirs)
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
    return {
        "cpu": cpu_model(),
        "cores": len(os.sched_getaffinity(0)),
        "threads": THREADS,
        "system": platform.platform(),
        "date": datetime.date.today().isoformat(),
        "commit": commit(),
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__,
                     "torch": torch.__version__},
    }


def cpu_model():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown"


def commit():
    command = ["git", "-C", str(HERE), "describe", "--always", "--dirty", "--exclude=*"]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def against(value, goal):
    if goal is None:
        return f"{number(value)}x"
    return f"{number(value)}x ({'pass' if value >= goal else 'MISS'}, goal {goal:g}x)"


def robust_against(value):
    return f"{value:.2f} ({'pass' if value <= ROBUST_GOAL else 'MISS'}, goal {ROBUST_GOAL:g})"


def markdown(rows, host):
    head = ["n, m, d", "numpy loop", "scipy", "torch (+ masks)", "**wordbreadth**", "robust", "one pair alone",
            "torch / wordbreadth", "loop / wordbreadth", "robust / plain"]
    lines = [" | ".join(head), " | ".join(["---"] + ["---:"] * (len(head) - 1))]
    for r in rows:
        lines.append(" | ".join([
            f"{r['n']}, {r['m']}, {r['d']}", number(r["numpy_loop"]), number(r["scipy"]),
            f"{number(r['torch'])} (+ {number(r['torch_masks'])})", f"**{number(r['plain'])}**", number(r["robust"]),
            number(r["plain_single"]), against(r["times_torch"], r["torch_goal"]),
            against(r["times_loop"], r["loop_goal"]), robust_against(r["robust_to_plain"])]))
    table = "\n".join(f"| {line} |" for line in lines)
    return f"""Milliseconds a test of {PERMUTATIONS:,} permutations, {host['threads']} threads for everybody:

{table}

{host['cpu']}, {host['cores']} cores, {rows[0]['device']}; {host['date']}, commit {host['commit']}; numpy {host['versions']['numpy']}, scipy \
{host['versions']['scipy']}, torch {host['versions']['torch']}.

- wordbreadth, robust: {PAIRS} pairs of {2 * PAIRS} different clouds in one call, all costs counted (alignment, Gram matrices, splits,
  recounts), divided by {PAIRS}. One pair alone: the same for a call with a single pair.
- numpy loop: one permutation at a time, as in the paper; {peers.LOOP_PERMUTATIONS} are timed and scaled.
- scipy: `permutation_test` with a vectorized statistic; {peers.SCIPY_PERMUTATIONS:,} resamples are timed and scaled.
- torch: the paper's Algorithm 2, float32, blocks of {peers.BLOCK:,}. Drawing the masks, which pairs of one shape can share, is timed apart and
  left out of the ratio. Alignment is done before the clock starts for numpy, scipy and torch.
- Every figure is the fastest of {len(rows[0]['plain_rounds'])} rounds, which alternate between wordbreadth and the others, on the same clouds.
"""


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--program", default=HERE.parent / "build/bench/wordbreadth_bench")
    arguments.add_argument("--results", default=HERE / "results", type=pathlib.Path, help="folder to write to")
    arguments.add_argument("--rounds", default=ROUNDS, type=int)
    options = arguments.parse_args()

    rows = [measure(options.program, case, options.rounds) for case in CASES]
    host = machine()
    text = markdown(rows, host)
    options.results.mkdir(exist_ok=True)
    (options.results / "cpu.md").write_text(text)
    (options.results / "cpu.json").write_text(json.dumps({"machine": host, "cases": rows}, indent=1) + "\n")
    print(text)


if __name__ == "__main__":
    main()
