"""python -m wordbreadth: the program, which lies in the package."""

import os
import sys
from pathlib import Path

program = Path(__file__).resolve().parent / "bin" / "wordbreadth"
os.execv(program, [str(program), *sys.argv[1:]])
