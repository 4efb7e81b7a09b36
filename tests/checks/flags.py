"""Flags: the library names no option of the command line. Front ends do, where it helps.

One file is excepted, src/report/command_line: reports end with what to do next, and say it as the program is called.
"""

import re
from pathlib import Path

import cpp
import project
import rooms

FLAG = re.compile(r"(?<![\w-])--[a-z][\w-]*")
CSS = re.compile(r"(?<=var\()--[\w-]+|--[\w-]+(?=\s*:)")  # var(--ink), --ink: black


def flags(token: cpp.Token) -> list:
    if token.kind == "string":
        return FLAG.findall(CSS.sub("", token.text))
    return FLAG.findall(token.text) if token.kind == "comment" else []


def faults(root: Path):
    for path in rooms.sources(root / "include") + rooms.sources(root / "src"):
        name = path.relative_to(root)
        if name.parts[:2] == ("src", "cli") or name.with_suffix("").as_posix() == "src/report/command_line":
            continue
        for token in cpp.tokens(path.read_text(encoding="utf-8")):
            for flag in flags(token):
                yield f"{name}:{token.line}: a {token.kind} in the library names {flag}"


if __name__ == "__main__":
    project.run("flags", faults)
