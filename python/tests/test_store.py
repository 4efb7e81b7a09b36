"""Stores: the mapping, what is in it, and files."""

from __future__ import annotations

import gc
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from stores import PROJECT, flags

import wordbreadth as wb


def test_a_store_maps_words_to_clouds(store):
    assert list(store) == ["bank", "cell", "plant", "spring", "thing", "tree"]
    assert len(store) == 6
    assert "bank" in store and "oboe" not in store and 3 not in store
    assert store["bank"].shape == (60, 8)
    assert store["bank"].dtype == np.float32
    assert store.get("oboe") is None
    assert dict(store.items()).keys() == set(store)


def test_words_are_listed_only_when_they_are_asked_for(store):
    # Of a million words, the list takes a second; all this takes milliseconds.
    opened = wb.Store(store.folder)
    assert len(opened) == 6 and "bank" in opened and opened["bank"].shape == (60, 8)
    assert opened._names is None
    assert list(opened) == sorted(opened)


def test_a_damaged_index_is_named_with_the_remedy(store, tmp_path):
    copy = shutil.copytree(store.folder, tmp_path / "store")
    index = copy / "store.index"
    index.write_bytes(index.read_bytes()[:-1])
    with pytest.raises(ValueError, match=r"store\.index: is damaged; remove the file"):
        wb.Store(copy)
    index.unlink()
    assert (wb.Store(copy)["bank"] == store["bank"]).all()


def test_a_missing_word_is_a_key_error_with_a_suggestion(store):
    with pytest.raises(KeyError, match="spring"):
        store["sprin"]


def test_a_cloud_is_a_read_only_view_of_the_file(store):
    assert np.shares_memory(store["bank"], store["bank"])
    with pytest.raises(ValueError, match="read-only"):
        store["bank"][0] = 1


def test_a_view_keeps_the_store_open(store):
    opened = wb.Store(store.folder)
    rows = opened["bank"]
    expected = rows.copy()
    del opened
    gc.collect()
    assert (rows == expected).all()


def test_words_documents_and_occurrences(store):
    assert store.words["frequency"].tolist() == [1000, 900, 800, 700, 600, 500]
    assert store.words["rows"].tolist() == [60] * 6
    assert len(np.unique(store.documents("bank"))) == 20
    first = store.occurrences("cell")[7]
    assert first["document"] == "document 7"
    assert first["text"][first["start"] : first["end"]] == "cell"
    assert store.settings["model"] == "random"


def test_a_cloud_knows_its_documents(store):
    cloud = store.cloud("bank")
    assert cloud.name == "bank" and cloud.origin == store.folder
    assert np.asarray(cloud).base is not None
    assert len(cloud.blocks) == len(cloud) == 60
    assert store.cloud("bank", blocks="none").blocks is None
    with pytest.raises(ValueError, match="'document' or 'none'"):
        store.cloud("bank", blocks="row")


def test_info_is_that_of_the_program(store, printed):
    assert store.info().to_dict() == printed("info", store.folder)
    assert store.info().words == 6
    assert "6 words" in repr(store.info())


def test_export_writes_what_numpy_reads(store, tmp_path):
    store.export(tmp_path / "some.npz", words=["tree", "bank", "tree"])
    with np.load(tmp_path / "some.npz") as clouds:
        assert sorted(clouds) == ["bank", "tree"]
        assert (clouds["bank"] == store["bank"]).all()


def test_a_store_is_made_of_arrays_alone(tmp_path):
    made = wb.Store.create(tmp_path / "a.store", {"b": np.eye(3), "a": [[1, 2, 3], [3, 2, 1]]})
    assert list(made) == ["a", "b"]
    assert made["a"].tolist() == [[1, 2, 3], [3, 2, 1]]
    assert made.documents("a") is None
    assert made.occurrences("b")[0]["text"] == "b"


def test_contexts_are_texts_dicts_or_tuples_and_spans_are_found(tmp_path):
    given = ["a bank, the bank", {"text": "Banks"}, {"text": "The bank", "document": "d"}, ("e", "bank bank", 5, 9)]
    made = wb.Store.create(tmp_path / "a.store", {"bank": np.eye(4)}, contexts={"bank": given})
    rows = made.occurrences("bank")
    assert [row["text"] for row in rows] == ["a bank, the bank", "Banks", "The bank", "bank bank"]
    assert [(row["start"], row["end"]) for row in rows] == [(2, 6), (0, 5), (4, 8), (5, 9)]
    assert [row["document"] for row in rows] == ["", "", "d", "e"]


def test_contexts_may_be_the_occurrences_of_another_store(store, tmp_path):
    given = {"bank": store.occurrences("bank")}
    made = wb.Store.create(tmp_path / "a.store", {"bank": store["bank"]}, contexts=given)
    assert [row["text"] for row in made.occurrences("bank")] == [row["text"] for row in given["bank"]]
    assert (made.documents("bank") == store.documents("bank")).all()


