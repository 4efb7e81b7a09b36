"""Front ends: src/cli uses the public headers and `report`, and no other room."""

from pathlib import Path

import project
import rooms

ALLOWED = {"cli", "report", "wordbreadth"}


def faults(root: Path):
    for path in rooms.sources(root / "src" / "cli"):
        yield from rooms.include_faults(path.relative_to(root), path, ALLOWED)


if __name__ == "__main__":
    project.run("front_ends", faults)
