"""Two small stores, a small model, and the program, whose results those of the package have to equal."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import wordbreadth as wb

PROJECT = Path(__file__).resolve().parents[2]
SPREADS = {"bank": 0.8, "cell": 0.5, "plant": 0.4, "spring": 0.7, "thing": 1.6, "tree": 0.3}
OTHER_SPREADS = {"bank": 0.8, "cell": 1.8, "plant": 0.4, "spring": 0.5, "star": 0.6, "thing": 1.6}
ROWS, DOCUMENTS, DIMENSION = 60, 20, 8


def cloud(spread: float, random: np.random.Generator) -> np.ndarray:
    centre = random.normal(size=DIMENSION)
    return centre / np.linalg.norm(centre) + spread * random.normal(size=(ROWS, DIMENSION)) / np.sqrt(DIMENSION)


def contexts(word: str) -> list[dict]:
    return [
        {"document": f"document {row % DOCUMENTS}", "text": f"Left {row} of {word} right.", "start": len(f"Left {row} of "),
         "end": len(f"Left {row} of {word}")}
        for row in range(ROWS)
    ]


def make_store(path: Path, spreads: dict[str, float], seed: int) -> wb.Store:
    random = np.random.default_rng(seed)
    return wb.Store.create(
        path,
        {word: cloud(spread, random) for word, spread in spreads.items()},
        contexts={word: contexts(word) for word in spreads},
        frequencies={word: 1000 - 100 * place for place, word in enumerate(spreads)},
        settings={"model": "random", "layers": "4"},
    )


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> wb.Store:
    return make_store(tmp_path_factory.mktemp("stores") / "news.store", SPREADS, 1)


@pytest.fixture(scope="session")
def other(tmp_path_factory: pytest.TempPathFactory) -> wb.Store:
    return make_store(tmp_path_factory.mktemp("stores") / "law.store", OTHER_SPREADS, 2)


@pytest.fixture(scope="session")
def program():
    """Runs a command of the program with --format json, and returns what it prints, without its provenance."""
    path = os.environ.get("WORDBREADTH_PROGRAM", str(PROJECT / "build" / "wordbreadth"))
    if not os.access(path, os.X_OK):
        pytest.skip(f"{path} is not built")

    def run(*arguments: object, check: bool = True) -> dict:
        done = subprocess.run([path, *map(str, arguments), "--format", "json"], capture_output=True, text=True, check=False)
        assert not check or done.returncode == 0, done.stderr
        printed = json.loads(done.stdout)
        printed.pop("provenance", None)
        return printed

    run.path = path
    return run


@pytest.fixture(scope="session")
def examples(store: wb.Store, other: wb.Store) -> dict:
    """What the examples of the docstrings use."""
    return {"wb": wb, "store": store, "other": other}
