import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from stores import corpus, examples, model, other, printed, store  # noqa: F401  (fixtures)


def around(direction: int, spread: float, n: int, d: int, seed: int) -> np.ndarray:
    """Rows around a direction, the wider the larger `spread`."""
    rows = spread * np.random.default_rng(seed).normal(size=(n, d))
    rows[:, direction] += 1
    return rows.astype(np.float32)


@pytest.fixture(scope="session")
def x() -> np.ndarray:
    return around(0, 0.10, 60, 32, 1)


@pytest.fixture(scope="session")
def y() -> np.ndarray:
    return around(5, 0.115, 40, 32, 2)


@pytest.fixture(scope="session")
def large() -> tuple[np.ndarray, np.ndarray]:
    """Whose exact test takes far longer than anyone waits."""
    return around(0, 0.10, 3000, 512, 3), around(1, 0.10, 3000, 512, 4)


@pytest.fixture(scope="session")
def program():
    """Runs the program and returns its JSON."""
    beside = Path(__import__("wordbreadth").__file__).resolve().parents[2] / "build" / "wordbreadth"
    path = os.environ.get("WORDBREADTH_PROGRAM") or (str(beside) if beside.exists() else shutil.which("wordbreadth"))
    if not path:
        pytest.skip("the program is not there; set WORDBREADTH_PROGRAM")

    def run(*arguments, succeeds=True):
        done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True)
        assert (done.returncode == 0) == succeeds, done.stderr
        return json.loads(done.stdout)

    return run
