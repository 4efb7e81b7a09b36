"""One word, and how far tests can be trusted: results are the program's, bit for bit."""

from __future__ import annotations

import pickle
import re
import subprocess

import numpy as np
import pytest
from stores import files_of, flags, make_wordnet, without_times

import wordbreadth as wb
from wordbreadth import _core

SMALL_STUDY = {"gaps": [1, 2], "additional_gaps": [3], "permutations": 199, "additional_permutations": 99, "seed": 5}


@pytest.fixture(scope="session")
def wordnet(tmp_path_factory) -> wb.WordNet:
    return wb.WordNet(make_wordnet(tmp_path_factory.mktemp("wordnet") / "dict"))


def test_wordnet_counts_senses(wordnet):
    assert wordnet["bank"] == (10, 0, 0, 0)
    assert wordnet.senses("Trees").all == 3
    assert wordnet["oboe"].all == 0


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"sort": "influence", "count": 5},
        {"sort": "spread", "count": 4, "seed": 2},
        {"sort": "left"},
        {"sort": "right"},
    ],
    ids=str,
)
def test_a_concordance_is_the_program_s(store, printed, options):
    found = store.concordance("bank", **options)
    assert found.to_dict() == printed("contexts", store.folder, "bank", *flags(options))
    assert found.word == "bank" and found.rows == 60
    assert "of the 60 rows of bank" in repr(found)


@pytest.mark.parametrize("options", [{}, {"count": 2, "seed": 3}], ids=str)
def test_modes_are_the_program_s(store, printed, options):
    found = store.modes("thing", **options)
    assert found.to_dict() == printed("contexts", store.folder, "thing", "--modes", *flags(options))
    assert found.responsibilities.shape == (60, len(found.modes))
    assert np.allclose(found.responsibilities.sum(axis=1), 1)
    assert sorted(row for rows in found.rows for row in rows) == list(range(60))
    assert len(found.lines(0)) == options.get("count", 5)
    with pytest.raises(IndexError):
        found.lines(len(found.modes))


def test_a_word_without_modes_says_why(tmp_path):
    made = wb.Store.create(tmp_path / "few.store", {"few": np.eye(4)})
    assert "rows" in made.modes("few").undefined
    assert made.modes("few").spread is None


@pytest.mark.parametrize("options", [{}, {"blocks": "none", "seed": 4}], ids=str)
def test_sizes_are_the_program_s(store, printed, tmp_path, options):
    found = store.by_size("bank", **options)
    assert found.to_dict() == printed("breadth", f"{store.folder}:bank", "--by-size", *flags(options))
    assert set(found.enough) == {0.1, 0.05}
    found.to_html(tmp_path / "size.html")


@pytest.mark.parametrize(
    "options",
    [
        {"permutations": 300},
        {"permutations": 300, "rank_by": "frequency", "count": 2, "adjust": "maxT"},
        {"permutations": 200, "cross_fit": True, "blocks": "none", "seed": 3, "alternative": "greater"},
        {"permutations": 200, "equivalence": 1.5, "tail_estimate": True, "common_size": 40, "adaptive": 10},
    ],
    ids=str,
)
def test_pairs_by_gap_are_the_program_s(store, printed, options):
    found = store.gap_pairs([2, 1], **options)
    expected = printed("pairs", store.folder, "--gap", "1,2", *flags(options), check=False)
    assert without_times(found.to_dict()) == without_times(expected)
    assert found.words == 6
    assert [gap["gap"] for gap in found.gaps] == [1, 2]


def test_a_calibration_in_steps_on_several_processes_is_the_same(store):
    options = {"count": 20, "permutations": 99, "power": True}
    numbers = range(_core.calibration_steps(store._core, options))
    found = {number: _core.calibrate_steps(store._core, options, [number], None) for number in reversed(numbers)}
    steps = pickle.loads(pickle.dumps([found[number] for number in numbers]))
    whole = store.calibrate(**options)
    assert len(steps) == 26
    assert _core.calibration_of(store._core, options, steps).json() == whole.to_dict()


def test_a_calibration_has_a_picture_and_a_page(store, tmp_path):
    found = store.calibrate(count=20, permutations=99)
    found.to_svg(tmp_path / "rates.svg")
    found.to_html(tmp_path / "calibration.html")
    assert (tmp_path / "rates.svg").read_text().startswith("<?xml") or "<svg" in (tmp_path / "rates.svg").read_text()
    assert found.recommended is None or len(found.recommended) == 2
    assert "align='householder', statistic=" in " ".join(repr(found).split())
    for text in (repr(found), (tmp_path / "calibration.html").read_text().split("<main")[1].split("</main>")[0]):
        assert not re.search(r"--(align|statistic)", text)
    assert {"power", "power_low", "power_high"} <= set(found.methods.keys())


def test_a_triage_by_senses_is_the_program_s(store, printed, wordnet, tmp_path):
    (tmp_path / "references.txt").write_text("tree\nbank\n")
    expected = printed(
        "triage",
        store.folder,
        "--reference",
        tmp_path / "references.txt",
        "--match-senses",
        "--wordnet",
        wordnet.folder,
    )
    found = store.triage(["tree", "bank"], match_senses=wordnet)
    assert without_times(found.to_dict()) == without_times(expected)
    assert found.matched_by_senses


@pytest.mark.parametrize(
    "more",
    [{}, {"paper": True}, {"paper": True, "halves": "common", "additional_rank_by": "v"}, {"pair": ("bank", "tree")}],
)
def test_a_study_is_the_program_s(store, other, printed, wordnet, tmp_path, more):
    study = store.experiment(other, wordnet=wordnet, **SMALL_STUDY, **more)
    study.write(tmp_path / "ours")
    subprocess.run(
        [
            printed.path,
            "experiment",
            store.folder,
            other.folder,
            "--wordnet",
            wordnet.folder,
            "--out",
            str(tmp_path / "theirs"),
            *flags(SMALL_STUDY | more),
        ],
        check=True,
        capture_output=True,
    )
    assert files_of(tmp_path / "ours") == files_of(tmp_path / "theirs")
    page = (tmp_path / "ours" / "report.html").read_text()
    assert "wb.Store(" in page
    assert set(study.to_dict()) == {"settings", *study.tables}
    assert study.dimension == 8 and "Cross-fitted" in repr(study)


def test_a_study_refuses_what_it_has_no_meaning_for(store, wordnet, tmp_path):
    for wrong, error, message in [
        ({"alternative": "less"}, ValueError, "alternative = less; expected greater or two-sided"),
        ({"pair": ("bank",)}, ValueError, "pair: expected two different words"),
        ({"wordnet": wordnet.folder}, TypeError, "wordnet: is a str; expected a WordNet"),
        ({"wordnet": tmp_path}, TypeError, "expected a WordNet"),
        ({"wordnet": [wordnet, 1]}, TypeError, "wordnet: is a int; expected a WordNet"),
    ]:
        with pytest.raises(error, match=message):
            store.experiment(**SMALL_STUDY, **({"wordnet": wordnet} | wrong))
    with pytest.raises(TypeError, match="match_senses: is a str; expected a WordNet"):
        store.triage(["tree", "bank"], match_senses=wordnet.folder)


def test_a_page_of_python_has_no_record_to_verify(store, printed, tmp_path):
    store.by_size("bank").to_html(tmp_path / "size.html")
    done = subprocess.run([printed.path, "verify", str(tmp_path / "size.html")], capture_output=True, text=True)
    assert done.returncode != 0
    assert re.search("does not say how it was computed|provenance", done.stderr), done.stderr
