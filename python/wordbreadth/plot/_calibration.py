from __future__ import annotations

from typing import TYPE_CHECKING

from wordbreadth.plot import _look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from wordbreadth import Calibration

SPREAD = 0.13  # between the methods of a row


def calibration(
    calibration: Calibration, *, show: str = "level", alpha: float | None = None, ax: Axes | None = None
) -> Axes:
    """How often tests reject where the truth is known, with 95% intervals.

    Parameters
    ----------
    calibration
        What :meth:`Store.calibrate` returned.
    show
        'level': false positives, where there is no difference; 'power': how often mixtures of a word with another are
        told from the word, in a calibration with ``power=True``.
    alpha
        One of the levels that were asked for; default: that nearest to 0.05.
    ax
        Axes to draw on; default: new ones.

    Examples
    --------
    >>> ax = wb.plot.calibration(store.calibrate(count=20, permutations=99))
    """
    if show not in ("level", "power"):
        raise ValueError(f"show={show!r}: expected 'level' or 'power'")
    rows = list(calibration.table)
    alphas = sorted({row["alpha"] for row in rows})
    if alpha is None:
        alpha = min(alphas, key=lambda each: abs(each - 0.05))
    if alpha not in alphas:
        raise ValueError(f"alpha={alpha}: expected one of {', '.join(map(str, alphas))}")
    methods = list(dict.fromkeys(row["method"] for row in rows))  # the same colours in both figures
    rows = [row for row in rows if row["alpha"] == alpha and (row["pairs"] == "mixtures") == (show == "power")]
    if not rows:
        raise ValueError(f"{calibration.store}: was calibrated without mixtures; calibrate with power=True")
    return (_level if show == "level" else _power)(rows, methods, alpha, ax)


SHAPES = {
    "round_stretched": "simulated: round, stretched",
    "stretched_round": "simulated: stretched, round",
    "one_two_modes": "simulated: one mode, two modes",
    "two_one_modes": "simulated: two modes, one mode",
}


def _label(pairs: str) -> str:
    return SHAPES.get(pairs, pairs.replace("_", " "))


def _level(rows: list[dict], methods: list[str], alpha: float, ax: Axes | None) -> Axes:
    cases = list(dict.fromkeys((row["pairs"], row["n"], row["m"]) for row in rows))
    ax = _look.new_axes(7.2, 1.6 + 0.55 * len(cases)) if ax is None else ax
    legend = [_look.series(place, method) for place, method in enumerate(methods)]
    for row in rows:
        place = methods.index(row["method"])
        height = cases.index((row["pairs"], row["n"], row["m"])) + SPREAD * (place - (len(methods) - 1) / 2)
        ax.hlines(
            height, row["rate_low"], row["rate_high"], color=legend[place].colour, alpha=0.6, linewidth=1.3, zorder=2
        )
        ax.scatter(
            row["rate"], height, s=22, color=legend[place].colour, marker=legend[place].marker, linewidths=0, zorder=3
        )
    ax.set_yticks(range(len(cases)), [f"{_label(pairs)}, {n} + {m}" for pairs, n, m in cases])
    ax.set_ylim(len(cases) - 0.4, -1)  # room for the name of the line
    ax.set_xlim(left=0)
    _look.percent(ax, "x")
    _look.guide(ax, f"nominal {100 * alpha:g}%", x=alpha)
    _look.dress(
        ax,
        "How often the test sees a difference where there is none",
        f"rejected at a nominal {100 * alpha:g}%",
        legend=legend,
        grid="x",
    )
    ax.tick_params(axis="y", labelcolor=_look.INK)
    return ax


def _power(rows: list[dict], methods: list[str], alpha: float, ax: Axes | None) -> Axes:
    ax = _look.new_axes() if ax is None else ax
    sizes = list(dict.fromkeys((row["n"], row["m"]) for row in rows))[:2]  # equal ones: a quarter, and a half
    legend = [_look.series(place, method) for place, method in enumerate(methods)]
    tried = {row["method"] for row in rows}
    for size in sizes:
        for series in legend:
            _draw_line(
                ax,
                [row for row in rows if (row["method"], row["n"], row["m"]) == (series.name, *size)],
                series,
                hollow=size != sizes[-1],
            )
    ax.set_xlim(left=0)
    ax.set_ylim(0, 1.02)
    ax.set_xticks([tick for tick in ax.get_xticks() if 0 < tick <= ax.get_xlim()[1]])
    for axis in "xy":
        _look.percent(ax, axis)
    _look.guide(ax, f"nominal {100 * alpha:g}%", y=alpha)
    hollow, full = (f"{n} + {m}" for n, m in (sizes[0], sizes[-1]))
    rows_text = f"; {full} rows" + (f", hollow: {hollow}" if len(sizes) > 1 else "")
    _look.dress(
        ax,
        "How often the test sees a difference that is there",
        "share of occurrences that come from another word",
        f"found at a nominal {100 * alpha:g}%{rows_text}",
        [series for series in legend if series.name in tried],
    )
    return ax


def _draw_line(ax: Axes, rows: list[dict], series: _look.Series, *, hollow: bool) -> None:
    rows = sorted(rows, key=lambda row: row["share"])
    share, rate, low, high = ([row[key] for row in rows] for key in ("share", "rate", "rate_low", "rate_high"))
    ax.plot(share, rate, color=series.colour, alpha=0.75, linewidth=1.4, linestyle=(0, (2, 3)) if hollow else "-")
    ax.vlines(share, low, high, color=series.colour, alpha=0.3 if hollow else 0.6, linewidth=1.2)
    ax.scatter(
        share,
        rate,
        s=24,
        marker=series.marker,
        facecolor=_look.PAPER if hollow else series.colour,
        edgecolor=series.colour,
        linewidths=1,
        zorder=3,
        clip_on=False,
    )
