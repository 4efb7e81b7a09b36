"""Progress of long work, shared by all functions: a bar of tqdm's, or whatever the caller passes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Progress = bool | Callable[[float], object]

PATIENCE = 1.0  # seconds: what is done sooner needs no bar


class Bar:
    """A bar of tqdm's that appears once the work has lasted a second; none where tqdm is not installed."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._start = time.monotonic()
        self._bar: Any = None

    def __call__(self, done: float) -> None:
        if self._bar is None and time.monotonic() - self._start > PATIENCE:
            self._bar = self._made()
        if self._bar:
            self._bar.n = min(done, 1.0)
            self._bar.refresh()

    def title(self, text: str) -> None:
        self._title = text
        if self._bar:
            self._bar.set_description_str(text, refresh=False)

    def close(self) -> None:
        if self._bar:
            self._bar.close()

    def _made(self) -> Any:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return False
        # On a terminal, or in a notebook, which is none; gone when the work is done.
        return tqdm(
            total=1.0,
            desc=self._title,
            leave=False,
            disable=False if in_notebook() else None,
            bar_format="{desc} {percentage:3.0f}%|{bar}| {elapsed}<{remaining}",
        )


def in_notebook() -> bool:
    """Whether this process is a notebook's kernel; one that runs notebooks elsewhere has its modules, too."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and "IPKernelApp" in shell.config


@contextmanager
def reporting(progress: Progress, title: str) -> Iterator[Callable[[float], object] | None]:
    """What is to be called with the share done: a bar (True), nothing (False), or the caller's function."""
    if callable(progress):
        yield progress
    elif not progress:
        yield None
    else:
        bar = Bar(title)
        try:
            yield bar
        finally:
            bar.close()
