"""Times 300 pairs of tensors in the memory of a GPU: wordbreadth.pairs() and Session.pairs() beside the engine in them.

Prints one table; also writes bench/results/gpu_python.{md,json}. table.py shows it too, where there is a GPU.
"""

import pathlib
import sys
import time

import numpy as np
import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent), str(HERE.parents[1] / "build" / "python")]
import common  # noqa: E402

import wordbreadth as wb  # noqa: E402

N, D, PERMUTATIONS, CLOUDS, PAIRS, CALLS = 128, 1024, 20000, 25, 300, 60
GOAL = 1.0  # ms that wordbreadth.pairs() may take longer than the engine


def usable():
    return torch.cuda.is_available() and any(device.name == "cuda" and device.available for device in wb.devices())


def clouds(count):
    """Of breadths that differ, in the way of words that do."""
    random = torch.Generator("cuda").manual_seed(0)
    made = torch.randn(count, N, D, device="cuda", generator=random)
    made *= torch.linspace(0.9, 1.1, count, device="cuda")[:, None, None]
    made[:, :, 0] += 12
    return [rows.clone() for rows in made]


def median_ms(work, look=lambda found: None):
    """Of a call, and what `look` sees in each result, which is dropped before the next call."""
    work()
    times, seen = [], []
    for _ in range(CALLS):
        start = time.perf_counter()
        found = work()
        times.append(1e3 * (time.perf_counter() - start))
        seen.append(look(found))
        del found
    return float(np.median(times)), seen


def measure():
    few, many = clouds(CLOUDS), clouds(2 * PAIRS)
    neighbours = [(2 * i, 2 * i + 1) for i in range(PAIRS)]
    expected = wb.pairs([rows.cpu() for rows in few], device="cpu").pvalue
    with wb.Session("cuda") as session:
        for rows in few:
            session.add(rows)
        kept, seconds = median_ms(session.pairs, lambda found: found[0].seconds)
    given, same = median_ms(lambda: wb.pairs(few, device="cuda"), lambda found: np.array_equal(found.pvalue, expected))
    assert all(same), "the GPU and the CPU differ"
    return {
        "the engine": 1e3 * PAIRS * float(np.median(seconds)),
        f"Session.pairs(), {CLOUDS} tensors kept": kept,
        f"wordbreadth.pairs(), {CLOUDS} tensors": given,
        f"wordbreadth.pairs(), {2 * PAIRS} tensors": median_ms(lambda: wb.pairs(many, neighbours, device="cuda"))[0],
    }


def section(found):
    rows = [[name, common.number(ms), common.number(ms - found["the engine"])] for name, ms in found.items()]
    return (
        f"# {PAIRS} pairs of CUDA tensors from Python, {N} + {N} rows in {D} dimensions, {PERMUTATIONS:,} permutations\n\n"
        + common.markdown_table(["", "ms", "over the engine"], rows)
        + f"\n\nThe engine is what the call itself reports (`seconds`). Goal: {GOAL} ms over it, with {CLOUDS} tensors.\n"
        + f"{torch.cuda.get_device_name()}, torch {torch.__version__}\n"
    )


def main():
    options = common.arguments(__doc__, __file__, "bench").parse_args()
    if not usable():
        raise SystemExit("there is no GPU here that both torch and this build can use")
    found = measure()
    host = common.machine({**common.versions("numpy", "torch")}, gpu=torch.cuda.get_device_name())
    common.write_results(options.results, "gpu_python", section(found), {**host, "ms": found})


if __name__ == "__main__":
    main()
