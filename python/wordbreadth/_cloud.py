"""A cloud: vectors with a name and, where they are known, the documents they come from."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True, eq=False)
class Cloud:
    """Vectors of one word, for :func:`wordbreadth.test` and :func:`wordbreadth.breadth`.

    Attributes
    ----------
    array : numpy.ndarray
        (n, d), a row per occurrence; of a store, the mapped file.
    name : str
        What messages and results call it.
    blocks : numpy.ndarray or None
        (n), the document of each row as a number; None where they are not known.
    origin : str
        The store or file that it comes from.

    Examples
    --------
    >>> store.cloud("bank")
    Cloud('bank', 60 x 8, 20 blocks)
    """

    array: np.ndarray
    name: str = ""
    blocks: np.ndarray | None = field(default=None)
    origin: str = ""

    def __len__(self) -> int:
        return len(self.array)

    def __array__(self, dtype: object = None, copy: bool | None = None) -> np.ndarray:
        if copy:
            return np.array(self.array, dtype=dtype)
        return np.asarray(self.array, dtype=dtype)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    def __repr__(self) -> str:
        rows, dimension = self.array.shape
        blocks = "" if self.blocks is None else f", {len(np.unique(self.blocks))} blocks"
        return f"Cloud({self.name!r}, {rows} x {dimension}{blocks})"
