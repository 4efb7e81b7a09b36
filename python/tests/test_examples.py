"""The examples of the docstrings run, and print what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import wordbreadth

MODULES = [
    f"wordbreadth.{module.name}"
    for module in pkgutil.iter_modules(wordbreadth.__path__)
    if module.name not in ("_core", "__main__")  # which would run the program
]
NEEDS = {"to_pandas(": "pandas", "to_arrow(": "pyarrow"}
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def examples_of(module: str) -> list[doctest.DocTest]:
    return [test for test in doctest.DocTestFinder().find(importlib.import_module(module)) if test.examples]


@pytest.mark.parametrize(
    "test", [test for module in MODULES for test in examples_of(module)], ids=lambda test: test.name
)
def test_an_example_prints_what_it_says(test, examples):
    for call, package in NEEDS.items():
        if call in test.docstring:
            pytest.importorskip(package)
    if ("WordNet()" in test.docstring or "experiment(" in test.docstring) and not Path("/usr/share/wordnet").exists():
        pytest.skip("WordNet is not installed")
    test.globs.update(examples)
    said: list[str] = []
    failed = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.append).failed
    assert failed == 0, "".join(said)
