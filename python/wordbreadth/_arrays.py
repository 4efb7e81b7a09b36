"""Clouds and labels as the extension module takes them: rows side by side, in an element type that it reads."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from wordbreadth import _core
from wordbreadth._options import count


def cloud(
    x: Any, name: str, blocks: Any = None, *, named: bool = False, common_size: int | None = None, seed: int = 0
) -> _core.Array:
    """The rows of x where they are; copied where they do not lie side by side, or are no floating-point numbers.

    A Cloud, as a store has them, knows its blocks and its name, unless `named` says that the caller gave another. The
    rows of a common size are those that the program takes of a cloud of that name.
    """
    origin = ""
    if hasattr(x, "array") and hasattr(x, "origin"):
        name = name if named or not x.name else x.name
        blocks = x.blocks if blocks is None else blocks
        x, origin = x.array, x.origin
    if hasattr(x, "__dlpack__") and not isinstance(x, np.ndarray):
        rows, bf16 = _tensor_rows(x), False
    else:
        rows, bf16 = _host_rows(x, name)
    blocks = None if blocks is None else labels(blocks, name)
    if common_size is not None:
        chosen = np.array(_core.sampled_rows(name, origin, len(rows), count("common_size", common_size, low=2), seed))
        blocks = blocks if blocks is None or len(blocks) != len(rows) else blocks[chosen]
        rows = rows[chosen]
    return _core.array(rows, name, origin, bf16, blocks)


def _tensor_rows(x: Any) -> Any:
    """torch, cupy, jax: what refuses to be shared is made ready by its own library."""
    if getattr(x, "requires_grad", False):
        x = x.detach()
    if hasattr(x, "contiguous"):
        return x.contiguous()
    flags = getattr(x, "flags", None)
    if flags is not None and not flags.c_contiguous:
        return x.copy(order="C")
    return x


def is_masked(x: Any) -> bool:
    """Whether some of its values are; numpy imports numpy.ma only for those who use it, and so do we."""
    ma = sys.modules.get("numpy.ma")
    return ma is not None and isinstance(x, ma.MaskedArray) and bool(ma.is_masked(x))


def _host_rows(x: Any, name: str) -> tuple[np.ndarray, bool]:
    if isinstance(x, (str, bytes)):
        raise TypeError(f"{name}: is a {type(x).__name__}; expected an array of rows")
    if is_masked(x):
        raise ValueError(f"{name}: some of its values are masked; expected all of them")
    try:
        array = np.asarray(x)
    except ValueError as error:  # rows of different lengths
        raise ValueError(f"{name}: {error}") from None
    kind = array.dtype.kind
    if array.dtype.name == "bfloat16":  # ml_dtypes: numpy has none of its own, and cannot share it
        return np.ascontiguousarray(array).view(np.uint16), True
    if kind in "iu":
        array = array.astype(np.float64)
    elif kind != "f" or array.dtype.itemsize not in (2, 4, 8):
        raise TypeError(
            f"{name}: its elements are {array.dtype}; expected float32, float64, float16, bfloat16 or integers"
        )
    native = array.dtype.newbyteorder("=")
    return np.require(array, native, ["C_CONTIGUOUS", "ALIGNED"]), False


def labels(blocks: Any, name: str) -> np.ndarray:
    """A number per row, equal for rows of one block."""
    if isinstance(blocks, (str, bytes)) or not hasattr(blocks, "__iter__"):
        raise TypeError(f"{name}: its labels of blocks are a {type(blocks).__name__}; expected a sequence, one per row")
    if hasattr(blocks, "__array__") or hasattr(blocks, "__dlpack__"):
        found = np.asarray(blocks)
        if found.ndim != 1:
            raise ValueError(f"{name}: its labels of blocks have {found.ndim} axes; expected 1")
        if found.dtype.kind in "iub":
            return np.ascontiguousarray(found, dtype=np.int64).view(np.uint64)
        blocks = found.tolist()
    numbers: dict[Any, int] = {}
    listed: Sequence[Any] = list(blocks)
    return np.fromiter((numbers.setdefault(label, len(numbers)) for label in listed), np.uint64, len(listed))
