"""Tables: rows, columns, and what other libraries make of them."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

import wordbreadth as wb


@pytest.fixture(scope="module")
def table(store: wb.Store) -> wb.Table:
    return store.rank().words


def test_rows_are_dicts_with_the_keys_of_the_columns(table):
    assert len(table) == 6
    assert list(table[0]) == table.keys()
    assert table[-1] == table[5] == list(table)[5]
    with pytest.raises(IndexError, match="6 rows"):
        table[6]


def test_a_column_is_an_array(table):
    assert table["rank"].tolist() == [1, 2, 3, 4, 5, 6]
    assert table["rank"].dtype == np.int64
    assert table["breadth"].dtype == np.float64
    assert table["word"].dtype == object
    assert np.isnan(table["modes"]).all()  # were not counted
    with pytest.raises(KeyError, match="no such column"):
        table["breath"]


def test_a_column_of_numbers_is_a_view_that_nobody_can_write_to(table):
    assert np.shares_memory(table["breadth"], table["breadth"])
    with pytest.raises(ValueError, match="read-only"):
        table["breadth"][0] = 1


def test_a_view_outlives_its_table(store):
    breadth = store.rank().words["breadth"]
    assert np.isfinite(breadth).all()


def test_a_slice_is_a_table(table):
    assert table[1:3]["word"].tolist() == table["word"][1:3].tolist()
    assert len(table[::2]) == 3


def test_columns_say_what_they_are(table):
    described = {column.key: column for column in table.columns}
    assert described["breadth"].heading == "breadth"
    assert "bias" in described["breadth"].help


def test_tsv_json_and_columns_agree(table):
    lines = list(csv.reader(io.StringIO(table.to_tsv()), delimiter="\t"))
    assert lines[0] == table.keys()
    objects = json.loads(table.to_json())
    columns = table.to_dict()
    for row, (line, read) in enumerate(zip(lines[1:], objects, strict=True)):
        for key, field in zip(table.keys(), line, strict=True):
            assert columns[key][row] == read[key] == table[row][key]
            assert (field == "") == (read[key] is None)


def test_rates_are_three_columns(store):
    table = store.calibrate(count=20, permutations=99).table
    assert {"rate", "rate_low", "rate_high"} <= set(table.keys())
    assert (table["rate_low"] <= table["rate_high"]).all()


def test_arrow_has_the_values_and_nulls_of_the_columns(table):
    pyarrow = pytest.importorskip("pyarrow")
    arrow = pyarrow.table(table)
    assert arrow.column_names == table.keys()
    assert arrow.to_pydict() == table.to_dict()
    assert arrow.schema.field("rank").type == pyarrow.int64()
    arrow.validate(full=True)
    del table
    assert arrow.to_pydict()["rank"][0] == 1
    assert pyarrow.table(arrow.slice(2, 2)).num_rows == 2


def test_polars_and_duckdb_take_a_table(table):
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(table)["word"].to_list() == table["word"].tolist()
    duckdb = pytest.importorskip("duckdb")
    words = table  # found by its name
    assert duckdb.sql("select count(*) from words where breadth > 0").fetchall() == [(len(words),)]


def test_pandas_has_the_types_of_the_values(table):
    pandas = pytest.importorskip("pandas")
    frame = table.to_pandas()
    assert list(frame) == table.keys()
    assert frame["rank"].dtype == np.int64
    assert frame["word"].tolist() == table["word"].tolist()
    assert frame["duplicates"].isna().all()
    pandas.testing.assert_frame_equal(frame[["breadth"]], table.to_arrow().to_pandas()[["breadth"]])


def test_text_of_any_script_is_text_everywhere(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    words = ["bank", "büro", "銀行"]
    made = wb.Store.create(tmp_path / "a.store", {word: np.eye(3) for word in words})
    assert made.words["word"].tolist() == pyarrow.table(made.words)["word"].to_pylist() == words


def test_people_see_both_ends(store, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = repr(store.words)
    assert "bank" in text and "tree" in text
    assert max(map(len, text.splitlines())) <= 80
    assert "<td" in store.words._repr_html_()
