"""The console command `wordbreadth`: the program itself, which lies in the package."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    program = Path(__file__).resolve().parent / "bin" / "wordbreadth"
    os.execv(program, [str(program), *sys.argv[1:]])


if __name__ == "__main__":
    main()
