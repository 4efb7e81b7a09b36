"""Stores of several layers: what the package finds beside the program and beside numpy."""

from __future__ import annotations

import numpy as np
import pytest

import wordbreadth as wb

LAYERS = ["1", "2"]
FORMS = {"is", "flows"}  # of other lemmas


@pytest.fixture(scope="module")
def folder(model, corpus, tmp_path_factory) -> str:
    out = str(tmp_path_factory.mktemp("layers") / "layers.store")
    wb.extract(model, corpus, out, layer=[1, 2], min_count=20, max_tokens=32, progress=False)
    return out


@pytest.fixture(scope="module")
def wordnet() -> wb.WordNet:
    try:
        return wb.WordNet()
    except FileNotFoundError as error:
        pytest.skip(str(error))


def ranks(values: np.ndarray) -> np.ndarray:
    """Those of equal values are the mean of theirs."""
    ordered = np.sort(values)
    return (np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right") - 1) / 2


def residuals(values: np.ndarray, given: np.ndarray) -> np.ndarray:
    return values - np.polyval(np.polyfit(given, values, 1), given)


def test_correlations_are_those_of_numpy(folder, wordnet):
    found = wb.Store(folder, layer=1).compare_layers(wordnet=wordnet, blocks="none", count=20, progress=False)
    stores = [wb.Store(folder, layer=int(layer)) for layer in LAYERS]
    breadths = {}
    for layer, store in zip(LAYERS, stores, strict=True):
        breadths[layer] = np.array([wb.breadth(store[word]).breadth for word in store])
    expected = np.corrcoef(*(ranks(breadths[layer]) for layer in LAYERS))[0, 1]
    np.testing.assert_allclose(found.correlations["layer_2"][0], expected, rtol=0, atol=1e-12)
    described = {row["word"]: row["frequency"] for row in stores[0].words}
    senses = np.array([wordnet.senses(word).all for word in stores[0]])
    lemmas = (senses > 0) & [word not in FORMS for word in stores[0]]
    assert found.lemmas == lemmas.sum() >= 10
    senses = ranks(senses[lemmas])
    frequency = ranks(np.array([described[word] for word in stores[0]], dtype=float)[lemmas])
    for row, layer in enumerate(LAYERS):
        mine = residuals(ranks(breadths[layer][lemmas]), frequency)
        expected = np.corrcoef(mine, residuals(senses, frequency))[0, 1]
        np.testing.assert_allclose(found.layers["senses"][row], expected, rtol=0, atol=1e-12)


def test_the_program_finds_the_same(folder, wordnet, printed):
    theirs = printed("calibrate", folder, "--count", 30, "--seed", 4)
    ours = wb.Store(folder, layer=2).compare_layers(count=30, seed=4, progress=False)
    assert ours.to_dict() == theirs
    assert ours.reference == "1"  # one third up, of 3


def test_another_store_is_opened_at_the_same_layer(folder):
    options = {"permutations": 99, "progress": False}
    for layer in LAYERS:
        store = wb.Store(folder, layer=layer)
        found = store.compare(folder, **options)
        assert found.to_dict()["results"] == store.compare(store, **options).to_dict()["results"]


def test_parts_of_layers_without_the_default_are_merged(model, corpus, tmp_path):
    out = tmp_path / "parts.store"
    options = {"layer": [0, 2], "min_count": 20, "max_tokens": 32, "progress": False}
    wb.extract(model, corpus, out, plan_only=True, **options)
    for part in (1, 2), (2, 2):
        wb.extract(out=out, resume=True, part=part, progress=False)
    for merged in wb.merge(out), wb.merge(out), wb.extract(model, corpus, tmp_path / "whole.store", **options):
        assert (merged.layers, merged.layer) == (["0", "2"], "2")


def test_layers_may_be_given_as_anything_that_lists_them(model, corpus, tmp_path):
    options = {"min_count": 20, "max_tokens": 32, "progress": False}
    for i, layers in enumerate((range(1, 3), np.array([2, 1]), {1, 2})):
        assert wb.extract(model, corpus, tmp_path / str(i), layer=layers, **options).layers == LAYERS
    with pytest.raises(ValueError, match=r"several layers are a list, such as \[2, 4, 6\]"):
        wb.extract(model, corpus, tmp_path / "x", layer=(0, 1, 2), **options)
    with pytest.raises(TypeError, match="found None; expected a layer such as 4"):
        wb.extract(model, corpus, tmp_path / "x", layer=[1, None], **options)


def test_a_store_of_one_layer_is_refused(store, wordnet):
    with pytest.raises(ValueError, match="one layer only"):
        store.compare_layers(wordnet=wordnet, progress=False)
