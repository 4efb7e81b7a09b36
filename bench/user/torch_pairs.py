"""What one would run instead of `pairs`: a plain PyTorch script, one process from the file to the p-values.

    torch_pairs.py FILE.safetensors DEVICE PERMUTATIONS COUNT [PAIRS.tsv]

Loads all clouds and runs the paper's Algorithm 2 (../engine/gpu_peers.py) on the first COUNT of the pairs listed, or of all pairs.
Prints JSON: the results, how many pairs there are, and the seconds of a test after the first, for a table that says what all would take.
"""

import itertools
import json
import pathlib
import sys
import time

import torch
from safetensors.torch import load_file

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "engine"))
import gpu_peers  # noqa: E402


def main():
    path, device, permutations, count, *listed = sys.argv[1:]
    clouds = {name: torch.nn.functional.normalize(rows) for name, rows in load_file(path, device=device).items()}
    if listed:
        pairs = [line.split("\t") for line in pathlib.Path(listed[0]).read_text(encoding="utf-8").splitlines()]
    else:
        pairs = list(itertools.combinations(sorted(clouds), 2))
    results = [tested(*pairs[0], clouds, device, int(permutations))]  # warms up
    start = time.perf_counter()
    results += [tested(x, y, clouds, device, int(permutations)) for x, y in pairs[1 : int(count)]]
    seconds = (time.perf_counter() - start) / max(1, len(results) - 1)
    print(json.dumps({"pairs": len(pairs), "test_seconds": seconds, "results": results}))


def tested(x, y, clouds, device, permutations):
    problem = gpu_peers.Problem(clouds[x], clouds[y], device)
    exceedances = int(gpu_peers.algorithm2(problem, permutations))
    return {"x": x, "y": y, "T": problem.T, "p": (1 + exceedances) / (permutations + 1)}


if __name__ == "__main__":
    main()
