"""Names beside points, of which none lies over another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from wordbreadth.plot._look import write

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLACES = (
    ((5, 0), "left", "center"),
    ((-5, 0), "right", "center"),
    ((0, 5), "center", "bottom"),
    ((0, -5), "center", "top"),
)


def name_points(ax: Axes, x: np.ndarray, y: np.ndarray, names: Sequence[str], wanted: Sequence[int]) -> None:
    """Writes the names of the wanted points, the first of them first, where they cover no other name.

    Of several places, that which covers the fewest points; a name without one is left out. The axes have their limits.
    """
    figure = ax.figure
    figure.draw_without_rendering()  # lays the figure out
    renderer = figure.canvas.get_renderer()
    frame = ax.get_window_extent(renderer)
    points = ax.transData.transform(np.column_stack([x, y]))
    taken = [text.get_window_extent(renderer) for text in ax.texts if text.get_text()]
    for point in wanted:
        best = None
        for offset, ha, va in PLACES:
            text = write(ax, names[point], (x[point], y[point]), offset, fontsize=8.5, ha=ha, va=va)
            box = text.get_window_extent(renderer)
            text.remove()
            inside = frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 and box.y1 <= frame.y1
            if not inside or any(box.overlaps(other) for other in taken):
                continue
            covered = _inside(points, box)
            if best is None or covered < best[0]:
                best = (covered, box, offset, ha, va)
        if best is not None:
            _, box, offset, ha, va = best
            write(ax, names[point], (x[point], y[point]), offset, fontsize=8.5, ha=ha, va=va)
            taken.append(box)


def _inside(points: np.ndarray, box) -> int:
    low, high = (box.x0 - 2, box.y0 - 2), (box.x1 + 2, box.y1 + 2)
    return int(((points >= low) & (points <= high)).all(axis=1).sum())
