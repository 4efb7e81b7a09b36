"""The notebooks under examples/notebooks: they run, and what is committed has their outputs."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import wordbreadth

nbformat = pytest.importorskip("nbformat")
PROJECT = Path(__file__).resolve().parents[2]
FOLDER = PROJECT / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"), reverse=True)  # the tour first: it makes the store that others open
NEEDS = {"torch_vectors": ["torch"], "tour": ["pandas"], "two_corpora": ["pandas"]}


def outputs(notebook):
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def faults(notebook) -> list[str]:
    """Errors, and warnings or the like on standard error."""
    return [
        output.get("evalue") or output.get("text")
        for output in outputs(notebook)
        if output.output_type == "error" or output.get("name") == "stderr"
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_committed_outputs_are_those_of_a_whole_run(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert faults(notebook) == []
    assert any("image/png" in output.get("data", {}) for output in outputs(notebook))
    assert path.stat().st_size < 1_000_000
    assert str(PROJECT) not in path.read_text(encoding="utf-8")


def need(*packages: str) -> None:
    """Skips the test where one is not installed."""
    for package in packages:
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")


@pytest.fixture(scope="module")
def texts():
    """The model and the corpora, or the reason why notebooks cannot run here."""
    need("nbclient", "ipykernel", "matplotlib")
    if not (PROJECT / "build" / "models" / "all-minilm-l6-v2").exists():
        pytest.skip("the demo's model is not there; tools/model.sh fetches it")
    made = subprocess.run(
        [str(PROJECT / "examples" / "corpora.sh"), "build/corpora"], cwd=PROJECT, capture_output=True, text=True
    )
    if made.returncode != 0:
        pytest.skip(made.stderr.strip())
    shutil.rmtree(PROJECT / "build" / "notebooks", ignore_errors=True)
    sys.path.insert(0, str(FOLDER))
    yield
    sys.path.remove(str(FOLDER))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, texts, monkeypatch):
    import run

    need(*NEEDS.get(path.stem, []))
    monkeypatch.setenv("PYTHONPATH", os.path.relpath(Path(wordbreadth.__file__).parents[1]))
    assert faults(run.executed(path)) == []
