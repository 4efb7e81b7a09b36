from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wordbreadth._optional import needed
from wordbreadth.plot import _look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from wordbreadth import Ranking


def ranking(ranking: Ranking, *, ends: int = 12, ax: Axes | None = None) -> Axes:
    """The broadest and the narrowest words, with the 95% intervals of their breadths and ranks.

    Intervals of breadths hold for each word alone; those of ranks, on the right, for all words at once.

    Parameters
    ----------
    ranking
        What :meth:`Store.rank` returned.
    ends
        How many words of either end; all where there are no more, and in a ranking of named words and their neighbours.
    ax
        Axes to draw on; default: new ones.

    Examples
    --------
    >>> ax = wb.plot.ranking(store.rank())
    """
    words = ranking.words
    places = np.arange(len(words))
    named = words["named"].astype(bool) if "named" in words.keys() else np.zeros(len(words), bool)
    if len(words) > 2 * ends and not named.any():
        places = np.r_[places[:ends], places[-ends:]]
    ranks = words["rank"][places]
    gaps = np.r_[0, np.diff(ranks) > 1]  # where words are left out
    y = np.arange(len(places)) + 1.2 * np.cumsum(gaps)
    ax = _look.new_axes(7.2, 1.5 + 0.21 * (y[-1] + 1 if len(y) else 1)) if ax is None else ax

    breadth, low, high = (words[key].astype(float)[places] for key in ("breadth", "breadth_low", "breadth_high"))
    ax.hlines(y, low, high, color=_look.COLOURS[0], alpha=0.6, linewidth=1.4, zorder=2)
    ax.scatter(breadth, y, s=24, color=_look.COLOURS[0], linewidths=0, zorder=3)
    ax.set_xscale("log")
    _plain_ticks(ax)
    ax.set_ylim(max(y, default=0) + 0.7, -0.7)
    ax.set_yticks(y, words["word"][places])
    for gap in np.flatnonzero(gaps):
        left_out = int(ranks[gap] - ranks[gap - 1] - 1)
        middle = (y[gap] + y[gap - 1]) / 2
        ax.axhline(middle, color=_look.RULE, linewidth=0.8, linestyle=(0, (1, 3)), zorder=1)
        _look.write(
            ax,
            f"{left_out:,} more",
            (0.5, middle),
            xycoords=ax.get_yaxis_transform(),
            color=_look.MUTED,
            fontsize=8.5,
            ha="center",
            va="center",
        )
    _write_ranks(ax, ranks, words["rank_low"][places], words["rank_high"][places], y)
    _look.dress(
        ax, f"Words by {'breadth' if ranking.by == 'breadth' else ranking.by}", "breadth, 95% interval", grid="x"
    )
    ax.tick_params(axis="y", labelcolor=_look.INK)
    for label, is_named in zip(ax.get_yticklabels(), named[places], strict=True):
        label.set_fontweight("bold" if is_named else "normal")
    return ax


def _plain_ticks(ax: Axes) -> None:
    """0.002, not 2 x 10^-3."""
    ticker = needed("matplotlib.ticker", "plot")
    low, high = ax.get_xlim()
    ax.xaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5) if high > 10 * low else (1, 2, 3, 4, 5, 6, 8)))
    ax.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    ax.xaxis.set_minor_locator(ticker.NullLocator())


def _write_ranks(ax: Axes, ranks: np.ndarray, low: np.ndarray, high: np.ndarray, y: np.ndarray) -> None:
    """Beside the plot: "3 (1–14)"."""
    right = ax.get_yaxis_transform()
    _look.write(ax, "rank (95%)", (1, 1), (8, 4), xycoords="axes fraction", color=_look.MUTED, fontsize=8.5)
    for rank, first, last, height in zip(ranks, low, high, y, strict=True):
        interval = f" ({first:,.0f}–{last:,.0f})" if np.isfinite(first) else ""
        _look.write(
            ax, f"{rank:,}{interval}", (1, height), (8, 0), xycoords=right, color=_look.MUTED, fontsize=8.5, va="center"
        )
