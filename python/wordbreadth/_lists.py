"""Lists of words, as the program takes them: in Python, or in a file with one per line."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Union

from wordbreadth import _core

Words = Union[str, "os.PathLike[str]", Iterable[str]]


def word_list(words: Words) -> list[str]:
    """The words; a single string or path names a file."""
    if isinstance(words, (str, os.PathLike)):
        return _core.read_word_list(os.fspath(words))
    return list(words)


def stop_word_list(words: Words) -> list[str]:
    return _core.english_stop_words() if words == "english" else word_list(words)
