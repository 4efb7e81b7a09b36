"""A call as it was made: its options for the library, and the line of Python that repeats it."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from typing import Any

_EXECUTION = ("progress", "threads", "device", "instruction_set")  # change no result


class Call:
    """A call of a method, from what its local variables are when it begins.

    ``owner`` is the expression before the dot, ``first`` are the expressions of its positional arguments.
    """

    def __init__(
        self, function: Callable, given: Mapping[str, Any], owner: str, first: list[str] | None = None
    ) -> None:
        self._name = function.__name__
        self._owner = owner
        self._first = first or []
        defaults = {
            name: parameter.default
            for name, parameter in inspect.signature(function).parameters.items()
            if parameter.kind is parameter.KEYWORD_ONLY
        }
        self.options = {name: given[name] for name in defaults if name != "progress"}
        self._stated = {
            name: value
            for name, value in self.options.items()
            if name not in _EXECUTION and not _same(value, defaults[name])
        }

    def __str__(self) -> str:
        arguments = self._first + [f"{name}={_spelled(value)}" for name, value in self._stated.items()]
        return f"{self._owner}.{self._name}({', '.join(arguments)})"


def _same(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and value == default)


def _spelled(value: Any) -> str:
    if hasattr(value, "expression"):
        return value.expression
    if isinstance(value, os.PathLike):
        return repr(os.fspath(value))
    if not isinstance(value, (str, bytes, dict)) and hasattr(value, "__iter__"):
        return f"[{', '.join(_spelled(each) for each in value)}]"
    return repr(value.item() if hasattr(value, "item") else value)
