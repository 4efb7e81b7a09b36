import math
import pickle

import numpy as np
import pytest

import wordbreadth as wb


def test_a_result_follows_scipys_conventions(x, y):
    found = wb.test(x, y)
    assert found.statistic == found.T and found.t is None
    assert 0 < found.pvalue <= 1
    interval = found.confidence_interval(0.95)
    assert interval == (found.ci_low, found.ci_high) and interval.low < found.effect < interval.high
    wide = found.confidence_interval(confidence_level=0.999)
    assert wide.low < interval.low and wide.high > interval.high
    robust = wb.test(x, y, statistic="robust")
    assert robust.statistic == robust.t != robust.T


def test_an_interval_is_that_of_the_option(x, y):
    assert wb.test(x, y).confidence_interval(0.8) == wb.test(x, y, confidence=0.8).confidence_interval(0.8)
    assert wb.test(x, y, confidence=0.8).ci_low == wb.test(x, y).confidence_interval(0.8).low


@pytest.mark.parametrize("level", [0, 1, -1, math.nan])
def test_an_interval_needs_a_level(level, x, y):
    with pytest.raises(ValueError, match="confidence"):
        wb.test(x, y).confidence_interval(level)


def test_few_rows_have_no_interval(x, y):
    assert all(map(math.isnan, wb.test(x[:3], y).confidence_interval()))


def test_it_reads_as_the_programs_verdict(x, y):
    lines = repr(wb.test(x, y, names=("bank", "oboe"))).splitlines()
    assert lines[0] == "bank is narrower than oboe"
    assert any(line.startswith("p = ") for line in lines)


def test_the_null_distribution_is_there_on_request(x, y):
    assert wb.test(x, y).null_distribution is None
    found = wb.test(x, y, null_distribution=True, permutations=500)
    null = found.null_distribution
    assert null.shape == (500,) and null.dtype == np.float64 and not null.flags.writeable
    del found
    assert np.isfinite(null).all()  # the array keeps what it shows
    assert wb.test(x, y, permutations=500).exceedances == (np.abs(null) >= abs(wb.test(x, y).T) - 1e-12).sum()


def test_results_can_be_pickled(x, y):
    found = wb.test(x, y, null_distribution=True, tail_estimate=True, equivalence=1.5)
    again = pickle.loads(pickle.dumps(found))
    assert again.to_dict() == found.to_dict() and repr(again) == repr(found)
    assert np.array_equal(again.null_distribution, found.null_distribution)
    assert again.equivalence.answer == found.equivalence.answer and again.tail.p == found.tail.p


def test_html_draws_the_null_distribution_where_it_was_kept(x, y):
    plain = wb.test(x, y, names=("<b>", "oboe"))._repr_html_()
    assert "&lt;b&gt;" in plain and "<b>" not in plain and "<svg" not in plain
    drawn = wb.test(x, y, null_distribution=True)._repr_html_()
    assert drawn.count("<svg") == 1 and "http" not in drawn.replace("http://www.w3.org", "")
    assert len(drawn) < 30_000


def test_adjusted_p_keeps_shape_and_nan():
    p = np.array([[0.01, np.nan], [0.03, 0.02]])
    assert np.allclose(wb.adjust(p, "bh"), [[0.03, np.nan], [0.03, 0.03]], equal_nan=True)
    assert wb.adjust([], "holm").shape == (0,)
    with pytest.raises(ValueError, match="did you mean"):
        wb.adjust(p, "hol")
    with pytest.raises(ValueError):
        wb.adjust([2.0])


def test_devices_say_why_they_cannot_be_used():
    found = {device.name: device for device in wb.devices()}
    assert found["cpu"].available and found["reference"].exact
    assert found["cuda"].available or found["cuda"].unavailable_because


def test_pairs_are_listed_by_name_or_index(x, y):
    clouds = {"a": x, "b": y, "c": x[:20]}
    listed = wb.pairs(clouds, [("c", "a"), (1, 0)])
    assert [(one.x, one.y) for one in listed] == [("c", "a"), ("b", "a")]
    assert listed[0].pvalue == wb.test(x[:20], x).pvalue == listed.pvalue[0]
    assert listed[-1].y == "a" and wb.pairs([x, y])[0].x == "0"
    with pytest.raises(IndexError):
        listed[2]
    for wrong in ("every", [("a", "z")], [("a",)], [], [("a", 7)]):
        with pytest.raises(ValueError, match="pairs"):
            wb.pairs(clouds, wrong)


def test_pairs_have_columns(x, y):
    found = wb.pairs({"a": x, "b": y, "c": x[:3]})
    assert found["x"].tolist() == ["a", "a", "b"] and found["n"].dtype.kind in "iu"
    assert np.array_equal(found["p_adjusted"], found.pvalue_adjusted)
    assert found["effect"].tolist() == [one.effect for one in found] and np.isnan(found["standard_error"][1])
    assert set(found.keys()) >= {"x", "y", "p", "T", "ratio"}
    with pytest.raises(KeyError, match="did you mean"):
        found["p_adjust"]


def test_a_bad_cloud_does_not_stop_other_pairs(x, y):
    bad = x.copy()
    bad[7] = 0
    found = wb.pairs({"a": x, "bad": bad, "c": y})
    assert np.isnan(found.pvalue).tolist() == [True, False, True]
    assert "row 7 is all zeros" in found[0].undefined


def test_many_pairs_take_little_memory():
    clouds = np.random.default_rng(0).normal(size=(400, 4, 3)).astype(np.float32) + [3, 0, 0]
    found = wb.pairs(list(clouds.astype(np.float32)), permutations=20, adjust="none")
    assert len(found) == 400 * 399 // 2 and found[-1].x == "398"


def test_people_see_the_answer_only_where_they_asked(store):
    heading = ">answer<"
    assert heading not in wb.pairs(store, permutations=99)._repr_html_()
    assert heading in wb.pairs(store, permutations=99, equivalence=1.5)._repr_html_()
    assert "equivalence" in wb.pairs(store, permutations=99).keys()  # programs find it all the same
