"""What one would run instead of wordbreadth: three programs for the same test, on the same clouds.

- numpy_loop: the paper's CPU code, one permutation at a time;
- scipy_test: scipy.stats.permutation_test with a vectorized statistic;
- torch_test: the paper's Algorithm 2, permutations in blocks of 2048 as one matrix product.

All get the pooled rows Z with the alignment already done, in float32, and one statistic. They count in float32
without tolerance for ties, which is less than wordbreadth promises.
"""
import time

import numpy as np
import scipy.stats
import torch

LOOP_PERMUTATIONS = 500  # timed, then scaled to B: the loop's cost is proportional
SCIPY_PERMUTATIONS = 5000  # likewise
BLOCK = 2048


class Problem:
    """One pair, aligned and pooled: rows Z (n + m, d), X' first, and the observed statistic."""

    def __init__(self, x, y):
        mean_x, mean_y = (unit(rows.astype(np.float64).mean(0)) for rows in (x, y))
        u = unit(mean_x - mean_y)
        aligned = x - 2 * np.outer(x @ u, u)
        self.n, self.m, self.d = len(x), len(y), x.shape[1]
        self.Z = np.concatenate([aligned, y]).astype(np.float32)
        self.T = self.log_v(resultant(aligned)) - self.log_v(resultant(y.astype(np.float64)))

    def log_v(self, r, log=np.log):
        return log((1 - r * r) / (r * (self.d - r * r)))

    def p(self, exceedances, permutations):
        return (1 + int(exceedances)) / (permutations + 1)


def unit(vector):
    return vector / np.linalg.norm(vector)


def resultant(rows):
    return np.linalg.norm(rows.mean(0))


def numpy_loop(problem, permutations, rng):
    Z, n = problem.Z, problem.n
    exceedances = 0
    for _ in range(permutations):
        order = rng.permutation(len(Z))
        T = problem.log_v(resultant(Z[order[:n]])) - problem.log_v(resultant(Z[order[n:]]))
        exceedances += abs(T) >= abs(problem.T)
    return problem.p(exceedances, permutations)


def scipy_test(problem, permutations, rng):
    """Permutes row numbers, not rows, and sums the chosen rows by a matrix product with their 0/1 indicators:
    gathering the rows themselves, the obvious way, is several times slower."""
    Z, n, m = problem.Z, problem.n, problem.m
    total = Z.sum(0)

    def statistic(x, y, axis):
        chosen = np.zeros(x.shape[:-1] + (n + m,), np.float32)
        np.put_along_axis(chosen, x, 1, axis=-1)
        sums = chosen @ Z
        r_x = np.linalg.norm(sums, axis=-1) / n
        r_y = np.linalg.norm(total - sums, axis=-1) / m
        return np.abs(problem.log_v(r_x) - problem.log_v(r_y))

    numbers = np.arange(n + m)
    return scipy.stats.permutation_test((numbers[:n], numbers[n:]), statistic, vectorized=True, axis=-1, batch=BLOCK,
                                        n_resamples=permutations, alternative="greater", rng=rng).pvalue


def torch_masks(n, m, permutations):
    """Signs (permutations, n + m): +1 for the rows of group 1, -1 for the others. Shared by all pairs of one shape."""
    signs = torch.full((permutations, n + m), -1.0)
    return signs.scatter_(1, torch.rand(permutations, n + m).argsort(1)[:, :n], 1.0)


def torch_test(problem, Z, masks):
    total = Z.sum(0)
    exceedances = 0
    for begin in range(0, len(masks), BLOCK):
        difference = masks[begin : begin + BLOCK] @ Z
        r_x = ((total + difference) * (0.5 / problem.n)).norm(dim=1)
        r_y = ((total - difference) * (0.5 / problem.m)).norm(dim=1)
        T = problem.log_v(r_x, torch.log) - problem.log_v(r_y, torch.log)
        exceedances += int((T.abs() >= abs(problem.T)).sum())
    return problem.p(exceedances, len(masks))


def timed(work):
    begin = time.perf_counter()
    result = work()
    return (time.perf_counter() - begin) * 1e3, result


def time_torch(problems, masks, threads):
    torch.set_num_threads(threads)
    torch_test(problems[0], torch.from_numpy(problems[0].Z), masks[:BLOCK])  # warm up: its first product is slow
    runs = [timed(lambda p=p: torch_test(p, torch.from_numpy(p.Z), masks)) for p in problems]
    return float(np.median([ms for ms, _ in runs])), [p for _, p in runs]


def measure(problems, permutations, threads):
    """Times all three; milliseconds a test of B permutations. `agree` holds what the p-values should be near.

    torch runs with one thread as well, and the faster counts: its threads spin at barriers, so that on a machine
    of two cores that was busy compiling two of them took 1,300 ms where one took 240.
    """
    torch.set_num_threads(threads)
    rng = np.random.default_rng(0)
    problem = problems[0]
    loop, _ = timed(lambda: numpy_loop(problem, LOOP_PERMUTATIONS, rng))
    scipy_ms, _ = timed(lambda: scipy_test(problem, SCIPY_PERMUTATIONS, rng))
    masks_ms, masks = timed(lambda: torch_masks(problem.n, problem.m, permutations))
    torch_by_threads = {count: time_torch(problems, masks, count) for count in sorted({1, threads})}
    return {
        "numpy_loop": loop * permutations / LOOP_PERMUTATIONS,
        "scipy": scipy_ms * permutations / SCIPY_PERMUTATIONS,
        "torch": min(ms for ms, _ in torch_by_threads.values()),
        "torch_by_threads": {count: ms for count, (ms, _) in torch_by_threads.items()},
        "torch_masks": masks_ms,
        "agree": [{"T": p.T, "p": value} for p, value in zip(problems, torch_by_threads[threads][1])],
    }
