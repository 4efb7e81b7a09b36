import pytest

import wordbreadth as wb
from wordbreadth import _arrays, _core
from wordbreadth._clouds import wanted_pairs
from wordbreadth._options import options


def test_a_session_gives_what_single_calls_give(x, y):
    with wb.Session() as session:
        a = session.add(x, name="x")
        session.add(y, name="y", blocks=[i // 3 for i in range(len(y))])
        for options in ({}, {"statistic": "robust"}, {"seed": 3, "alternative": "less"}):
            assert session.test(a, "y", **options).pvalue == wb.test(x, y, **options).pvalue
        assert session.breadth("x").v == wb.breadth(x).v
        assert session.breadth("y").blocks == 14


@pytest.mark.parametrize("adjust", ["bh", "maxT"])
def test_pairs_in_a_session_of_their_own(adjust, x, y):
    """As those of arrays on a GPU are tested."""
    clouds = {"a": x, "bad": 0 * x, "b": y, "worse": float("nan") * y}
    arrays = [_arrays.cloud(rows, name) for name, rows in clouds.items()]
    _, indices = wanted_pairs(list(clouds), "all")
    found = wb.PairResults(_core.pairs(arrays, indices, adjust, options(), in_session=True))
    expected = wb.pairs(clouds, adjust=adjust)
    assert [one.to_dict() | {"seconds": 0} for one in found] == [one.to_dict() | {"seconds": 0} for one in expected]


def test_results_outlive_the_session(x, y):
    session = wb.Session()
    session.add(x, name="x")
    session.add(y, name="y")
    found = session.pairs()
    session.close()
    assert found[0].to_dict() | {"seconds": 0} == wb.pairs({"x": x, "y": y})[0].to_dict() | {"seconds": 0}


def test_it_knows_its_clouds(x, y):
    session = wb.Session(device="cpu", threads=1)
    a = session.add(x)
    b = session.add(y, name="b")
    assert len(session) == 2 and "b" in session and a in session and session.names == ["cloud 1", "b"]
    assert repr(session).startswith("<wordbreadth.Session on cpu (") and "2 clouds" in repr(session)
    with pytest.raises(ValueError, match="in this session already"):
        session.add(x, name="b")
    session.remove(a)
    assert a not in session and len(session) == 1
    with pytest.raises(ValueError, match="not in this session"):
        session.test(a, b)
    with pytest.raises(ValueError, match="not in this session.*did you mean"):
        session.breadth("bb")
    session.close()
    session.close()
    assert "closed" in repr(session)
    with pytest.raises(ValueError, match="closed"):
        session.add(x)


def test_options_of_the_session_are_not_those_of_a_test(x, y):
    session = wb.Session()
    with pytest.raises(TypeError, match="device"):
        session.test(session.add(x), session.add(y), device="cpu")


def test_an_unknown_device_is_an_error():
    with pytest.raises(ValueError, match="tpu"):
        wb.Session("tpu")
