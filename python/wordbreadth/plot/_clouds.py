"""Two clouds on a plane.

The test is about how far occurrences lie from the mean direction of their word, so the picture keeps that: the distance
of a point from its centre is the angle between the two, and the distance of the centres is the angle between the mean
directions. Around the centre, points lie by the two directions in which both clouds spread most.

t-SNE, which the study's page has, makes every neighbourhood as dense as any other: a broad cloud looks no broader than
a narrow one. A plane through the first two principal components of both keeps different shares of their spread: of the
tour's *right* and *light*, 36% and 1%.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from wordbreadth.plot import _look

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def clouds(x: Any, y: Any, *, names: tuple[str, str] | None = None, ax: Sequence[Axes] | None = None) -> np.ndarray:
    """Two clouds as they are, and with their mean directions on each other, as :func:`wordbreadth.test` compares them.

    The distance of a point from the centre of its cloud is the angle between the occurrence and the mean direction;
    the circles are at the root mean square of these angles. So a broader word has a wider ring, and in many dimensions
    it is a ring: no occurrence is close to the mean of all. Centres are as far apart as the mean directions. Where on
    its ring a point lies shows which occurrences are alike, by the two directions in which both clouds spread most.

    Parameters
    ----------
    x, y
        Clouds: :meth:`Store.cloud`, or arrays (n, d) and (m, d).
    names
        What to call them; default: their own.
    ax
        Two axes to draw on; default: new ones.

    Returns
    -------
    numpy.ndarray
        The two axes: before and after alignment.

    Examples
    --------
    >>> before, after = wb.plot.clouds(store.cloud("bank"), store.cloud("tree"))
    """
    names = names or (getattr(x, "name", "") or "x", getattr(y, "name", "") or "y")
    plane_x, plane_y, between = on_a_plane(_rows(x, names[0]), _rows(y, names[1]))
    reach = 1.06 * max(np.linalg.norm(points, axis=1).max() for points in (plane_x, plane_y))
    axes = _new_axes(reach, between) if ax is None else np.asarray(ax, dtype=object).ravel()
    if len(axes) != 2:
        raise ValueError(f"ax: has {len(axes)} axes; expected 2, for the clouds before and after alignment")
    legend = [_look.series(place, name) for place, name in enumerate(names)]
    for panel, title, apart in zip(axes, (f"as they are: {between:.0f}° apart", "aligned"), (between, 0), strict=True):
        for series, points, side in zip(legend, (plane_x, plane_y), (-apart / 2, apart / 2), strict=True):
            _draw(panel, series, points, side)
        _look.dress(panel, title, "", grid="")
        panel.set(
            aspect="equal", xticks=[], yticks=[], xlim=(-reach - apart / 2, reach + apart / 2), ylim=(-reach, reach)
        )
        panel.spines["bottom"].set_visible(False)
    _look.draw_legend(axes[0], legend, 6, below=True)
    return axes


def _new_axes(reach: float, between: float) -> np.ndarray:
    """Wide enough for either panel at one scale."""
    widths = (2 * reach + between, 2 * reach)
    return _look.new_axes(_look.WIDTH, 0.8 + (_look.WIDTH - 0.2) * 2 * reach / sum(widths), columns=widths)


def _draw(ax: Axes, series: _look.Series, points: np.ndarray, side: float) -> None:
    patches = _look.needed("matplotlib.patches", "plot")
    ax.scatter(
        points[:, 0] + side, points[:, 1], s=14, color=series.colour, marker=series.marker, alpha=0.6, linewidths=0
    )
    ax.scatter(side, 0, s=50, color=series.colour, marker="+", linewidths=1.4, zorder=3)
    radius = np.sqrt((points**2).sum(axis=1).mean())
    ax.add_patch(patches.Circle((side, 0), radius, fill=False, color=series.colour, linewidth=1.2, alpha=0.8, zorder=2))


def _rows(cloud: Any, name: str) -> np.ndarray:
    if hasattr(cloud, "detach"):  # torch
        cloud = cloud.detach().cpu().float()
    rows = np.asarray(cloud, dtype=np.float64)
    if rows.ndim != 2:
        raise ValueError(f"{name}: has {rows.ndim} axes; expected 2, rows and dimensions")
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not (lengths > 0).all() or not np.isfinite(lengths).all():
        raise ValueError(f"{name}: has rows without a direction; expected finite ones, and none of zeros")
    return rows / lengths


def on_a_plane(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Points of both clouds about their own centres, and the angle between the mean directions; in degrees."""
    mean_x, mean_y = (rows.mean(axis=0) / np.linalg.norm(rows.mean(axis=0)) for rows in (x, y))
    normal = mean_x - mean_y
    if normal @ normal > 1e-24:
        x = x - 2 * np.outer(x @ normal, normal) / (normal @ normal)
    cosines = [np.clip(rows @ mean_y, -1, 1) for rows in (x, y)]
    residuals = [rows - np.outer(cosine, mean_y) for rows, cosine in zip((x, y), cosines, strict=True)]
    _, _, directions = np.linalg.svd(np.vstack(residuals), full_matrices=False)
    planes = []
    for residual, cosine in zip(residuals, cosines, strict=True):
        flat = residual @ directions[:2].T
        flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-300)
        planes.append(flat * np.degrees(np.arccos(cosine))[:, None])
    return planes[0], planes[1], float(np.degrees(np.arccos(np.clip(mean_x @ mean_y, -1, 1))))