def test_contexts_may_be_the_rows_of_a_table(tmp_path):
    table = np.array([("d", "a bank", 2, 6), ("e", "bank", 0, 4)], dtype=object)
    made = wb.Store.create(tmp_path / "a.store", {"bank": np.eye(2)}, contexts={"bank": table})
    assert [row["text"] for row in made.occurrences("bank")] == ["a bank", "bank"]
    assert [row["start"] for row in made.occurrences("bank")] == [2, 0]


@pytest.mark.parametrize(
    ("clouds", "more", "message"),
    [
        ({}, {}, "no clouds"),
        ({"a": [1, 2]}, {}, "1 axes"),
        ({"a": np.eye(3), "b": np.eye(4)}, {}, "4 dimensions; expected 3"),
        ({"a": np.eye(3)}, {"contexts": {"a": []}}, "has 0; expected 3"),
        ({"a": np.eye(3)}, {"contexts": {"b": []}}, "'b' has no cloud"),
        ({"a": np.full((2, 2), np.nan)}, {}, "a"),
        ({"a": np.eye(3)}, {"contexts": {"a": [("d", "text", 0, 9)] * 3}}, "text"),
        ({"a": np.eye(3)}, {"contexts": {"a": ["a", "a", 7]}}, "'a', row 2 is 7; expected a text"),
        ({"a": np.eye(3)}, {"contexts": {"a": [("d", "text", 0)] * 3}}, "row 0 is .*; expected a text"),
        ({"a": np.eye(3)}, {"contexts": {"a": [{"document": "d"}] * 3}}, "row 0: 'text' is None; expected a string"),
        ({"a": np.eye(3)}, {"contexts": {"a": [{"text": "a", "end": 1}] * 3}}, "the span None to 1; expected both"),
        (
            {"a": np.eye(3)},
            {"contexts": {"a": [("d", "a", -1, 1)] * 3}},
            "row 0: 'start' is -1; expected a number from",
        ),
        (
            {"a": np.eye(3)},
            {"contexts": {"a": [("d", "a", 1, 0)] * 3}},
            "the span 1 to 0; expected a start .* the 1 char",
        ),
        ({"a": np.eye(3)}, {"contexts": {"a": [("d", "see a", 2, 2)] * 3}}, "row 0: has the span 2 to 2; expected"),
        (
            {"a": np.eye(3)},
            {"contexts": {"a": [{"text": "a", "span": [0, 1]}] * 3}},
            "row 0: has the key 'span'; expected",
        ),
        ({"a": [[1, 2], [0, 0]]}, {}, '"a": has zeros only, as float32, in row 1'),
        ({"a": [[1e-60, 0], [1, 1]]}, {}, '"a": has zeros only, as float32, in row 0'),
        ({"a": np.ones((1, 65537))}, {}, "65537 dimensions; at most 65536"),
        ({"__metadata__": np.eye(3)}, {}, '"__metadata__", which no array'),
        ({"a": np.eye(3)}, {"contexts": {"a": ["\ud800"] * 3}}, "row 0: 'text' is .*surrogate pair"),
        ({"a\ud800": np.eye(3)}, {}, "surrogate pair"),
        ({"a": [[1, 2], [3]]}, {}, "'a': .*inhomogeneous"),
        ({"a": np.ma.array(np.eye(3), mask=np.eye(3))}, {}, "'a': some of its values are masked"),
        ({"a": np.eye(3)}, {"frequencies": {"a": 2**60}}, '"a": has a frequency of 1152921504606846976; at most'),
        ({"a": np.eye(3)}, {"frequencies": {"a": -1}}, "frequencies: 'a' is -1"),
        ({"a": np.eye(3)}, {"settings": {1: "a", "1": "b"}}, 'the setting "1" is given twice'),
    ],
)
def test_what_cannot_be_stored_is_a_value_error(tmp_path, clouds, more, message):
    with pytest.raises(ValueError, match=message):
        wb.Store.create(tmp_path / "x.store", clouds, **more)
    assert not (tmp_path / "x.store").exists()


@pytest.mark.parametrize(
    ("clouds", "more", "message"),
    [
        ({1: np.eye(3)}, {}, "a word is 1; expected a string"),
        ([("a", np.eye(3))], {}, "clouds: is a list; expected a dict"),
        ({"a": np.eye(3) * 1j}, {}, "'a': its elements are complex128"),
        ({"a": np.eye(3)}, {"contexts": {"a": "abc"}}, "'a' has a str; expected a list"),
        ({"a": np.eye(3)}, {"contexts": {"a": [("d", "text", 0.5, 1)] * 3}}, "row 0: 'start' is 0.5; expected a whole"),
    ],
)
def test_what_is_of_another_type_is_a_type_error(tmp_path, clouds, more, message):
    with pytest.raises(TypeError, match=message):
        wb.Store.create(tmp_path / "x.store", clouds, **more)
    assert not (tmp_path / "x.store").exists()


