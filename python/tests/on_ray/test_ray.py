"""Jobs on a Ray cluster of several nodes, some of which are killed meanwhile: the results are those without Ray."""

from __future__ import annotations

import inspect
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from clusters import two_nodes
from ray.cluster_utils import Cluster
from stores import bytes_of, without_times

import wordbreadth as wb
import wordbreadth.ray

GIGABYTE = 2**30
NODE = {"num_cpus": 1, "object_store_memory": 2**27, "memory": 4 * GIGABYTE}


@pytest.fixture(scope="module")
def nodes() -> Iterator[Cluster]:
    with two_nodes(NODE) as cluster:
        yield cluster


def kill_a_node(cluster: Cluster) -> None:
    """By SIGKILL, with everything that runs on it."""
    cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)


class Watched:
    """A job on a thread, and how far it is."""

    def __init__(self, job: Callable[..., Any], *arguments: Any, **options: Any) -> None:
        self.done = 0.0
        self._result: Any = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(job, arguments, options))
        self._thread.start()

    def _run(self, job: Callable[..., Any], arguments: tuple, options: dict) -> None:
        try:
            self._result = job(*arguments, progress=self._report, **options)
        except BaseException as error:
            self._error = error

    def _report(self, done: float) -> None:
        self.done = done

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        while self._thread.is_alive() and not is_so():
            time.sleep(0.02)
        assert self._thread.is_alive(), f"ended too soon: {self._error}"

    def result(self) -> Any:
        self._thread.join(timeout=120)
        assert not self._thread.is_alive(), "still running"
        if self._error:
            raise self._error
        return self._result


def test_a_calibration_survives_the_death_of_a_node(nodes, store):
    options = {"count": 400, "permutations": 999, "complete": True, "seed": 3}
    job = Watched(wordbreadth.ray.calibrate, store, **options)
    job.wait_until(lambda: job.done > 0)
    kill_a_node(nodes)
    found = job.result()
    nodes.add_node(**NODE)
    assert without_times(found.to_dict()) == without_times(store.calibrate(**options).to_dict())


def takes_parts(function: Callable[..., Any]) -> Any:
    return pytest.mark.skipif(
        "part" not in inspect.signature(function).parameters, reason=f"{function.__name__} has no parts in this build"
    )


@takes_parts(wb.pairs)
def test_pairs_survive_the_death_of_a_node(nodes, tmp_path):
    random = np.random.default_rng(1)
    clouds = {f"word {i}": random.normal(size=(40, 32)) + 1 for i in range(50)}
    store = wb.Store.create(tmp_path / "many.store", clouds)
    job = Watched(wordbreadth.ray.pairs, store, tmp_path / "pairs", permutations=5000)
    job.wait_until(lambda: (tmp_path / "pairs").exists() and any((tmp_path / "pairs").iterdir()))
    kill_a_node(nodes)
    found = job.result()
    nodes.add_node(**NODE)
    assert without_times(found.to_dict()) == without_times(wb.pairs(store, permutations=5000).to_dict())


@takes_parts(wb.extract)
def test_an_extraction_survives_the_death_of_a_node(nodes, model, corpus, tmp_path):
    random = np.random.default_rng(5)
    lines = Path(corpus).read_text().splitlines()
    files = [tmp_path / f"{i}.txt" for i in range(4)]
    for file in files:
        file.write_text("\n".join(" ".join(random.permutation(line.split())) for line in lines * 5))
    options = {"min_count": 20, "max_tokens": 32, "per_word": 0, "shard_tokens": 1000}
    job = Watched(wordbreadth.ray.extract, model, files, tmp_path / "ray.store", **options)
    job.wait_until(lambda: any((tmp_path / "ray.store" / "shards").glob("*")))
    kill_a_node(nodes)
    found = job.result()
    nodes.add_node(**NODE)
    alone = wb.extract(model, files, tmp_path / "alone.store", **options)
    assert list(found) == list(alone)
    assert bytes_of(tmp_path / "ray.store") == bytes_of(tmp_path / "alone.store")


def test_the_layer_is_the_one_that_is_open(nodes, model, corpus, tmp_path):
    # Without layer 1, the default of this model: one has to be named.
    options = {"layer": [0, 2], "min_count": 20, "max_tokens": 32}
    made = wordbreadth.ray.extract(model, corpus, tmp_path / "layers.store", **options)
    assert (made.layers, made.layer, made.summary.words) == (["0", "2"], "2", len(made))
    store = wb.Store(made.folder, layer=0)
    found = wordbreadth.ray.pairs(store, tmp_path / "pairs", permutations=99)
    assert without_times(found.to_dict()) == without_times(wb.pairs(store, permutations=99).to_dict())
    options = {"count": 20, "permutations": 99}
    found = wordbreadth.ray.calibrate(store, **options)
    assert without_times(found.to_dict()) == without_times(store.calibrate(**options).to_dict())


def test_errors_are_those_of_the_library(nodes, store):
    with pytest.raises(ValueError, match="calibration") as raised:
        wordbreadth.ray.calibrate(store, common_size=3)
    assert "\n" not in str(raised.value)
    with pytest.raises(TypeError, match="permutation"):
        wordbreadth.ray.calibrate(store, permutation=99)
    with pytest.raises(ValueError, match="device = 'cuda:1'; each worker has one GPU"):
        wordbreadth.ray.calibrate(store, device="cuda:1")
