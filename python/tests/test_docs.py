"""docs/python.md and the Python section of the README: the blocks run, and every public name is explained."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import wordbreadth as wb

PROJECT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
PAGE = (PROJECT / "docs" / "python.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["docs/python.md", "README.md"])
def test_the_blocks_of_a_page_run_one_after_the_other(page, examples, monkeypatch):
    monkeypatch.chdir(PROJECT)
    text = (PROJECT / page).read_text(encoding="utf-8")
    assert BLOCK.search(text)
    names = dict(examples)
    for block in BLOCK.finditer(text):
        if "scipy" in block[1]:
            pytest.importorskip("scipy")
        line = text[: block.start(1)].count("\n")
        test = doctest.DocTestParser().get_doctest(block[1], names, f"{page}:{line + 1}", str(PROJECT / page), line)
        assert test.examples, f"{page}:{line + 1}: a block of Python without an example"
        said: list[str] = []
        failed = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.append, clear_globs=False).failed
        assert failed == 0, "".join(said)
        names = test.globs


@pytest.mark.parametrize("name", wb.__all__)
def test_a_public_name_is_on_the_page(name):
    assert re.search(rf"\bwb\.{name}\b|`{name}`", PAGE), f"docs/python.md does not explain wordbreadth.{name}"


@pytest.mark.parametrize("name", wb.plot.__all__)
def test_a_figure_is_on_the_page(name):
    assert f"wb.plot.{name}(" in PAGE


def test_every_method_of_a_store_that_returns_a_result_is_on_the_page():
    studies = {name for name in dir(wb.Store) if callable(getattr(wb.Store, name)) and not name.startswith("_")}
    plain = {"cloud", "documents", "occurrences", "export", "create", "get", "items", "keys", "values"}
    missing = [name for name in sorted(studies - plain) if f"store.{name}(" not in PAGE]
    assert not missing


@pytest.mark.parametrize("name", [name for name in wb.__all__ if name != "plot"])
def test_a_public_name_has_a_docstring(name):
    assert getattr(wb, name).__doc__
