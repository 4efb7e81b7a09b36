"""Paths: no file names a folder of the machine it was written on."""

import re
from pathlib import Path

import project

# Where people and build machines keep their work. /usr, /etc, /dev and /tmp are everyone's.
FOLDERS = "(home|root|Users|work|workspace|mnt|scratch)"
PRIVATE = re.compile(rf"(?<![\w.}}~-])/{FOLDERS}/[\w.]")
PRIVATE_BYTES = re.compile(rf"/{FOLDERS}/[\w.-]+/[\w.-]".encode())  # what a program leaves in a file of its own


def faults(root: Path):
    this = Path(__file__).resolve()
    for path in project.files(root):
        if path.resolve() in {this, this.with_name("self_test.py")}:
            continue
        lines = list(project.lines(path))
        if not lines and (found := PRIVATE_BYTES.search(path.read_bytes())):
            yield f"{path.relative_to(root)}: names a private folder at byte {found.start()}"
        for number, line in lines:
            if PRIVATE.search(line):
                yield f"{path.relative_to(root)}:{number}: names a private folder: {line.strip()[:100]}"


if __name__ == "__main__":
    project.run("paths", faults)
