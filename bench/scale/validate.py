"""The model beside reality: the record's times on this machine, and what the simulator makes of the times of one worker.

validate.py [--record quiet.json]

From the run in one part come the shards' times, the start of a part, and how many other processes the machine ran, since they left it only a share of a
core; from these, the times of 2, 4 and 8 workers are simulated. Prints both, and the wall and CPU time of every step.
"""

import argparse
import json
import statistics
from pathlib import Path

from phases import Conditions, Phase, simulate
from scale import cpu, table

STEPS = ["plan", "merge_plan", "embed", "join", "pairs", "merge_pairs"]


def wall(step: dict) -> float:
    return max(task["wall"] for task in step["tasks"])


def best(runs: list, parts: int) -> dict:
    """Of several rounds the one that embedded fastest: other work on the machine only adds."""
    return min((run for run in runs if run["parts"] == parts), key=lambda run: wall(run["embed"]))


def share_of(run: dict) -> float:
    """Of a core, that the run in one part got."""
    return min(1.0, cpu(run["embed"]) / wall(run["embed"]))


def embedding_of(run: dict) -> Phase:
    """In seconds of a core."""
    times = [seconds * share_of(run) for seconds in run["shard_seconds"][0]]
    start = max(0.0, cpu(run["embed"]) - sum(times) - statistics.mean(times))  # the first shard has no time of its own
    return Phase(times + [statistics.mean(times)], start=start)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--record", type=Path, default=Path(__file__).resolve().parent / "quiet.json")
    record = json.loads(options.parse_args().record.read_text())
    runs = record["runs"]
    phase = embedding_of(best(runs, 1))
    share = share_of(best(runs, 1))
    others = record["cores"] / share - 1 if share < 0.95 else 0.0  # a process that had a core to itself: as many as were free
    rows, steps = [], []
    for parts in sorted({run["parts"] for run in runs}):
        run = best(runs, parts)
        simulated = simulate(phase, Conditions(workers=parts, cores=record["cores"], others=others)).seconds
        measured = wall(run["embed"])
        rows.append([str(parts), f"{measured:.2f}", f"{simulated:.2f}", f"{simulated / measured - 1:+.0%}", f"{cpu(run['embed']):.2f}"])
        steps.append([str(parts)] + [f"{wall(run[step]):.2f} ({cpu(run[step]):.2f})" for step in STEPS])
    print(f"other processes on {record['cores']} cores: {others:.1f}\n")
    print(table(["workers", "measured, s", "simulated, s", "difference", "CPU time, s"], rows))
    print(table(["parts", *(step.replace("_", " ") for step in STEPS)], steps))


if __name__ == "__main__":
    main()
