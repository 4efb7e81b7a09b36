"""Figures: what is drawn is what the results say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys

import numpy as np
import pytest

import wordbreadth as wb

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402
from matplotlib.collections import PathCollection  # noqa: E402
from matplotlib.colors import to_hex  # noqa: E402

from wordbreadth.plot import _look  # noqa: E402
from wordbreadth.plot._clouds import on_a_plane  # noqa: E402


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def comparison(store, other):
    return store.compare(other, names=("news", "law"), progress=False)


@pytest.fixture(scope="module")
def calibration(store):
    return store.calibrate(count=20, permutations=99, power=True, progress=False)


def texts(ax) -> list[str]:
    return [text.get_text() for text in ax.texts]


def points(ax) -> np.ndarray:
    drawn = [each for each in ax.collections if isinstance(each, PathCollection)]
    return np.concatenate([np.asarray(each.get_offsets()) for each in drawn])


def rings(ax) -> list[float]:
    return [patch.radius for patch in ax.patches]


def test_matplotlib_is_imported_by_the_first_figure_only():
    code = "import sys, wordbreadth; assert 'matplotlib' not in sys.modules; assert wordbreadth.plot.volcano"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_matplotlib_a_figure_says_what_to_install(store, monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r"pip install 'wordbreadth\[plot\]'"):
        wb.plot.clouds(store["bank"], store["tree"])


@pytest.mark.parametrize("module", [module.name for module in pkgutil.iter_modules(wb.plot.__path__)])
def test_the_examples_of_figures_run(module, examples):
    imported = importlib.import_module(f"wordbreadth.plot.{module}")
    for test in doctest.DocTestFinder().find(imported):
        test.globs.update(examples)
        said: list[str] = []
        assert doctest.DocTestRunner().run(test, out=said.append).failed == 0, "".join(said)


def test_a_figure_is_drawn_on_given_axes(store, comparison, calibration):
    result = store.test("bank", "tree", null_distribution=True)
    for draw, of in (
        (wb.plot.volcano, comparison),
        (wb.plot.ranking, store.rank()),
        (wb.plot.null, result),
        (wb.plot.calibration, calibration),
    ):
        _, ax = pyplot.subplots()
        assert draw(of, ax=ax) is ax
        assert ax.get_title(loc="left")


# ---- volcano


def test_a_volcano_has_every_word_once(comparison):
    ax = wb.plot.volcano(comparison)
    assert sorted(points(ax)[:, 0]) == pytest.approx(sorted(comparison.words["effect"]))


def test_a_volcano_names_the_findings_and_shows_their_side(comparison):
    ax = wb.plot.volcano(comparison)
    assert "cell" in texts(ax)
    narrower = [drawn for drawn in ax.collections if to_hex(drawn.get_facecolor()[0]) == _look.COLOURS[2]]
    cell = comparison.words["effect"][list(comparison.words["word"]).index("cell")]
    assert cell < 0
    assert cell in np.concatenate([np.asarray(drawn.get_offsets())[:, 0] for drawn in narrower])


def test_words_that_no_permutation_exceeds_stand_in_the_band(comparison):
    ax = wb.plot.volcano(comparison)
    limited = comparison.words["exceedances"] == 0
    assert limited.any()
    band = min(patch.get_y() for patch in ax.patches)
    in_band = points(ax)[points(ax)[:, 1] > band]
    assert sorted(in_band[:, 0]) == pytest.approx(sorted(comparison.words["effect"][limited]))


def test_a_centred_volcano_shows_the_difference_from_the_median(comparison):
    ax = wb.plot.volcano(comparison, center="median")
    assert sorted(points(ax)[:, 0]) == pytest.approx(sorted(comparison.words["centered_effect"]))
    with pytest.raises(ValueError, match="'none' or 'median'"):
        wb.plot.volcano(comparison, center="mean")


def test_names_do_not_lie_over_each_other(store, tmp_path):
    random = np.random.default_rng(1)
    few = {f"word{i}": store["bank"] + random.normal(size=store["bank"].shape) for i in range(40)}
    narrow = {word: rows * 0.2 + 1 for word, rows in few.items()}
    a, b = wb.Store.create(tmp_path / "a.store", few), wb.Store.create(tmp_path / "b.store", narrow)
    ax = wb.plot.volcano(a.compare(b, permutations=500, progress=False))
    boxes = [text.get_window_extent() for text in ax.texts if text.get_text().startswith("word")]
    assert len(boxes) > 3
    assert not any(one.overlaps(two) for place, one in enumerate(boxes) for two in boxes[:place])


# ---- ranking, null, calibration


def test_a_ranking_has_the_words_in_their_order(store):
    ax = wb.plot.ranking(store.rank())
    assert [label.get_text() for label in ax.get_yticklabels()] == list(store.rank().words["word"])
    assert points(ax)[:, 0] == pytest.approx(store.rank().words["breadth"])


def test_a_long_ranking_is_shown_by_its_ends(store):
    ax = wb.plot.ranking(store.rank(), ends=2)
    words = list(store.rank().words["word"])
    assert [label.get_text() for label in ax.get_yticklabels()] == words[:2] + words[-2:]
    assert "2 more" in texts(ax)


def test_extreme_permutations_have_another_colour(store):
    result = store.test("bank", "spring", null_distribution=True, alternative="greater")
    ax = wb.plot.null(result)
    for bar in ax.patches:
        middle = bar.get_x() + bar.get_width() / 2
        assert to_hex(bar.get_facecolor()) == _look.COLOURS[int(middle >= result.statistic)]
    assert sum(bar.get_height() for bar in ax.patches) == result.permutations


def test_a_result_without_its_null_distribution_says_how_to_keep_it(store):
    with pytest.raises(ValueError, match="null_distribution=True"):
        wb.plot.null(store.test("bank", "tree"))


def test_a_calibration_has_a_point_for_each_rate(calibration):
    rows = [row for row in calibration.table if row["alpha"] == 0.05]
    level = wb.plot.calibration(calibration)
    assert sorted(points(level)[:, 0]) == pytest.approx(sorted(r["rate"] for r in rows if r["pairs"] != "mixtures"))
    power = wb.plot.calibration(calibration, show="power")
    mixtures = [row for row in rows if row["pairs"] == "mixtures"]
    sizes = list(dict.fromkeys((row["n"], row["m"]) for row in mixtures))[:2]
    shown = [row["rate"] for row in mixtures if (row["n"], row["m"]) in sizes]
    assert sorted(points(power)[:, 1]) == pytest.approx(sorted(shown))
    with pytest.raises(ValueError, match="one of"):
        wb.plot.calibration(calibration, alpha=0.2)


def test_power_is_drawn_where_it_was_measured(store):
    with pytest.raises(ValueError, match="power=True"):
        wb.plot.calibration(store.calibrate(count=10, permutations=99, progress=False), show="power")


# ---- clouds


def test_distances_on_the_plane_are_angles(store):
    x, y = (rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (store["bank"], store["tree"]))
    plane_x, plane_y, between = on_a_plane(x, y)
    means = []
    for rows, plane in ((x, plane_x), (y, plane_y)):
        means.append(rows.mean(0) / np.linalg.norm(rows.mean(0)))
        assert np.linalg.norm(plane, axis=1) == pytest.approx(np.degrees(np.arccos(rows @ means[-1])), abs=1e-4)
    assert np.cos(np.radians(between)) == pytest.approx(means[0] @ means[1], abs=1e-6)


def test_a_broader_cloud_has_a_wider_ring_and_alignment_keeps_it(store):
    before, after = wb.plot.clouds(store.cloud("thing"), store.cloud("tree"))
    assert rings(before)[0] > rings(before)[1]
    assert rings(before) == pytest.approx(rings(after))
    assert [patch.center for patch in after.patches] == [(0, 0), (0, 0)]


def test_clouds_are_called_by_their_names(store):
    before, _ = wb.plot.clouds(store.cloud("bank"), store["tree"])
    assert [text.get_text() for text in before.get_legend().get_texts()] == ["bank", "y"]


@pytest.mark.parametrize(("bad", "message"), [(np.ones(3), "1 axes"), (np.zeros((3, 8)), "without a direction")])
def test_what_is_no_cloud_is_a_value_error(store, bad, message):
    with pytest.raises(ValueError, match=message):
        wb.plot.clouds(store["bank"], bad)


def test_torch_tensors_are_clouds(store):
    torch = pytest.importorskip("torch")
    tensor = torch.tensor(store["bank"].copy(), dtype=torch.bfloat16, requires_grad=True)
    wb.plot.clouds(tensor, store["tree"])
