"""Paths: no file names a folder of the machine it was written on."""

import re
from pathlib import Path

import project

# Where people and build machines keep their work. /usr, /etc, /dev and /tmp are everyone's.
PRIVATE = re.compile(r"(?<![\w.}~-])/(home|root|Users|work|workspace|mnt|scratch)/[\w.]")


def faults(root: Path):
    this = Path(__file__).resolve()
    for path in project.files(root):
        if path.resolve() in {this, this.with_name("self_test.py")}:
            continue
        for number, line in project.lines(path):
            if PRIVATE.search(line):
                yield f"{path.relative_to(root)}:{number}: names a private folder: {line.strip()[:100]}"


if __name__ == "__main__":
    project.run("paths", faults)
