"""Times by the number of workers, both on logarithmic scales, as SVG in the look of the project's figures."""

import html
import math
from dataclasses import dataclass
from pathlib import Path

STYLE = Path(__file__).resolve().parents[2] / "src" / "report" / "page" / "web" / "figure.css"
WIDTH, PANEL, TOP, BOTTOM, LEFT, RIGHT = 720, 300, 66, 46, 66, 130
TIMES = [(1, "1 s"), (60, "1 min"), (3600, "1 h"), (86400, "1 day"), (864000, "10 days"), (8640000, "100 days")]
MARKS = [
    "m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
    "m0 -5.4l5.18 9l-10.35 0z",
    "m-4.05 -4.05l8.1 0l0 8.1l-8.1 0z",
    "m0 -5.6l5.6 5.6l-5.6 5.6l-5.6 -5.6z",
]


@dataclass
class Line:
    name: str
    points: list  # (workers, seconds)
    ideal: list  # the same, if nothing but the workers' time mattered


@dataclass
class Panel:
    title: str
    lines: list


class Axes:
    def __init__(self, top: float, panel: Panel):
        points = [point for line in panel.lines for point in line.points + line.ideal]
        self.low_x, self.high_x = min(x for x, _ in points), max(x for x, _ in points)
        self.low_y, self.high_y = min(y for _, y in points) / 1.5, max(y for _, y in points) * 1.5
        self.top, self.bottom = top + TOP, top + TOP + PANEL

    def x(self, workers: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(workers / self.low_x) / math.log(self.high_x / self.low_x)

    def y(self, seconds: float) -> float:
        return self.bottom - PANEL * math.log(seconds / self.low_y) / math.log(self.high_y / self.low_y)


def text(kind: str, x: float, y: float, anchor: str, content: str) -> str:
    return f'<text class="{kind}" x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}">{html.escape(content)}</text>'


def route(kind: str, axes: Axes, points: list) -> str:
    return f'<path class="route {kind}" d="M' + "L".join(f"{axes.x(x):.2f} {axes.y(y):.2f}" for x, y in points) + '"/>'


def axes_of(axes: Axes) -> list:
    parts = ['<g class="axis">']
    for seconds, name in TIMES:
        if axes.low_y <= seconds <= axes.high_y:
            y = axes.y(seconds)
            parts.append(f'<line class="grid" x1="{LEFT}" y1="{y:.2f}" x2="{WIDTH - RIGHT}" y2="{y:.2f}"/>')
            parts.append(text("tick", LEFT - 8, y + 4.5, "end", name))
    parts.append(f'<line class="base" x1="{LEFT}" y1="{axes.bottom}" x2="{WIDTH - RIGHT}" y2="{axes.bottom}"/>')
    for workers in (1, 10, 100, 1000):
        x = axes.x(workers)
        parts.append(f'<line class="base" x1="{x:.2f}" y1="{axes.bottom}" x2="{x:.2f}" y2="{axes.bottom + 5}"/>')
        parts.append(text("tick", x, axes.bottom + 19, "middle", f"{workers:,}"))
    parts.append(text("label", (LEFT + WIDTH - RIGHT) / 2, axes.bottom + 38, "middle", "workers"))
    return parts + ["</g>"]


def labels_of(axes: Axes, lines: list) -> list:
    """Names to the right of the last points, moved apart where they would touch."""
    places = sorted((axes.y(line.points[-1][1]), number, line.name) for number, line in enumerate(lines))
    parts, above = [], -math.inf
    for y, _, name in places:
        above = max(y, above + 15)
        parts.append(text("name", WIDTH - RIGHT + 10, above + 4, "start", name))
    return parts


def panel_of(panel: Panel, top: float) -> list:
    axes = Axes(top, panel)
    parts = [text("panel-title", 8, top + 44, "start", panel.title), *axes_of(axes)]
    for number, line in enumerate(panel.lines):
        parts.append(route(f"dashed s{number}", axes, line.ideal))
        parts.append(route(f"s{number}", axes, line.points))
        parts += [f'<path class="mark s{number}" d="M{axes.x(x):.2f} {axes.y(y):.2f}{MARKS[number % 4]}"/>' for x, y in line.points]
    return parts + labels_of(axes, panel.lines)


def svg_of(title: str, description: str, panels: list) -> str:
    each = TOP + PANEL + BOTTOM
    height = each * len(panels)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="figure" role="img" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">',
        f"<title>{html.escape(title)}</title>",
        f"<desc>{html.escape(description)}</desc>",
        f"<style>\n{STYLE.read_text(encoding='utf-8')}</style>",
        f'<rect class="paper" x="0" y="0" width="{WIDTH}" height="{height}"/>',
        text("title", 8, 20, "start", title),
    ]
    for number, panel in enumerate(panels):
        parts += panel_of(panel, number * each)
    return "\n".join(parts) + "\n</svg>\n"
