"""What calls return, beyond the classes of the extension module."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from wordbreadth import _core
from wordbreadth._tables import Table

if TYPE_CHECKING:
    import pandas
    import pyarrow


class ConfidenceInterval(NamedTuple):
    low: float
    high: float


class PairPart(NamedTuple):
    """What :func:`wordbreadth.pairs` did for a part."""

    pairs: int  # of the part
    tiles: int  # that these are divided into
    found: int  # of the tiles: those that were there


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
            return self.table[index]
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

    @cached_property
    def table(self) -> Table:
        """A row per pair, under the keys of the program's TSV."""
        return Table(self._tests.table)

    def keys(self) -> list[str]:
        """Of the columns."""
        return self.table.keys()

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a DataFrame: see :meth:`Table.to_pandas`."""
        return self.table.to_pandas()

    def to_arrow(self) -> pyarrow.Table:
        """The table for pyarrow: see :meth:`Table.to_arrow`."""
        return self.table.to_arrow()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)

    def to_tsv(self) -> str:
        """What the program prints with ``--format tsv``."""
        return self.table.to_tsv()

    def to_dict(self) -> dict[str, Any]:
        """As the program's JSON has it: options and `results`, a list."""
        return self._tests.to_dict()

    def __repr__(self) -> str:
        return self._tests.text(10).rstrip("\n")

    def _repr_html_(self) -> str:
        return self.table._repr_html_()
