"""How results look to people: in a terminal, and in a notebook."""

from __future__ import annotations

import shutil

# The look of the pages, in the colours of the notebook.
STYLE = """<style>
.wordbreadth { font: 14px/1.5 Inter, system-ui, sans-serif; }
.wordbreadth figure { margin: 0; }
.wordbreadth .scroll { overflow-x: auto; }
.wordbreadth figcaption, .wordbreadth p { opacity: .75; margin: .3rem 0; }
.wordbreadth table { border-collapse: collapse; font-size: 13px; }
.wordbreadth th, .wordbreadth td { text-align: left; background: none; padding: .25rem .9rem .25rem 0;
  border: 0; border-bottom: 1px solid rgba(127, 127, 127, .3); }
.wordbreadth thead th { font-weight: 600; border-bottom-color: rgba(127, 127, 127, .8); vertical-align: bottom; }
.wordbreadth th.number, .wordbreadth td.number { text-align: right; font-variant-numeric: tabular-nums;
  white-space: nowrap; }
.wordbreadth td.subject { font-weight: 500; }
.wordbreadth pre { font: 13px/1.5 ui-monospace, monospace; }
</style>"""


def width() -> int:
    """Columns of the terminal; 100 where there is none."""
    return shutil.get_terminal_size((100, 24)).columns


def styled(html: str) -> str:
    return f'<div class="wordbreadth">{STYLE}{html}</div>'
