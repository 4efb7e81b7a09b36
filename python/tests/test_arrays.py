"""What a cloud may be."""

import array
import gc
import sys
import types

import numpy as np
import pytest

import wordbreadth as wb


def p_of(x, y, **options):
    return wb.test(x, y, permutations=200, **options).to_dict() | {"seconds": 0}


def test_rows_of_any_layout_give_the_same_result(x, y):
    expected = p_of(x, y)
    wide = np.zeros((len(x), 2 * x.shape[1]), np.float32)
    wide[:, ::2] = x
    packed = np.zeros(len(x), dtype=[("pad", "u1"), ("rows", "f4", x.shape[1])])
    packed["rows"] = x
    read_only = x.copy()
    read_only.flags.writeable = False
    for other in (
        np.asfortranarray(x),
        x[::-1][::-1],
        wide[:, ::2],
        packed["rows"],
        x.astype(">f4"),
        read_only,
        x.tolist(),
        [tuple(row) for row in x],
        memoryview(x),
        np.matrix(x),
    ):
        assert p_of(other, y) == expected


def test_integers_are_taken_as_they_are(y):
    whole = np.random.default_rng(5).integers(1, 9, size=(20, y.shape[1]))
    assert p_of(whole, y) == p_of(whole.astype(float), y)


@pytest.mark.parametrize(
    "wrong, error, message",
    [
        (np.ones((4, 32), complex), TypeError, "complex128"),
        (np.ones((4, 32), bool), TypeError, "bool"),
        (np.ones((4, 32), np.longdouble), TypeError, "longdouble|float128"),
        (np.full((4, 32), "a"), TypeError, "<U1"),
        (np.full((4, 32), None), TypeError, "object"),
        (np.ma.array(np.ones((4, 32)), mask=np.eye(4, 32)), ValueError, "masked"),
        (np.ones(32, np.float32), ValueError, "1 axes"),
        (np.ones((2, 4, 32), np.float32), ValueError, "3 axes"),
        (np.float32(3), ValueError, "0 axes"),
        (np.ones((0, 32), np.float32), ValueError, "0 rows"),
        (np.ones((4, 0), np.float32), ValueError, "0 dimensions"),
        (np.ones((1, 32), np.float32), ValueError, "1 row"),
        (np.ones((4, 32), np.float32), ValueError, "same way"),
        (np.zeros((4, 32), np.float32), ValueError, "row 0 is all zeros"),
        (np.full((4, 32), np.nan, np.float32), ValueError, "row 0 holds nan"),
        (np.full((4, 32), np.inf, np.float32), ValueError, "row 0 holds inf"),
        ([[1.0, 2.0], [3.0]], ValueError, "inhomogeneous"),
        ("cloud.npy", TypeError, "is a str"),
        (None, TypeError, "object"),
        (array.array("f", [1, 2]), ValueError, "1 axes"),
    ],
)
def test_what_is_no_cloud(wrong, error, message, y):
    with pytest.raises(error, match=message) as raised:
        wb.test(wrong, y, names=("bank", "oboe"))
    assert str(raised.value).startswith("bank: ") and "\n" not in str(raised.value)


def test_dimensions_have_to_agree(x, y):
    with pytest.raises(ValueError, match="32.*31|31.*32"):
        wb.test(x, y[:, :31])


@pytest.mark.parametrize(
    "labels, error",
    [([1, 2], ValueError), ("abc", TypeError), (3, TypeError), (np.ones((60, 2)), ValueError), ([[1]] * 60, TypeError)],
)
def test_labels_are_one_per_row(labels, error, x, y):
    with pytest.raises(error):
        wb.test(x, y, blocks_x=labels)


def test_labels_may_be_anything_that_can_be_told_apart(x, y):
    numbers = np.arange(60) // 4
    expected = wb.breadth(x, blocks=numbers)
    for labels in (
        numbers.tolist(),
        [f"d{i}" for i in numbers],
        numbers.astype(np.int32),
        -numbers,
        numbers.astype(float),
        np.array([f"d{i}" for i in numbers]),
        (i for i in numbers),
        [(i, "a") for i in numbers],
    ):
        assert wb.breadth(x, blocks=labels).breadth == expected.breadth


def test_nothing_is_kept_of_an_array(x, y):
    mine = x.copy()
    before = sys.getrefcount(mine)
    for _ in range(3):
        found = wb.test(mine, y, permutations=10), wb.breadth(mine)
        with pytest.raises(ValueError):
            wb.test(mine, y[:1])
    assert sys.getrefcount(mine) == before
    many = wb.pairs([mine, y], permutations=10)  # makes results when asked: it keeps the clouds
    assert sys.getrefcount(mine) > before
    with wb.Session() as session:
        session.add(mine)
    del found, many, session
    gc.collect()
    assert sys.getrefcount(mine) == before


def test_an_array_is_read_where_it_is(x, y):
    rows = np.ascontiguousarray(x)
    with wb.Session() as session:
        session.add(rows, name="x")
        assert not rows.flags.owndata or sys.getrefcount(rows) > 2  # shared, not copied


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_tensors_of_torch(dtype, x, y):
    torch = pytest.importorskip("torch")
    mine = torch.from_numpy(x).to(getattr(torch, dtype))
    expected = p_of(mine.to(torch.float64).numpy(), y)
    assert p_of(mine, y) == expected
    assert p_of(mine.clone().requires_grad_(True), y) == expected
    assert p_of(mine.T.contiguous().T, y) == expected


def test_a_cloud_of_a_store_brings_its_name_and_blocks(x, y):
    mine = types.SimpleNamespace(array=x, name="bank", blocks=np.arange(len(x)) // 4, origin="a.store")
    found = wb.test(mine, y, blocks_y=np.arange(len(y)) // 4)
    assert (found.x, found.y, found.x_source, found.blocks_x) == ("bank", "y", "a.store", 15)
    assert wb.test(mine, y, names=("a", "b")).x == "a" and wb.breadth(mine).blocks == 15


def test_bfloat16_of_ml_dtypes(x, y):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    mine = x.astype(ml_dtypes.bfloat16)
    assert p_of(mine, y) == p_of(mine.astype(np.float64), y)


def test_arrays_of_jax(x, y):
    jax = pytest.importorskip("jax")
    assert p_of(jax.numpy.asarray(x), y) == p_of(x, y)
