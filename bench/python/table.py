"""Times one test from Python: wordbreadth.test() beside the C++ call that it makes, scipy, scikit-bio and torch.

Prints one table, and that of tensors.py where there is a GPU; also writes bench/results/python.{md,json}. Rounds alternate,
and a figure is the median of the quietest round. scikit-bio's PERMDISP compares dispersions too, by a statistic of its own, in
distances that are given to it ready.
"""
import os

THREADS = 2
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = str(THREADS)

import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy.spatial
import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent), str(HERE.parent / "engine"), str(HERE.parents[1] / "build" / "python")]
import common  # noqa: E402
import cpu_peers as peers  # noqa: E402
import skbio  # noqa: E402
import tensors  # noqa: E402

import wordbreadth as wb  # noqa: E402

N, M, D, PERMUTATIONS, CALLS, ROUNDS = 100, 100, 384, 20000, 40, 3
GOAL = 0.3  # ms that wordbreadth.test() may take longer than the C++ call


def clouds():
    random = np.random.default_rng(0)
    made = [spread * random.normal(size=(n, D)).astype(np.float32) for n, spread in ((N, 0.9), (M, 1.0))]
    for k, rows in enumerate(made):
        rows[:, k] += 12
    return made


def median_ms(work, calls):
    times = []
    for _ in range(calls):
        start = time.perf_counter()
        work()
        times.append(1e3 * (time.perf_counter() - start))
    return float(np.median(times))


def cpp_ms(program, x, y):
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in (("x", x), ("y", y)):
            rows.tofile(f"{folder}/{name}.f32")
        command = [program, f"{folder}/x.f32", f"{folder}/y.f32", N, M, D, CALLS]
        lines = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True).stdout.split()
    return 1e3 * float(np.median([float(line) for line in lines]))


def skbio_test(x, y):
    directions = [rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (x, y)]
    distances = scipy.spatial.distance.squareform(scipy.spatial.distance.pdist(np.concatenate(directions)))
    matrix = skbio.DistanceMatrix(distances)
    return lambda: skbio.stats.distance.permdisp(matrix, ["x"] * N + ["y"] * M, permutations=PERMUTATIONS)


def measure(program, x, y):
    problem = peers.Problem(*(rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (x, y)))
    torch.set_num_threads(THREADS)
    masks, Z = peers.torch_masks(N, M, PERMUTATIONS), torch.from_numpy(problem.Z)
    session = wb.Session(threads=THREADS)
    a, b = session.add(x), session.add(y)
    return {
        "wordbreadth.test()": median_ms(lambda: wb.test(x, y, threads=THREADS), CALLS),
        "the C++ call": cpp_ms(program, x, y),
        "Session.test()": median_ms(lambda: session.test(a, b), CALLS),
        "torch, masks given": median_ms(lambda: peers.torch_test(problem, Z, masks), 2),
        "scipy.stats.permutation_test": median_ms(
            lambda: peers.scipy_test(problem, PERMUTATIONS, np.random.default_rng(0)), 1
        ),
        "skbio permdisp": median_ms(skbio_test(x, y), 1),
    }


def import_ms(module):
    command = [sys.executable, "-c", f"import time; s = time.perf_counter(); import {module}; print(time.perf_counter() - s)"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    outputs = [subprocess.run(command, capture_output=True, text=True, env=environment).stdout for _ in range(5)]
    return 1e3 * min(map(float, outputs))


def main():
    options = common.arguments(__doc__, common.program("wordbreadth_call_bench"), "bench", ROUNDS).parse_args()
    x, y = clouds()
    rounds = []
    for k in range(options.rounds):
        common.progress(f"python: round {k + 1} of {options.rounds}")
        busy = common.cores_busy()
        rounds.append({**measure(options.program, x, y), "cores_busy_elsewhere": busy})
    best = min(rounds, key=lambda one: one["cores_busy_elsewhere"])
    ours, imports = best["wordbreadth.test()"], {name: import_ms(name) for name in ("numpy", "wordbreadth")}
    rows = [[name, common.number(ms), common.number(ms / ours)] for name, ms in best.items() if name != "cores_busy_elsewhere"]
    over = ours - best["the C++ call"]
    host = common.machine({**common.versions("numpy", "scipy", "torch"), "scikit-bio": skbio.__version__})
    text = (
        f"# One test from Python, {N} + {M} rows in {D} dimensions, {PERMUTATIONS:,} permutations, {THREADS} threads\n\n"
        + common.markdown_table(["", "ms", "times ours"], rows)
        + f"\n\nOver the C++ call: {over:.2f} ms (goal: {GOAL}). Import: numpy {imports['numpy']:.0f} ms, wordbreadth with it"
        + f" {imports['wordbreadth']:.0f} ms. Other processes kept {best['cores_busy_elsewhere']:.1f} cores busy.\n\n"
        + f"{host['cpu']}, {common.versions_line(host)}\n"
    )
    on_gpu = tensors.measure() if tensors.usable() else None
    text += "\n" + tensors.section(on_gpu) if on_gpu else ""
    common.write_results(options.results, "python", text, {**host, "rounds": rounds, "imports": imports, "tensors": on_gpu})


if __name__ == "__main__":
    main()
