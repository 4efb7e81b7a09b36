"""Makes the array files beside it with numpy and safetensors. Run once; its output is committed.

Every matrix is (5, 3) with the values ((7 i + 3 j) mod 11 - 5) / 4, which all number types hold exactly.
"""

import pathlib
import zipfile

import numpy as np
from safetensors import TensorSpec, serialize
from safetensors.numpy import save_file

HERE = pathlib.Path(__file__).parent
I, J = np.indices((5, 3))
MATRIX = ((7 * I + 3 * J) % 11 - 5) / 4


def bfloat16_bits(matrix):
    return (matrix.astype("<f4").view("<u4") >> 16).astype("<u2")


def npy_files():
    for kind in ("f2", "f4", "f8"):
        for order in "CF":
            for version in (1, 2, 3):
                array = np.asarray(MATRIX, dtype="<" + kind, order=order)
                with open(HERE / f"{kind}_{order.lower()}_v{version}.npy", "wb") as file:
                    np.lib.format.write_array(file, array, version=(version, 0))


def npz_files():
    arrays = {
        "f2": MATRIX.astype("<f2"),
        "f4": MATRIX.astype("<f4"),
        "f8": np.asfortranarray(MATRIX),
        "größe/café": MATRIX.astype("<f4"),
    }
    np.savez(HERE / "stored.npz", **arrays)
    np.savez_compressed(HERE / "deflated.npz", **arrays)
    # Few, sparse rows: unpacked from far fewer bytes than are believed without counting.
    sparse = np.zeros((8, 4096), dtype="<f4")
    sparse[np.arange(8), np.arange(8)] = 1
    np.savez_compressed(HERE / "sparse.npz", rows=sparse, columns=np.asfortranarray(sparse))
    limit, zipfile.ZIP64_LIMIT = zipfile.ZIP64_LIMIT, 0
    np.savez(HERE / "zip64.npz", **arrays)
    zipfile.ZIP64_LIMIT = limit


def safetensors_files():
    save_file(
        {
            "F16": MATRIX.astype("<f2"),
            "F32": MATRIX.astype("<f4"),
            "F64": MATRIX.astype("<f8"),
            "ids": np.arange(5),
            "vector": np.arange(4.0),
            "scalar": np.array(1, dtype="<f4"),
            "zero_rows": np.zeros((0, 3), dtype="<f4"),
        },
        HERE / "types.safetensors",
        metadata={"made by": "numpy"},
    )
    bits = bfloat16_bits(MATRIX)  # numpy has no such type, so the library is given the bytes
    spec = TensorSpec(dtype="bfloat16", shape=[5, 3], data_ptr=bits.ctypes.data, data_len=bits.nbytes)
    (HERE / "bf16.safetensors").write_bytes(serialize({"BF16": spec}))


if __name__ == "__main__":
    npy_files()
    npz_files()
    safetensors_files()
