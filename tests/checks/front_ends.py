"""Front ends: src/cli and python/bindings use the public headers and `report`, and no other room."""

from pathlib import Path

import project
import rooms

FRONT_ENDS = ["src/cli", "python/bindings"]
SHARED = {"report", "wordbreadth"}


def faults(root: Path):
    for folder in FRONT_ENDS:
        for path in rooms.sources(root / folder):
            yield from rooms.include_faults(path.relative_to(root), path, SHARED | {Path(folder).name})


if __name__ == "__main__":
    project.run("front_ends", faults)
