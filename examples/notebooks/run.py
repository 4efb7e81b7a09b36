"""Runs the notebooks of this folder and writes their outputs back: python run.py [NAME...]

Needs the package, nbclient, ipykernel, matplotlib, pandas; torch for torch_vectors. From the project's folder, once:
tools/model.sh and examples/corpora.sh build/corpora. Stores are made in build/notebooks, anew.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent
STORES = HERE.parents[1] / "build" / "notebooks"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def environment() -> dict[str, str]:
    """With PYTHONPATH made absolute, since notebooks run in their own folder."""
    folders = [folder for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, folders))}


def executed(path: Path, seconds: int = 300) -> nbformat.NotebookNode:
    """The notebook with the outputs of a run; raises CellExecutionError where a cell does."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, timeout=seconds, kernel_name="python3", resources={"metadata": {"path": str(HERE)}}
    ).execute(env=environment())
    return notebook


def tidy(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Without what changes from run to run and machine to machine: times, versions, random names of cells."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for place, cell in enumerate(notebook.cells):
        cell.id = f"cell-{place}"
        cell.metadata = nbformat.from_dict({})
    return notebook


def names(arguments: list[str]) -> list[Path]:
    chosen = [HERE / f"{name.removesuffix('.ipynb')}.ipynb" for name in arguments]
    return chosen or sorted(HERE.glob("*.ipynb"), reverse=True)  # the tour before calibration


if __name__ == "__main__":
    if len(sys.argv) == 1:
        shutil.rmtree(STORES, ignore_errors=True)
    for path in names(sys.argv[1:]):
        nbformat.write(tidy(executed(path)), path)
        print(f"{path.name}: {path.stat().st_size / 1024:.0f} KiB")
