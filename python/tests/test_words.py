"""rank, compare, triage: what they return is what the program prints, bit for bit."""

from __future__ import annotations

import re

import numpy as np
import pytest
from stores import flags, without_times

import wordbreadth as wb


def test_lists_of_words_may_be_files(store, printed, tmp_path):
    (tmp_path / "words.txt").write_text("bank\ntree\ncell\n")
    (tmp_path / "stop.txt").write_text("Bank\n")
    printed = printed("rank", store.folder, "--words", tmp_path / "words.txt", "--stop-words", tmp_path / "stop.txt")
    assert store.rank(words=tmp_path / "words.txt", stop_words=["Bank"]).to_dict() == printed
    assert store.rank(stop_words="english").filtered == {}


def test_a_ranking_has_plain_values(store):
    ranking = store.rank(by="v", seed=3)
    assert (ranking.by, ranking.seed, ranking.blocks, ranking.common_size) == ("v", 3, "document", 60)
    assert ranking.words["word"][0] == "thing"
    assert len(ranking.left_out) == 0
    with pytest.raises(AttributeError):
        ranking.seed = 4


def test_a_comparison_has_plain_values(store, other):
    comparison = store.compare(other.folder)
    assert comparison.names == ("news.store", "law.store")
    assert (comparison.only_a, comparison.only_b) == (1, 1)
    assert comparison.statistic == "blocks"
    assert np.isfinite(comparison.median_effect)
    assert comparison.words["word"][0] == "cell"


def test_stores_that_differ_are_compared_only_by_force(store, tmp_path):
    made = wb.Store.create(tmp_path / "b.store", dict(store), settings={"model": "another"})
    with pytest.raises(ValueError, match="model"):
        store.compare(made)
    assert "model" in store.compare(made, force=True).forced


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"alpha": 0.2, "adjust": "by", "lines": 1, "concordances": 2},
        {"blocks": "none", "permutations": 500},
        {"common_size": 25, "seed": 5},
    ],
    ids=str,
)
def test_a_triage_is_the_program_s(store, printed, tmp_path, options):
    (tmp_path / "references.txt").write_text("tree\nplant\noboe\n")
    printed = printed("triage", store.folder, "--reference", tmp_path / "references.txt", *flags(options))
    found = store.triage(["tree", "plant", "oboe"], **options)
    assert without_times(found.to_dict()) == without_times(printed)
    assert found.missing["word"].tolist() == ["oboe"]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda store: store.rank(by="size"), ValueError, "by = 'size'; expected 'breadth', 'v' or 'frequency'"),
        (lambda store: store.rank(common_size=-1), ValueError, "common_size = -1; expected a whole number from 0"),
        (lambda store: store.rank(common_size=1.5), TypeError, "common_size = 1.5"),
        (lambda store: store.rank(common_size=1), ValueError, "common size"),
        (lambda store: store.rank("oboe"), ValueError, "oboe"),
        (lambda store: store.rank("bank", neighbours=-1), ValueError, "neighbours = -1"),
        (lambda store: store.concordance("bank", sort="size"), ValueError, "'influence' or 'spread'"),
        (lambda store: store.concordance("bank").to_html("x.html"), TypeError, "has no page"),
        (lambda store: store.rank().to_html("/nowhere/x.html"), FileNotFoundError, "nowhere"),
        (lambda store: store.compare(store, adjust="fdr"), ValueError, "'bh', 'by', 'holm', 'maxT' or 'none'"),
        (lambda store: store.compare(store, blocks="document", statistic="plain"), ValueError, "not both"),
        (lambda store: store.compare(store, names=("a",)), ValueError, "expected two"),
        (lambda store: store.compare(store, device="tpu"), ValueError, "tpu"),
        (lambda store: store.compare(3), TypeError, "found 3; expected a store or its path"),
        (lambda store: store.triage(["oboe"]), ValueError, "oboe|reference"),
        (lambda store: store.rank(words=[]), ValueError, "words: the list has no word"),
        (lambda store: store.calibrate(alpha=[]), ValueError, "alpha: there is none"),
        (lambda store: store.calibrate(alpha=2), ValueError, "alpha = 2.0*; expected a number between 0 and 1"),
        (lambda store: store.calibrate(count=0), ValueError, "count = 0"),
        (lambda store: store.gap_pairs(0), ValueError, "a gap of 0 is a word and itself"),
        (lambda store: wb.pairs(store, common_size=-1), ValueError, "common_size = -1"),
    ],
)
def test_bad_options_say_what_was_expected(store, call, error, message):
    with pytest.raises(error, match=message):
        call(store)


def test_numpy_s_numbers_are_numbers(store):
    assert store.rank(common_size=np.int64(20), seed=np.uint8(1)).common_size == 20


def test_a_page_says_how_to_make_it_again(store, other, tmp_path):
    path = tmp_path / "compare.html"
    store.compare(other, names=("A", "B"), permutations=200).to_html(path)
    page = path.read_text()
    assert "volcano" in page.lower()
    again = re.search(r"<pre><code>(.*?)</code></pre>", page, re.S)[1].replace("&#39;", "'")
    path.unlink()
    exec(again, {})
    assert re.sub(r"[0-9.]+ m?s\b", "", path.read_text()) == re.sub(r"[0-9.]+ m?s\b", "", page)
    assert "sha256 of" in page and "from Python" in page


def test_pages_of_rank_and_triage(store, tmp_path):
    store.rank().to_html(tmp_path / "rank.html", progress=False)
    store.triage(["tree"]).to_html(tmp_path / "triage.html")
    assert "Why words are broad" in (tmp_path / "rank.html").read_text()
    with pytest.raises(ValueError, match=".html"):
        store.rank().to_html(tmp_path / "rank.txt")


def test_people_read_what_the_program_prints(store, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    assert "ranks: 95% intervals for all words at once" in repr(store.rank())
    assert "<table>" in store.rank()._repr_html_()
