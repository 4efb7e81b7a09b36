"""Progress: a bar, a function, or nothing."""

from __future__ import annotations

import sys

import pytest

from wordbreadth import _progress


def test_a_function_is_told_the_share_done(store):
    told = []
    store.calibrate(count=200, permutations=999, complete=True, threads=1, progress=told.append)
    assert told == sorted(told)
    assert all(0 <= share <= 1 for share in told)


def test_what_it_raises_ends_the_work(store):
    def refuse(share: float) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        store.calibrate(count=1_000_000, permutations=1_000_000, complete=True, progress=refuse)


def test_a_bar_appears_when_the_work_lasts(monkeypatch, capsys):
    pytest.importorskip("tqdm")
    monkeypatch.setattr(_progress, "in_notebook", lambda: True)  # so that it is shown
    with _progress.reporting(True, "ranking") as bar:
        bar(0.1)
        assert capsys.readouterr().err == ""
        monkeypatch.setattr(_progress, "PATIENCE", -1)
        bar(0.5)
        bar.title("embedding")
        bar(0.7)
    shown = capsys.readouterr().err
    assert "ranking  50%" in shown and "embedding  70%" in shown


def test_there_is_no_bar_where_nobody_looks_or_tqdm_is_missing(monkeypatch, capsys):
    monkeypatch.setattr(_progress, "PATIENCE", -1)
    with _progress.reporting(True, "ranking") as bar:
        bar(0.5)  # stderr is no terminal
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with _progress.reporting(True, "ranking") as bar:
        bar(0.5)
    with _progress.reporting(False, "ranking") as nothing:
        assert nothing is None
    assert capsys.readouterr().err == ""
