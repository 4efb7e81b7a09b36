"""What the checks share: the project's files, and how a check ends."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOT_OURS = {".git", ".venv", ".cache", ".ruff_cache", ".pytest_cache", "__pycache__", "build"}


def files(root: Path):
    """Every file of the project below `root`, in a fixed order; nothing that was built or belongs to git."""
    for path in sorted(root.iterdir()):
        if path.name in NOT_OURS or path.is_symlink():
            continue
        if path.is_dir():
            yield from files(path)
        else:
            yield path


def lines(path: Path):
    """(number, line) of a text file, from 1; nothing of a file that is not text."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return
    yield from enumerate(text.splitlines(), start=1)


def run(name: str, check) -> None:
    """Runs `check(root)`, which yields one message per fault, on the project or the given folder; exits 1 on a fault."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    faults = list(check(root))
    for fault in faults:
        print(f"{name}: {fault}", file=sys.stderr)
    if faults:
        sys.exit(1)
    print(f"{name}: ok")