def test_a_frame_of_contexts_is_refused_rather_than_its_columns_taken_for_texts(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": ["a bank", "the bank"], "document": ["d", "e"]})
    with pytest.raises(TypeError, match="'bank' has a DataFrame; expected a list of its rows"):
        wb.Store.create(tmp_path / "a.store", {"bank": np.eye(2)}, contexts={"bank": frame})
    rows = frame.to_dict("records")
    made = wb.Store.create(tmp_path / "a.store", {"bank": np.eye(2)}, contexts={"bank": rows})
    assert [row["text"] for row in made.occurrences("bank")] == ["a bank", "the bank"]


def test_what_pandas_has_for_missing_is_missing(tmp_path):
    given = [{"document": np.nan, "text": "a bank", "start": np.nan, "end": np.nan}, ("d", "bank", 0.0, 4.0)]
    made = wb.Store.create(tmp_path / "a.store", {"bank": np.eye(2)}, contexts={"bank": given})
    found = [(row["document"], row["start"], row["end"]) for row in made.occurrences("bank")]
    assert found == [("", 2, 6), ("d", 0, 4)]


def test_an_interrupted_store_leaves_nothing(tmp_path):
    folder = tmp_path / "a.store"
    clouds = {f"word {i}": np.ones((2000, 500), np.float32) for i in range(40)}
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(0.05, signal.raise_signal, [signal.SIGINT]).start()
        wb.Store.create(folder, clouds)
        time.sleep(1)  # where it was too fast
    assert not folder.exists() or len(wb.Store(folder)) == len(clouds)  # where it came too late


def test_other_keys_than_words_are_missing(store):
    assert store.get(3, "none") == "none" and "\ud800" not in store
    with pytest.raises(KeyError, match="3 is no word"):
        store[3]


def test_a_store_that_is_there_is_not_overwritten(store):
    with pytest.raises(ValueError, match="store"):
        wb.Store.create(store.folder, {"a": np.eye(3)})


@pytest.mark.parametrize("ending", ["npz", "safetensors"])
def test_what_is_exported_can_be_loaded(store, tmp_path, ending):
    store.export(tmp_path / f"all.{ending}")
    clouds = wb.load(tmp_path / f"all.{ending}")
    assert list(clouds) == list(store)
    assert all((clouds[word].array == store[word]).all() for word in store)


def test_files_of_every_element_are_loaded(tmp_path):
    data = PROJECT / "tests" / "data" / "store"
    assert wb.load(data / "f4_c_v1.npy")["f4_c_v1"].array.ndim == 2
    for name, cloud in wb.load(data / "bf16.safetensors").items():
        assert cloud.array.dtype == np.float32 and np.isfinite(cloud.array).all(), name
    (tmp_path / "bad.safetensors").write_bytes(b"1234")
    for path, message in (
        (tmp_path / "bad.safetensors", "not a .safetensors file"),
        (tmp_path / "x.csv", "ends in .npy"),
        (data / "types.safetensors", "I64"),
    ):
        with pytest.raises(ValueError, match=message):
            wb.load(path)


@pytest.mark.skipif(not hasattr(wb, "test"), reason="this build has no test")
@pytest.mark.parametrize(
    "options", [{}, {"statistic": "plain", "permutations": 500}, {"statistic": "robust", "seed": 4}]
)
def test_a_test_of_two_words_is_the_program_s(store, printed, options):
    found = store.test("bank", "tree", **options).to_dict()
    expected = printed("test", f"{store.folder}:bank", f"{store.folder}:tree", *flags(options))
    for name in ("p", "T", "effect", "standard_error", "exceedances", "permutations", "blocks_x", "x", "y"):
        assert found[name] == expected[name], name


def test_views_leave_no_references(store):
    opened = wb.Store(store.folder)
    before = sys.getrefcount(opened._core)
    views = [opened["bank"] for _ in range(100)]
    meanwhile = sys.getrefcount(opened._core)
    del views
    table = opened.rank().words
    streams = [table.__arrow_c_stream__() for _ in range(100)]
    del streams, table
    gc.collect()
    after = sys.getrefcount(opened._core)
    assert (meanwhile, after) == (before + 100, before)


def test_nothing_optional_is_imported_and_nothing_leaks(store):
    code = f"""
import sys, wordbreadth as wb
store = wb.Store({store.folder!r})
ranking = store.rank()
others = store.concordance("bank"), store.modes("bank"), store.by_size("bank"), store.compare(store)
kept = [ranking.words["breadth"], store["bank"], ranking.to_dict(), repr(ranking), store.words.__arrow_c_stream__()]
loaded = {{"pandas", "pyarrow", "matplotlib", "tqdm", "polars"}} & set(sys.modules)
assert not loaded, loaded
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
