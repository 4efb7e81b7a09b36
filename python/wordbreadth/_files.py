"""Clouds from files of arrays."""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path

import numpy as np

from wordbreadth._cloud import Cloud

ELEMENTS = {"F64": np.dtype("<f8"), "F32": np.dtype("<f4"), "F16": np.dtype("<f2"), "BF16": np.dtype("<u2")}


def load(path: str | os.PathLike[str]) -> dict[str, Cloud]:
    """The clouds of a file: ``.npz`` and ``.safetensors`` hold several, ``.npy`` one, which has the file's name.

    Arrays of ``.npy`` and ``.safetensors`` files lie in the mapped file, but for bfloat16, which becomes float32.

    Parameters
    ----------
    path
        The file, such as :meth:`Store.export` writes.

    Examples
    --------
    >>> store.export(folder + "/clouds.safetensors", words=["bank", "tree"])
    >>> clouds = wb.load(folder + "/clouds.safetensors")
    >>> clouds["tree"]
    Cloud('tree', 60 x 8)
    """
    path = os.fspath(path)
    if path.endswith(".npy"):
        arrays = {Path(path).stem: np.load(path, mmap_mode="r")}
    elif path.endswith(".npz"):
        with np.load(path) as file:
            arrays = {name: file[name] for name in sorted(file)}
    elif path.endswith(".safetensors"):
        arrays = _safetensors(path)
    else:
        raise ValueError(f"{path}: expected a name that ends in .npy, .npz or .safetensors")
    for name, array in arrays.items():
        if not isinstance(array, np.ndarray):
            raise ValueError(f"{path}: {name} is no .npy array; an .npz file holds nothing else")
        if array.ndim != 2:
            raise ValueError(f"{path}: {name} has {array.ndim} axes; expected 2, rows and dimensions")
    return {name: Cloud(array, name, None, path) for name, array in arrays.items()}


def _safetensors(path: str) -> dict[str, np.ndarray]:
    """https://huggingface.co/docs/safetensors: the size of a header, the header in JSON, the values."""
    values = np.memmap(path, dtype=np.uint8, mode="r")
    try:
        (size,) = struct.unpack("<Q", values[:8])
        header = json.loads(bytes(values[8 : 8 + size]))
        return {
            name: _array(values[8 + size :], entry) for name, entry in sorted(header.items()) if name != "__metadata__"
        }
    except (struct.error, ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: is not a .safetensors file of floating-point arrays ({error})") from None


def _array(values: np.ndarray, entry: dict) -> np.ndarray:
    start, end = entry["data_offsets"]
    array = values[start:end].view(ELEMENTS[entry["dtype"]]).reshape(entry["shape"])
    if entry["dtype"] == "BF16":
        return (array.astype(np.uint32) << 16).view(np.float32)
    return array
