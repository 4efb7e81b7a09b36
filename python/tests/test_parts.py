"""Pairs in parts give the results of one call."""

import numpy as np
import pytest

import wordbreadth as wb


def test_parts_give_the_results_of_one_call(store, tmp_path):
    whole = wb.pairs(store, permutations=200, adaptive=5, adjust="by")
    for i in (3, 1, 2):
        part = wb.pairs(store, part=(i, 3), out=tmp_path / "parts", permutations=200, adaptive=5, adjust="by")
        assert part.found == 0
    assert wb.pairs(store, part=(2, 3), out=tmp_path / "parts", permutations=200, adaptive=5, adjust="by") == (
        part._replace(found=part.tiles)
    )
    merged = wb.merge(tmp_path / "parts")
    assert len(merged) == len(whole)
    for column in whole.keys():
        if column != "seconds":
            assert np.array_equal(merged[column], whole[column], equal_nan=whole[column].dtype.kind == "f"), column
    assert np.isnan(merged[0].seconds)


def test_a_missing_part_is_named(store, tmp_path):
    wb.pairs(store, part=(1, 2), out=tmp_path, permutations=99)
    with pytest.raises(ValueError, match="part 2 of 2 is not complete"):
        wb.merge(tmp_path)


def test_parts_are_of_all_pairs_of_a_store(store, tmp_path):
    with pytest.raises(TypeError, match="expected both"):
        wb.pairs(store, part=(1, 2))
    with pytest.raises(TypeError, match="all pairs of a store"):
        wb.pairs(store, [(0, 1)], part=(1, 2), out=tmp_path)
    with pytest.raises(TypeError, match="all pairs of a store"):
        wb.pairs([np.eye(3), np.eye(3)], part=(1, 2), out=tmp_path)
