"""What one would run on a GPU instead of wordbreadth, in PyTorch, on the same clouds; and what the GPU can do at most.

- algorithm2: the paper's Algorithm 2, one pair after the other, half precision (float32 on a CPU, which has no fast
  products of halves), permutations in blocks of 4096, masks drawn by sorting random numbers, as the paper's text reads;
- gram_products: the least that a user who thought about it would run: one half-precision product of the masks with the
  Gram matrix per pair, masks shared by all pairs. Masks, Gram matrices and the statistic itself are for free.

All get the pooled rows Z with the alignment already done, on the device.
"""
import time

import numpy as np
import torch

CHUNK = 4096


class Problem:
    """One pair, aligned and pooled: rows Z (n + m, d), X' first, and the observed statistic."""

    def __init__(self, x, y, device="cuda"):
        x, y = (torch.as_tensor(rows).to(device, torch.float64) for rows in (x, y))
        u = unit(unit(x.mean(0)) - unit(y.mean(0)))
        aligned = x - 2 * torch.outer(x @ u, u)
        self.n, self.m, self.d = len(x), len(y), x.shape[1]
        self.Z = torch.cat([aligned, y]).float()
        self.factor = self.Z.half() if self.Z.is_cuda else self.Z
        self.T = float(log_ratio(aligned.mean(0).norm(), y.mean(0).norm(), self.d))


def unit(vector):
    return vector / vector.norm()


def log_ratio(r_x, r_y, d):
    def kappa(r):
        return r * (d - r * r) / (1 - r * r)

    return torch.log(kappa(r_y)) - torch.log(kappa(r_x))


def read_problems(folder, n, m, d, device="cuda"):
    """All pairs that wordbreadth_gpu_bench has written for this shape."""
    place = folder / f"{n}-{m}-{d}"

    def rows(pair, which):
        return np.fromfile(place / f"pair{pair}-{which}.f32", np.float32).reshape(-1, d)

    return [Problem(rows(k, "x"), rows(k, "y"), device) for k in range(len(list(place.glob("pair*-x.f32"))))]


def signs(permutations, n, N, device):
    order = torch.rand(permutations, N, device=device).argsort(dim=1)
    return (order < n).to(torch.int8) * 2 - 1


def algorithm2(problem, permutations):
    """The number of exceedances, two-sided, still on the device."""
    n, m, d, Z = problem.n, problem.m, problem.d, problem.factor
    total = problem.Z.sum(0)
    count = torch.zeros((), device=Z.device, dtype=torch.long)
    for begin in range(0, permutations, CHUNK):
        S = signs(min(CHUNK, permutations - begin), n, n + m, Z.device).to(Z.dtype)
        U = (S @ Z).float()
        T = log_ratio(((total + U) / 2).norm(dim=1) / n, ((total - U) / 2).norm(dim=1) / m, d)
        count += (T.abs() >= abs(problem.T)).sum()
    return count


def gram_products(grams, masks, pairs):
    for k in range(pairs):
        products = masks @ grams[k % len(grams)]
        squared = (products.float() * masks).sum(1)  # |s1|^2 of every split
    return squared


def wait(device):
    if torch.device(device).type == "cuda":
        torch.cuda.synchronize()


def timed(work, repeats, device="cuda"):
    """The median in milliseconds, after a warm-up."""
    work()
    wait(device)
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        wait(device)
        times.append((time.perf_counter() - begin) * 1e3)
    return sorted(times)[len(times) // 2]


def measure(problems, permutations, pairs, device="cuda"):
    """Milliseconds for `pairs` tests one after the other, and for one alone. Where there are fewer problems they take
    turns. `agree` holds what the p-values of the first problems should be near."""
    first = problems[0]

    def all_pairs():
        for k in range(pairs):
            algorithm2(problems[k % len(problems)], permutations)

    agree = [{"T": p.T, "p": (1 + int(algorithm2(p, permutations))) / (permutations + 1)} for p in problems[:5]]
    single = timed(lambda: algorithm2(first, permutations), 10, device)
    grams = [(p.Z @ p.Z.T).half() for p in problems]
    masks = (signs(permutations, first.n, first.n + first.m, device) > 0).half()
    return {
        "algorithm2": timed(all_pairs, 1, device),
        "algorithm2_single": single,
        "gram": timed(lambda: gram_products(grams, masks, pairs), 3, device),
        "agree": agree,
    }


def int8_peak(size=8192, repeats=20):
    """Operations per second of the largest int8 product torch has, in units of 10^12."""
    a = torch.randint(-128, 127, (size, size), device="cuda", dtype=torch.int8)
    b = a.t().contiguous().t()
    return 2 * size**3 / timed(lambda: torch._int_mm(a, b), repeats) / 1e9
