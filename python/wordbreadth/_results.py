"""What calls return, beyond the classes of the extension module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, overload

import numpy as np

from wordbreadth import _core


class ConfidenceInterval(NamedTuple):
    low: float
    high: float


class PairResults:
    """The tests of many pairs, in the order given: a sequence of TestResult, each made when it is asked for."""

    def __init__(self, tests: _core.PairTests) -> None:
        self._tests = tests

    def __len__(self) -> int:
        return len(self._tests)

    @overload
    def __getitem__(self, index: int) -> _core.TestResult: ...
    @overload
    def __getitem__(self, index: str) -> np.ndarray: ...
    def __getitem__(self, index: int | str) -> _core.TestResult | np.ndarray:
        """A result by its number, or a column by its key."""
        if isinstance(index, str):
            return self._column(index)
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"pair {index} of {len(self)}")
        return self._tests.at(place)

    def __iter__(self) -> Iterator[_core.TestResult]:
        return map(self._tests.at, range(len(self)))

    @property
    def pvalue(self) -> np.ndarray:
        """(pairs,); NaN where `undefined` of a result says why."""
        return self._tests.p

    @property
    def pvalue_adjusted(self) -> np.ndarray:
        """(pairs,), for the number of pairs."""
        return self._tests.p_adjusted

    def keys(self) -> list[str]:
        """Of the columns."""
        return self._tests.keys

    def _column(self, key: str) -> np.ndarray:
        if key in ("p", "p_adjusted"):
            return getattr(self._tests, key)
        if key not in self.keys():
            raise KeyError(f"{key}{_core.suggestion(key, self.keys())}")
        values = self._tests.column(key)
        if any(isinstance(value, str) for value in values):
            return np.array(values, dtype=object)
        return np.array([np.nan if value is None else value for value in values])

    def to_dict(self) -> dict[str, Any]:
        """As the program's JSON has it: options and `results`, a list."""
        return self._tests.to_dict()

    def __repr__(self) -> str:
        return self._tests.text(10).rstrip("\n")
