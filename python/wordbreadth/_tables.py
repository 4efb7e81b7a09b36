"""Tables: what results consist of, for Python, numpy, pandas and whatever reads Arrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from wordbreadth import _core
from wordbreadth._optional import needed
from wordbreadth._screen import styled, width

if TYPE_CHECKING:
    import pandas
    import pyarrow

ENDS = 10  # rows that people see of either end
PANDAS = {"count": ("int64", "Int64"), "truth": ("bool", "boolean")}  # where all values are there, where some are not


class Column(NamedTuple):
    """A column of a table: its key, and what people read about it."""

    key: str
    heading: str
    help: str


class Table(Sequence):
    """A table of a result. Rows are made when they are asked for, columns when the first of them is.

    Attributes
    ----------
    name : str
        What its files are called.
    caption : str
        What it shows.

    Examples
    --------
    >>> words = store.words
    >>> words[0]["word"]
    'bank'
    >>> int(words["rows"].max())
    60
    >>> [row["word"] for row in words][:2]
    ['bank', 'cell']
    """

    def __init__(self, core: _core.Table) -> None:
        self._core = core
        self._columns = [Column(*described) for described in core.columns()]

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def caption(self) -> str:
        return self._core.caption

    @property
    def columns(self) -> list[Column]:
        """Key, heading and explanation of each column.

        Examples
        --------
        >>> store.words.columns[1]
        Column(key='frequency', heading='frequency', help='occurrences in the corpus')
        """
        return list(self._columns)

    def keys(self) -> list[str]:
        """The keys of the columns, in their order.

        Examples
        --------
        >>> store.words.keys()
        ['word', 'frequency', 'usable', 'rows', 'exact_copies', 'near_copies']
        """
        return [column.key for column in self._columns]

    def __len__(self) -> int:
        return len(self._core)

    @overload
    def __getitem__(self, which: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, which: str) -> np.ndarray: ...
    @overload
    def __getitem__(self, which: slice) -> Table: ...

    def __getitem__(self, which):
        """A row by its number, a column by its key, or some rows as a table.

        A row is a dict; missing values, NaN and infinities are None, as in the program's JSON. A column is an array: of
        float64, int64 or bool where all values are there, float64 with NaN for numbers that may be missing, and of
        objects with None otherwise.
        """
        if isinstance(which, str):
            return self._column(which)
        if isinstance(which, slice):
            return Table(self._core.rows(list(range(*which.indices(len(self))))))
        index = which.__index__()
        if not -len(self) <= index < len(self):
            raise IndexError(f"row {index}: the table has {len(self)} rows")
        return self._core.row(index % len(self))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self._core.row(index) for index in range(len(self)))

    def _column(self, key: str) -> np.ndarray:
        values = self._values(key)
        if isinstance(values, np.ndarray):
            return values
        kind = self._core.type(key)
        if kind in ("count", "nothing"):
            return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
        if kind == "truth" and None not in values:
            return np.array(values, dtype=np.bool_)
        array = np.empty(len(values), dtype=object)
        array[:] = values
        return array

    def _values(self, key: str) -> np.ndarray | list:
        if key not in self.keys():
            hint = _core.suggestion(key, self.keys())
            raise KeyError(f"{key!r}: the table has no such column{hint}; it has {', '.join(self.keys())}")
        return self._core.values(key)

    def to_dict(self) -> dict[str, list]:
        """The columns as lists, by their keys; missing values, NaN and infinities are None.

        Examples
        --------
        >>> store.words.to_dict()["word"][:2]
        ['bank', 'cell']
        """
        columns = {}
        for key in self.keys():
            values = self._values(key)
            if isinstance(values, np.ndarray):
                finite = np.isfinite(values)
                values = values.tolist()
                if not finite.all():
                    values = [value if there else None for value, there in zip(values, finite, strict=True)]
            columns[key] = values
        return columns

    def to_pandas(self) -> pandas.DataFrame:
        """A DataFrame, with a column per key. Counts that may be missing are Int64, truths that may be are boolean.

        Examples
        --------
        >>> store.words.to_pandas().sort_values("frequency")["word"].iloc[-1]
        'bank'
        """
        pandas = needed("pandas", "pandas")
        return pandas.DataFrame({key: self._series(key, pandas) for key in self.keys()})

    def _series(self, key: str, pandas: Any) -> Any:
        values = self._values(key)
        kinds = PANDAS.get(self._core.type(key))
        if kinds is None or isinstance(values, np.ndarray):
            return self._column(key)
        return pandas.array(values, dtype=kinds[None in values])

    def to_arrow(self) -> pyarrow.Table:
        """A table of pyarrow. ``polars.DataFrame`` and duckdb take the table itself, without pyarrow.

        Counts are int64, numbers float64, text large_string; missing values, NaN and infinities are null.

        Examples
        --------
        >>> store.words.to_arrow().num_rows == len(store)
        True
        """
        return needed("pyarrow", "arrow").table(self)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table for any library that reads Arrow, by its PyCapsule interface."""
        return self._core.arrow_stream()

    def to_tsv(self) -> str:
        """The table as the program writes it with ``--format tsv``.

        Examples
        --------
        >>> store.words.to_tsv().splitlines()[0].split("\\t")[:2]
        ['word', 'frequency']
        """
        return self._core.tsv()

    def to_json(self) -> str:
        """A list of objects, one per row, as in the program's JSON.

        Examples
        --------
        >>> import json
        >>> json.loads(store.words.to_json())[0]["word"]
        'bank'
        """
        return self._core.json()

    def __repr__(self) -> str:
        text = self._core.text(width(), ENDS)
        return f"{text}{len(self):,} rows" if len(self) > 2 * ENDS else text.rstrip("\n")

    def _repr_html_(self) -> str:
        rest = f"<p>{len(self):,} rows, the first and the last {ENDS} shown</p>" if len(self) > 2 * ENDS else ""
        return styled(self._core.html(ENDS) + rest)
