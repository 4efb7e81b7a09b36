"""Stores from vectors made elsewhere."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from wordbreadth import _core
from wordbreadth._arrays import is_masked

_FIELDS = ("document", "text", "start", "end")
_KEYS = {*_FIELDS, "row", "sentence"}  # with those of Store.occurrences() that are made anew
Place = tuple[str, str, int, int]  # of these


def create(
    path: str,
    clouds: Mapping[str, Any],
    contexts: Mapping[str, Iterable[Any]],
    frequencies: Mapping[str, int],
    settings: Mapping[str, Any],
) -> None:
    for given, what in ((clouds, "clouds"), (contexts, "contexts"), (frequencies, "frequencies")):
        if not isinstance(given, Mapping):
            raise TypeError(f"{what}: is a {type(given).__name__}; expected a dict with words as keys")
    if not clouds:
        raise ValueError(f"{path}: there are no clouds to write")
    for given, what in ((contexts, "contexts"), (frequencies, "frequencies")):
        for word in given:
            if word not in clouds:
                raise ValueError(f"{what}: {word!r} has no cloud")
    for word in clouds:
        _require_text("clouds: a word", word)
    arrays = {word: _rows(word, cloud) for word, cloud in clouds.items()}
    dimension = next(iter(arrays.values())).shape[1]
    for word, rows in arrays.items():
        if rows.shape[1] != dimension:
            raise ValueError(f"{word!r}: has {rows.shape[1]} dimensions; expected {dimension}, as the first cloud has")
    words = [
        (
            word,
            _whole(f"frequencies: {word!r}", frequencies.get(word, len(rows))),
            rows,
            _places(word, len(rows), contexts.get(word)),
        )
        for word, rows in arrays.items()
    ]
    named = [(str(name), str(value)) for name, value in settings.items()]
    for name, value in named:
        _require_text("settings: a name", name)
        _require_text(f"settings: {name!r}", value)
    _core.create_store(path, dimension, words, named)


def _rows(word: str, cloud: Any) -> np.ndarray:
    if is_masked(cloud):
        raise ValueError(f"{word!r}: some of its values are masked; expected all of them")
    try:
        given = np.asarray(cloud)
    except (TypeError, ValueError) as error:  # rows of different lengths
        raise type(error)(f"{word!r}: {error}") from None
    if given.ndim != 2:
        raise ValueError(f"{word!r}: has {given.ndim} axes; expected 2, rows and dimensions")
    if given.dtype.kind in "cSUmM":
        raise TypeError(f"{word!r}: its elements are {given.dtype}; expected real numbers")
    try:
        with np.errstate(over="ignore"):  # infinite, which the library refuses
            return np.ascontiguousarray(given, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{word!r}: {error}") from None


def _places(word: str, rows: int, given: Iterable[Any] | None) -> list[Place]:
    if given is None:
        return [("", word, 0, len(word))] * rows
    if isinstance(given, (str, bytes, Mapping)):
        raise TypeError(f"contexts: {word!r} has a {type(given).__name__}; expected a list, one per row")
    if hasattr(given, "columns") and not isinstance(given, Sequence):  # a frame, which yields its columns
        raise TypeError(f"contexts: {word!r} has a {type(given).__name__}; expected a list of its rows, as dicts")
    places = [_place(f"contexts: {word!r}, row {row}", word, context) for row, context in enumerate(given)]
    if len(places) != rows:
        raise ValueError(f"contexts: {word!r} has {len(places)}; expected {rows}, one per row")
    return places


def _place(where: str, word: str, given: Any) -> Place:
    context = {"text": given} if isinstance(given, str) else given
    if isinstance(context, Iterable) and not isinstance(context, Mapping):  # a tuple, or a row of a table
        values = tuple(context)
        context = dict(zip(_FIELDS, values, strict=True)) if len(values) == len(_FIELDS) else None
    if not isinstance(context, Mapping):
        raise ValueError(f"{where} is {given!r}; expected a text, a dict, or a tuple of {', '.join(_FIELDS)}")
    for key in context:
        if key not in _KEYS:
            raise ValueError(f"{where}: has the key {key!r}; expected {', '.join(_FIELDS)}")
    document, text, start, end = (_or_none(context.get(name)) for name in _FIELDS)
    if not isinstance(text, str):
        raise ValueError(f"{where}: 'text' is {text!r}; expected a string")
    _require_text(f"{where}: 'text'", text)
    if (start is None) != (end is None):
        raise ValueError(f"{where}: has the span {start} to {end}; expected both ends, or neither")
    document = "" if document is None else str(document)
    _require_text(f"{where}: 'document'", document)
    if start is None:
        return document, text, *_span(word, text)
    start, end = (_whole(f"{where}: {name!r}", value) for name, value in (("start", start), ("end", end)))
    if not start < end <= len(text) and (start, end, text) != (0, 0, ""):
        raise ValueError(
            f"{where}: has the span {start} to {end}; expected a start before the end, within the {len(text)} "
            "characters of its text"
        )
    return document, text, start, end


def _or_none(value: Any) -> Any:
    """None for what pandas puts where a column has nothing."""
    is_missing = (
        isinstance(value, (float, np.floating)) and value != value or type(value).__name__ in ("NAType", "NaTType")
    )
    return None if is_missing else value


def _whole(where: str, value: Any) -> int:
    """A whole number; 4.0 is one, as pandas has it in columns that lack some, and "4", as of a file of text."""
    try:
        number = int(value) if isinstance(value, (str, float, np.floating)) else operator.index(value)
        is_whole = isinstance(value, str) or number == value
    except (TypeError, ValueError, OverflowError):
        is_whole = False
    if not is_whole:
        raise TypeError(f"{where} is {value!r}; expected a whole number")
    if not 0 <= number < 2**63:
        raise ValueError(f"{where} is {number}; expected a number from 0 on")
    return number


def _require_text(where: str, text: Any) -> None:
    """What can be written as UTF-8: no half of a surrogate pair."""
    if not isinstance(text, str):
        raise TypeError(f"{where} is {text!r}; expected a string")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{where} is {text!r}, with half of a surrogate pair; expected Unicode text") from None


def _span(word: str, text: str) -> tuple[int, int]:
    """The first occurrence of the word, or the whole text: as ``wordbreadth import`` does."""
    start = text.find(word)
    return (0, len(text)) if start < 0 else (start, start + len(word))
