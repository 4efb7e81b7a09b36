"""The look of the pages (src/report/page/web/figure.css): colours, markers, thin axes, labels where one reads them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from wordbreadth._optional import needed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, MUTED, RULE, BASE, GRID, SHADE, PAPER = "#1d2025", "#5b616b", "#b9bec6", "#8b919b", "#e6e8eb", "#f3f5f7", "#ffffff"
QUIET = "#9aa0a9"
# Okabe and Ito's, which colour-blind readers can tell apart; shapes, so that colours need not be.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#b5579a", "#c28400", "#3a9bd9", "#6b7280")
MARKERS = ("o", "^", "s", "D", "P", "v", "X")

SIZE = 9.5  # of text, in points
WIDTH = 7.2  # of figures, in inches
# The pages' fonts, then those that have what these lack. matplotlib takes each glyph from the first that has it.
FONTS = ("Inter", "Source Sans 3", "DejaVu Sans", "Noto Sans CJK JP", "IPAexGothic", "IPAGothic", "Noto Sans Arabic")


class Series(NamedTuple):
    """What the legend says about points of one kind."""

    name: str
    colour: str
    marker: str


def series(place: int, name: str) -> Series:
    return Series(name, COLOURS[place % len(COLOURS)], MARKERS[place % len(MARKERS)])


@cache
def fonts() -> list[str]:
    """Those that are installed: matplotlib complains about the others."""
    there = set(needed("matplotlib.font_manager", "plot").get_font_names())
    return [font for font in FONTS if font in there] or ["sans-serif"]


def new_axes(width: float = WIDTH, height: float = 4.6, columns: Sequence[float] = (1,)) -> Any:
    """Axes on a figure of their own, sizes in inches; an array of them where there are several columns."""
    pyplot = needed("matplotlib.pyplot", "plot")
    _, axes = pyplot.subplots(
        1, len(columns), figsize=(width, height), width_ratios=columns, layout="constrained", facecolor=PAPER
    )
    return axes


def write(ax: Axes, text: str, at: tuple[float, float], offset: tuple[float, float] = (0, 0), **look: Any) -> Any:
    """Text on white, `offset` points from a place of the data, or of what `xycoords` says."""
    effects = needed("matplotlib.patheffects", "plot")
    look = {"color": INK, "fontsize": SIZE, "fontfamily": fonts(), "annotation_clip": False, **look}
    written = ax.annotate(text, at, offset, textcoords="offset points", **look)
    written.set_path_effects([effects.withStroke(linewidth=3, foreground=PAPER)])
    return written


def dress(ax: Axes, title: str, x: str, y: str = "", legend: Sequence[Series] = (), grid: str = "y") -> None:
    """Title, legend and the label of the vertical axis above the plot; thin axes; a grid across `grid`."""
    ax.set_facecolor("none")
    for side, spine in ax.spines.items():
        spine.set_visible(side == ("bottom" if grid != "x" else "left"))
        spine.set(color=BASE, linewidth=0.8)
    ax.tick_params(length=0, colors=MUTED, labelsize=SIZE)
    ax.grid(visible=False)
    if grid:
        ax.grid(axis=grid, color=GRID, linewidth=0.8)
    ax.set_axisbelow(True)
    for label in (*ax.get_xticklabels(), *ax.get_yticklabels()):
        label.set_fontfamily(fonts())
    ax.set_xlabel(x, color=MUTED, fontsize=SIZE, fontfamily=fonts(), labelpad=6)
    above = 8.0
    if y:
        write(ax, y, (0, 1), (0, above), xycoords="axes fraction", color=MUTED, va="bottom")
        above += 18
    if len(legend) > 1:
        above += draw_legend(ax, legend, above)
    ax.set_title(title, loc="left", pad=above, color=INK, fontsize=11, fontweight="bold", fontfamily=fonts())


def draw_legend(ax: Axes, entries: Sequence[Series], above: float, *, below: bool = False) -> float:
    """Draws the legend that many points above the plot, or below it; its height."""
    lines, transforms = needed("matplotlib.lines", "plot"), needed("matplotlib.transforms", "plot")
    handles = [
        lines.Line2D([], [], linestyle="", color=entry.colour, marker=entry.marker, markersize=5.5, label=entry.name)
        for entry in entries
    ]
    room = ax.get_window_extent().width / ax.figure.dpi * 72
    widest = max(len(entry.name) for entry in entries) * 0.5 * SIZE + 24  # about, in points
    columns = max(1, min(len(entries), int(room / widest)))
    shift = transforms.ScaledTranslation(0, (-above if below else above) / 72, ax.figure.dpi_scale_trans)
    ax.legend(
        handles=handles,
        ncols=columns,
        loc="upper left" if below else "lower left",
        bbox_to_anchor=(0, 0 if below else 1),
        bbox_transform=ax.transAxes + shift,
        borderaxespad=0,
        borderpad=0,
        frameon=False,
        handletextpad=0.2,
        handlelength=1.2,
        columnspacing=1.6,
        labelspacing=0.4,
        prop={"family": fonts(), "size": SIZE},
        labelcolor=INK,
    )
    rows = -(-len(entries) // columns)
    return rows * 1.5 * SIZE + 5


def guide(ax: Axes, label: str, *, x: float | None = None, y: float | None = None) -> None:
    """A dashed line across the plot, named at its end."""
    look = {"color": INK, "linewidth": 0.9, "linestyle": (0, (5, 4)), "zorder": 1.5}
    if x is not None:
        ax.axvline(x, **look)
        write(ax, label, (x, 1), (4, -3), xycoords=ax.get_xaxis_transform(), va="top")
    if y is not None:
        ax.axhline(y, **look)
        write(ax, label, (1, y), (-2, 3), xycoords=ax.get_yaxis_transform(), ha="right", va="bottom")


def number(value: float) -> str:
    """With three digits, and a minus sign as wide as a plus."""
    return f"{value:.3g}".replace("-", "−", 1) if value < 0 else f"{value:.3g}"


def percent(ax: Axes, axis: str) -> None:
    ticker = needed("matplotlib.ticker", "plot")
    getattr(ax, f"{axis}axis").set_major_formatter(ticker.PercentFormatter(1, decimals=None))
