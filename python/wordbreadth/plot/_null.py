from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wordbreadth.plot import _look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from wordbreadth import TestResult


def null(result: TestResult, *, ax: Axes | None = None) -> Axes:
    """The statistic of all permutations, and that of the clouds as they are: the share at least as extreme is p.

    Parameters
    ----------
    result
        What :func:`wordbreadth.test` returned with ``null_distribution=True``.
    ax
        Axes to draw on; default: new ones.

    Examples
    --------
    >>> result = wb.test(store["bank"], store["tree"], null_distribution=True)
    >>> ax = wb.plot.null(result)
    """
    values = result.null_distribution
    if values is None:
        raise ValueError(
            f"{result.x} and {result.y}: the null distribution was not kept; test with null_distribution=True"
        )
    ax = _look.new_axes(7.2, 3.6) if ax is None else ax
    values = values[np.isfinite(values)]
    observed = result.statistic
    counts, edges = np.histogram(values, bins=_round_edges(values))
    middles = (edges[:-1] + edges[1:]) / 2
    extreme = _extreme(middles, observed, result.alternative)
    colours = np.where(extreme, _look.COLOURS[1], _look.COLOURS[0])
    ax.bar(
        edges[:-1],
        counts,
        np.diff(edges),
        align="edge",
        color=colours,
        alpha=0.75,
        edgecolor=_look.PAPER,
        linewidth=0.6,
    )
    name = "T" if result.statistic_name == "plain" else "t"
    _look.guide(ax, f"observed {_look.number(observed)}, p = {result.pvalue:.2g}", x=observed)
    ax.set_xlim(*_with_margin(min(edges[0], observed), max(edges[-1], observed)))
    ax.set_ylim(0, 1.15 * counts.max())  # room above for what is written beside the line
    _look.dress(ax, f"{result.x} and {result.y}: what {name} would be by chance", name, "permutations")
    return ax


def _extreme(values: np.ndarray, observed: float, alternative: str) -> np.ndarray:
    if alternative == "greater":
        return values >= observed
    if alternative == "less":
        return values <= observed
    return np.abs(values) >= abs(observed)


def _round_edges(values: np.ndarray) -> np.ndarray:
    """Bars of a round width, as many as the values' number and spread suggest."""
    low, high = values.min(), values.max()
    if low == high:
        return np.array([low - 0.5, high + 0.5])
    width = np.diff(np.histogram_bin_edges(values, "fd")[:2])[0]
    power = 10 ** np.floor(np.log10(width))
    width = power * min((step for step in (1, 2, 5, 10) if step * power >= width * 0.999), default=10)
    return np.arange(np.floor(low / width), np.ceil(high / width) + 1.5) * width


def _with_margin(low: float, high: float) -> tuple[float, float]:
    margin = 0.02 * (high - low)
    return low - margin, high + 8 * margin  # room for what is written beside the line
