"""The program's commands and the functions of the package: which option is which parameter."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field

import wordbreadth as wb

# Options that say how a result is shown; the package returns it as an object.
SHOWN = {
    "help": "help() is Python's",
    "format": "repr, to_tsv() and to_dict() of a result",
    "html": "to_html() of a result",
    "svg": "to_svg() of a calibration",
    "quiet": "progress=False; the package prints nothing else",
    "timing": "for people at a terminal",
    "top": "how many rows people see; a result has all",
    "all": "how many rows people see; a result has all; of pairs it is pairs='all'",
    "width": "that of the terminal",
}
# Options of commands that read a store, which is open in Python.
OPENED = {"layer": "wb.Store(path, layer=...)"}
# Commands without a function.
WITHOUT = {
    "import": "Store.create() takes arrays; files are for the program, which the package has",
    "help": "help() is Python's",
    "verify": "repeats command lines, which is for the program; a page of the package says how to repeat it",
}


@dataclass(frozen=True)
class Command:
    """The functions that do what a command does, options whose parameter has another name, and those that have none."""

    functions: tuple[Callable, ...]
    renamed: dict[str, str] = field(default_factory=dict)
    without: dict[str, str] = field(default_factory=dict)


COMMANDS = {
    "extract": Command((wb.extract,), {"layer": "layers", "dtype": "precision"}),
    "info": Command((wb.info, wb.Store.info)),
    "rank": Command((wb.Store.rank,)),
    "triage": Command(
        (wb.Store.triage,), {"reference": "references", "wordnet": "match_senses", "given-frequency": "order"}
    ),
    "compare": Command((wb.Store.compare,)),
    "contexts": Command((wb.Store.concordance, wb.Store.modes), without={"modes": "Store.modes()"}),
    "export": Command((wb.Store.export,), {"words-file": "words", "out": "path"}),
    "breadth": Command((wb.breadth, wb.Store.by_size), without={"by-size": "Store.by_size()"}),
    "test": Command(
        (wb.test, wb.Store.test),
        {"null": "null_distribution", "alpha": "confidence"},
        {"force": "arrays do not say how they were made; Store.compare() looks"},
    ),
    "pairs": Command((wb.pairs, wb.test, wb.Store.gap_pairs), {"gap": "gaps", "alpha": "confidence"}),
    "merge": Command((wb.merge,)),
    "calibrate": Command((wb.Store.calibrate, wb.Store.compare_layers)),
    "experiment": Command((wb.Store.experiment,), without={"out": "Experiment.write()"}),
    "devices": Command((wb.devices,)),
}


def help_of(program: str, *command: str) -> str:
    return subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True).stdout


def names_of_commands(program: str) -> list[str]:
    return re.findall(r"^  ([a-z]+)  ", help_of(program).split("Commands:")[1], re.MULTILINE)


def options_of(program: str, command: str) -> set[str]:
    """But for those that say how a result is shown, and which store is open."""
    found = set(re.findall(r"^  (?:-\w,)?--([a-z-]+)", help_of(program, command), re.MULTILINE)) - set(SHOWN)
    return found if command == "extract" else found - set(OPENED)
