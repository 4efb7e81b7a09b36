"""Lists of words, as the program takes them: in Python, or in a file with one per line."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Union

from wordbreadth import _core

Words = Union[str, "os.PathLike[str]", Iterable[str]]


def word_list(words: Words, name: str = "words") -> list[str]:
    """The words; a single string or path names a file. None at all would mean all of them, or the default."""
    if isinstance(words, (str, os.PathLike)):
        return _core.read_word_list(os.fspath(words))
    listed = list(words)
    if not listed:
        raise ValueError(f"{name}: the list has no word; expected at least one")
    return listed


def stop_word_list(words: Words) -> list[str]:
    if words == "english":
        return _core.english_stop_words()
    return word_list(words) if isinstance(words, (str, os.PathLike)) else list(words)
