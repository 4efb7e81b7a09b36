"""How many senses a word has in WordNet."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

from wordbreadth import _core


class Senses(NamedTuple):
    """Synsets of a word by part of speech."""

    noun: int
    verb: int
    adjective: int
    adverb: int

    @property
    def all(self) -> int:
        return sum(self)


class WordNet:
    """WordNet's index files: numbers of senses, those that ``wn WORD -over`` counts.

    Parameters
    ----------
    path
        The folder with index.noun and the others, or a wordnet of another language as LMF or tab file; default: where
        Debian's package wordnet-base puts it.

    Examples
    --------
    >>> wordnet = wb.WordNet()
    >>> wordnet["bank"]
    Senses(noun=10, verb=8, adjective=0, adverb=0)
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self._core = _core.WordNet("" if path is None else os.fspath(path))

    @property
    def folder(self) -> str:
        return self._core.folder

    @property
    def expression(self) -> str:
        """What makes this object again."""
        return f"wb.WordNet({self.folder!r})"

    def senses(self, word: str) -> Senses:
        """The senses of the word and of its base forms; none where WordNet has no such word.

        Examples
        --------
        >>> wb.WordNet().senses("banks").all
        19
        """
        return Senses(*self._core.senses(word))

    def __getitem__(self, word: str) -> Senses:
        return self.senses(word)

    def __repr__(self) -> str:
        return f"WordNet({self.folder!r})"


def core_of(wordnet: WordNet, name: str) -> _core.WordNet:
    """Of the parameter of this name."""
    if not isinstance(wordnet, WordNet):
        raise TypeError(f"{name}: is a {type(wordnet).__name__}; expected a WordNet, such as wb.WordNet(path)")
    return wordnet._core


def cores_of(wordnets: WordNet | Iterable[WordNet], name: str) -> list[_core.WordNet]:
    """The same of one or several. A path is neither."""
    is_one = isinstance(wordnets, WordNet | str | os.PathLike)
    return [core_of(each, name) for each in ([wordnets] if is_one else wordnets)]
