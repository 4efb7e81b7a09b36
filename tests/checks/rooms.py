"""Rooms: a folder under src/ includes only itself and lower ones; public headers are plain.

Plain: nothing but the standard library and each other is included, and nothing depends on how the project was built.
"""

import re
from pathlib import Path

import project

ROOMS = [  # lowest first
    "base", "arrays", "cpu", "cuda", "geometry", "permutation", "engine",  # these are wordbreadth::core
    "parquet", "store", "corpus", "lexicon", "encoder", "extraction", "study", "report", "cli",
]
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
CONDITIONAL = re.compile(r"\s*#\s*(if|ifdef|ifndef|elif|else)\b")
STANDARD = re.compile(r"[a-z_]+")  # <vector>: no folder, no ending


def sources(folder: Path):
    return [path for path in project.files(folder) if path.suffix in {".h", ".cc", ".cu", ".cuh"}]


def room_faults(root: Path):
    for folder in sorted(path for path in (root / "src").iterdir() if path.is_dir()):
        if folder.name not in ROOMS:
            yield f"src/{folder.name} is not a room this check knows: give it a place in ROOMS"
            continue
        allowed = {"wordbreadth", *ROOMS[: ROOMS.index(folder.name) + 1]}
        for path in sources(folder):
            yield from include_faults(path.relative_to(root), path, allowed)


def include_faults(name: Path, path: Path, allowed: set):
    for number, line in project.lines(path):
        found = INCLUDE.match(line)
        if found and found[1] == '"' and found[2].split("/")[0] not in allowed:
            yield f'{name}:{number}: "{found[2]}" is not below; allowed here: {", ".join(sorted(allowed))}'


def header_faults(root: Path):
    for path in sources(root / "include"):
        name = path.relative_to(root)
        for number, line in project.lines(path):
            found = INCLUDE.match(line)
            if found and not (STANDARD.fullmatch(found[2]) or found[2].startswith("wordbreadth/")):
                yield f"{name}:{number}: a public header includes {found[2]}, which is not the standard library's or ours"
            if CONDITIONAL.match(line):
                yield f"{name}:{number}: a public header depends on how it is compiled: {line.strip()}"


def faults(root: Path):
    yield from room_faults(root)
    yield from header_faults(root)


if __name__ == "__main__":
    project.run("rooms", faults)
