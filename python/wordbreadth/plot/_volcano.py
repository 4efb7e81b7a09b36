from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wordbreadth.plot import _look
from wordbreadth.plot._labels import name_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from wordbreadth import Comparison

BAND = 0.22  # of the plot's height


def volcano(comparison: Comparison, *, center: str | None = None, names: int = 15, ax: Axes | None = None) -> Axes:
    """How much every word differs between two stores, and how sure that is.

    Across, the logarithm of the word's breadth in the first store over that in the second; up, q, its p adjusted for
    the number of words. Words that no permutation exceeds all have the same q: they stand in the band at the top, the
    higher the more they differ.

    Parameters
    ----------
    comparison
        What :meth:`Store.compare` returned.
    center
        'none', the difference, or 'median', that beyond the median word's; default: as the comparison is sorted.
    names
        How many words of either side are named, where there is room.
    ax
        Axes to draw on; default: new ones.

    Examples
    --------
    >>> ax = wb.plot.volcano(store.compare(other, names=("news", "law")))
    """
    center = comparison.center if center is None else center
    if center not in ("none", "median"):
        raise ValueError(f"center={center!r}: expected 'none' or 'median'")
    ax = _look.new_axes() if ax is None else ax
    words = comparison.words
    plain = comparison.statistic == "plain"
    key = "centered_effect" if center == "median" else "T" if plain else "effect"
    q_key = "centered_p_adjusted" if center == "median" else "p_adjusted"
    effect, q = words[key].astype(float), words[q_key].astype(float)
    y = -np.log10(np.maximum(q, 1e-300))
    limit = -np.log10(comparison.alpha)
    limited = (words["exceedances"] == 0) & np.isfinite(y) if center == "none" else np.zeros(len(words), bool)
    _stack_in_band(ax, effect, y, limited, limit)

    shown = np.isfinite(effect) & np.isfinite(y)
    found = shown & (q <= comparison.alpha)
    beyond = " than the median word" if center == "median" else ""
    a, b = comparison.names
    groups = [
        (_look.Series("no difference shown", _look.QUIET, "o"), shown & ~found),
        (_look.series(1, f"broader in {a}{beyond}"), found & (effect > 0)),
        (_look.series(2, f"broader in {b}{beyond}"), found & (effect < 0)),
    ]
    for place, (series, those) in enumerate(groups):
        ax.scatter(
            effect[those],
            y[those],
            s=9 if place == 0 else 22,
            c=series.colour,
            marker=series.marker,
            alpha=0.45 if place == 0 else 0.72,
            linewidths=0,
            zorder=2 + place,
        )
    _look.guide(ax, f"q = {comparison.alpha:g}", y=limit)
    median = 0.0 if center == "median" else comparison.median_T if plain else comparison.median_effect
    _look.guide(ax, "median", x=median)
    what = "log ratio beyond the median" if center == "median" else "T" if plain else "log ratio"
    _look.dress(
        ax,
        "How much, and how sure",
        f"{what}: broader in {b}  ←  0  →  broader in {a}",
        "−log₁₀ q",
        [series for series, _ in groups],
    )
    wanted = [place for _, those in groups[1:] for place in _clearest(those, q, effect)[:names]]
    name_points(ax, effect, y, words["word"], sorted(wanted, key=lambda place: (q[place], -abs(effect[place]))))
    return ax


def _clearest(those: np.ndarray, q: np.ndarray, effect: np.ndarray) -> list[int]:
    return sorted(np.flatnonzero(those), key=lambda place: (q[place], -abs(effect[place])))


def _stack_in_band(ax: Axes, effect: np.ndarray, y: np.ndarray, limited: np.ndarray, limit: float) -> None:
    """Moves points whose q is as small as it can be into a band above the others, by how much they differ."""
    others = y[np.isfinite(y) & ~limited]
    top = 1.08 * max([limit, *others])
    ax.set_ylim(0, top)
    if not limited.any():
        return
    low, high = top, top / (1 - BAND)
    size = np.abs(effect[limited])
    share = (size - size.min()) / (np.ptp(size) or 1)
    y[limited] = low + (0.14 + 0.7 * share) * (high - low)
    ax.set_ylim(0, high)
    ax.axhspan(low, high, color=_look.SHADE, linewidth=0, zorder=0)
    ax.set_yticks([tick for tick in ax.get_yticks() if 0 <= tick <= low])
    ax.set_ylim(0, high)
    look = {"xycoords": "axes fraction", "color": _look.MUTED, "ha": "right", "va": "bottom"}
    _look.write(ax, "shaded: no permutation as extreme", (1, 1), (0, 8), **look)
