"""Stores from vectors made elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from wordbreadth import _core

_FIELDS = ("document", "text", "start", "end")
Place = tuple[str, str, int, int]  # of these


def create(
    path: str,
    clouds: Mapping[str, Any],
    contexts: Mapping[str, Iterable[Any]],
    frequencies: Mapping[str, int],
    settings: Mapping[str, Any],
) -> None:
    if not clouds:
        raise ValueError(f"{path}: there are no clouds to write")
    for given, what in ((contexts, "contexts"), (frequencies, "frequencies")):
        for word in given:
            if word not in clouds:
                raise ValueError(f"{what}: {word!r} has no cloud")
    arrays = {word: _rows(word, cloud) for word, cloud in clouds.items()}
    dimension = next(iter(arrays.values())).shape[1]
    for word, rows in arrays.items():
        if rows.shape[1] != dimension:
            raise ValueError(f"{word!r}: has {rows.shape[1]} dimensions; expected {dimension}, as the first cloud has")
    words = [
        (word, int(frequencies.get(word, len(rows))), rows, _places(word, len(rows), contexts.get(word)))
        for word, rows in arrays.items()
    ]
    _core.create_store(path, dimension, words, [(str(name), str(value)) for name, value in settings.items()])


def _rows(word: str, cloud: Any) -> np.ndarray:
    rows = np.ascontiguousarray(cloud, dtype=np.float32)
    if rows.ndim != 2:
        raise ValueError(f"{word!r}: has {rows.ndim} axes; expected 2, rows and dimensions")
    return rows


def _places(word: str, rows: int, given: Iterable[Any] | None) -> list[Place]:
    if given is None:
        return [("", word, 0, len(word))] * rows
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
    document, text, start, end = (context.get(name) for name in _FIELDS)
    if not isinstance(text, str):
        raise ValueError(f"{where}: 'text' is {text!r}; expected a string")
    if (start is None) != (end is None):
        raise ValueError(f"{where}: has the span {start} to {end}; expected both ends, or neither")
    if start is None:
        start, end = _span(word, text)
    return "" if document is None else str(document), text, int(start), int(end)


def _span(word: str, text: str) -> tuple[int, int]:
    """The first occurrence of the word, or the whole text: as ``wordbreadth import`` does."""
    start = text.find(word)
    return (0, len(text)) if start < 0 else (start, start + len(word))
