"""Long jobs on a Ray cluster: the same results, from the GPUs and cores of many machines.

``pip install 'wordbreadth[ray]'`` on every node; corpora, models and stores are on a file system that all nodes share.
Each function takes what the function of the same name takes without Ray, and besides:

address
    Of the cluster, as ``ray.init`` takes it; default: RAY_ADDRESS, the cluster of this machine, or a new one here.
    Where Ray is connected already, that connection is used.
workers
    Processes; default: one per GPU or, where there is none, one per ``cpus`` cores, as far as memory goes.
cpus
    Cores of each worker, which are its threads; default: those of a GPU's share, or of the smallest node.
memory
    Bytes that a worker needs, which Ray reserves on its node; default: twice the model or the clouds, and a gigabyte.
parts
    That the job is divided into; default: four per worker, of files one. A job that is continued with another number of
    workers needs the number that it had.
retries
    How often a part is repeated whose worker or node died. What it had finished is kept.
progress
    True: a bar, if tqdm is installed. False: none. Or a function that is called with the share done.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import wordbreadth
from wordbreadth import _core
from wordbreadth._calls import Call
from wordbreadth._cluster import Report, cluster
from wordbreadth._extract import Paths
from wordbreadth._progress import Progress, reporting
from wordbreadth._results import PairResults
from wordbreadth._store import Store
from wordbreadth._studies import Calibration

__all__ = ["calibrate", "extract", "pairs"]

PARTS_PER_WORKER = 4  # so that fast workers do more of them, and little waits for another when one dies
GIGABYTE = 2**30


def extract(
    model: str | os.PathLike[str] | None = None,
    corpus: Paths | None = None,
    out: str | os.PathLike[str] | None = None,
    *,
    address: str | None = None,
    workers: int | None = None,
    cpus: int | None = None,
    memory: int | None = None,
    parts: int | None = None,
    retries: int = 3,
    resume: bool = False,
    progress: Progress = True,
    **options: Any,
) -> Store:
    """:func:`wordbreadth.extract` on a Ray cluster: the same store, to the last byte.

    The files of the corpus are read in parts, and the shards of the plan embedded in parts. What is finished is kept,
    whatever ends the job: ``resume=True`` continues, with Ray or without.

    Parameters
    ----------
    model, corpus, out, resume, **options
        Those of :func:`wordbreadth.extract`.
    address, workers, cpus, memory, parts, retries, progress
        See :mod:`wordbreadth.ray`.

    Examples
    --------
    >>> import wordbreadth.ray  # doctest: +SKIP
    >>> wordbreadth.ray.extract("models/bert", "corpus/", "my.store", address="auto")  # doctest: +SKIP
    Store('my.store'): 30,522 words, 768 dimensions
    """
    if out is None:
        raise TypeError("out: expected the folder of the store")
    out = os.path.abspath(out)
    given = {"out": out, **options}
    if model is not None:
        given["model"] = os.path.abspath(model)
    if corpus is not None:
        given["corpus"] = [os.path.abspath(path) for path in _listed(corpus)]
    needs = memory if memory is not None else 2 * _bytes_of(given.get("model")) + GIGABYTE
    with _workers(address, options, workers, cpus, needs, retries) as made:
        threads = {"threads": made.size.cpus, **options}["threads"]
        if not resume:
            with reporting(progress, "planning") as report:
                made.run(
                    _plan,
                    [({**given, "threads": threads}, part) for part in _parts(parts or made.size.workers)],
                    report,
                )
                made.run(_merge, [(out,)])
        embed = {"out": out, "threads": threads, "resume": True}
        embed |= {name: options[name] for name in ("device",) if name in options}
        with reporting(progress, "embedding") as report:
            made.run(_embed, [(embed, part) for part in _parts(parts or PARTS_PER_WORKER * made.size.workers)], report)
            made.run(_merge, [(out,)])
    return wordbreadth.merge(out)  # type: ignore[return-value]  # finished: opens it, at whatever layers it has


def pairs(
    clouds: Store | str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    address: str | None = None,
    workers: int | None = None,
    cpus: int | None = None,
    memory: int | None = None,
    parts: int | None = None,
    retries: int = 3,
    progress: Progress = True,
    **options: Any,
) -> PairResults:
    """All pairs of a store on a Ray cluster, as :func:`wordbreadth.pairs` tests them in parts: the same results.

    Parameters
    ----------
    clouds
        A store, or the path of one or of a file of arrays.
    out
        The folder for what the parts find, of which :func:`wordbreadth.merge` makes the result again.
    **options
        Those of :func:`wordbreadth.pairs`.
    address, workers, cpus, memory, parts, retries, progress
        See :mod:`wordbreadth.ray`.

    Examples
    --------
    >>> wordbreadth.ray.pairs("my.store", "my.pairs", address="auto")["p_adjusted"]  # doctest: +SKIP
    array([...])
    """
    (place, layer), out = _place_of(clouds), os.path.abspath(out)
    needs = memory if memory is not None else 2 * _bytes_of(place) + GIGABYTE
    with _workers(address, options, workers, cpus, needs, retries) as made:
        given = {"threads": made.size.cpus, **options}
        numbered = _parts(parts or PARTS_PER_WORKER * made.size.workers)
        with reporting(progress, "testing") as report:
            made.run(_pairs, [(place, layer, out, given, part) for part in numbered], report)
    return wordbreadth.merge(out)


def calibrate(
    store: Store | str | os.PathLike[str],
    *,
    address: str | None = None,
    workers: int | None = None,
    cpus: int | None = None,
    memory: int | None = None,
    retries: int = 3,
    progress: Progress = True,
    **options: Any,
) -> Calibration:
    """:meth:`wordbreadth.Store.calibrate` on a Ray cluster, a kind of pairs at a time: the same result.

    Parameters
    ----------
    store
        A store, or its folder.
    **options
        Those of :meth:`wordbreadth.Store.calibrate`.
    address, workers, cpus, memory, retries, progress
        See :mod:`wordbreadth.ray`.

    Examples
    --------
    >>> wordbreadth.ray.calibrate("my.store", address="auto", power=True).recommended  # doctest: +SKIP
    ('householder', 'blocks')
    """
    place, layer = _place_of(store)
    opened = Store(place, layer=layer)
    given = inspect.signature(Store.calibrate).bind(opened, **options)
    given.apply_defaults()
    call = Call(Store.calibrate, given.arguments, opened.expression)
    steps = _core.calibration_steps(opened._core, call.options)
    needs = memory if memory is not None else 2 * _bytes_of(place) + GIGABYTE
    with _workers(address, options, workers, cpus, needs, retries) as made:
        parts = [(place, layer, {"threads": made.size.cpus, **options}, step) for step in range(steps)]
        with reporting(progress, "calibrating") as report:
            found = made.run(_calibrate, parts, report)
    return Calibration(_core.calibration_of(opened._core, call.options, found), call)


# ---- What workers run


def _plan(report: Report, given: dict[str, Any], part: tuple[int, int]) -> None:
    wordbreadth.extract(**given, plan_only=True, part=part, progress=_of_stages(report, ("reading", "collecting")))


def _embed(report: Report, given: dict[str, Any], part: tuple[int, int]) -> None:
    wordbreadth.extract(**given, part=part, progress=_of_stages(report, ("embedding",)))


def _pairs(
    report: Report, place: str, layer: str | None, out: str, given: dict[str, Any], part: tuple[int, int]
) -> None:
    clouds = place if layer is None else Store(place, layer=layer)
    wordbreadth.pairs(clouds, part=part, out=out, progress=report, **given)


def _merge(report: Report, folder: str) -> None:
    wordbreadth.merge(folder)


_stores: dict[tuple[str, str | None], Store] = {}  # that this process has opened


def _calibrate(report: Report, place: str, layer: str | None, options: dict[str, Any], step: int) -> list:
    store = _stores.get((place, layer))
    if store is None:
        store = _stores[place, layer] = Store(place, layer=layer)
    return _core.calibrate_steps(store._core, options, [step], report)


def _of_stages(report: Report, stages: tuple[str, ...]) -> Callable[[str, float, int], None]:
    def told(stage: str, done: float, units: int) -> None:
        if stage in stages:
            report((stages.index(stage) + done) / len(stages))

    return told


# ---- What they are told


def _workers(
    address: str | None, options: dict, workers: int | None, cpus: int | None, memory: int, retries: int
) -> Any:
    device = options.get("device") or "auto"
    if device.startswith("cuda:"):
        raise ValueError(f"device = {device!r}; each worker has one GPU, which Ray chooses: expected 'cuda'")
    gpu = device in ("auto", "cuda", "cuda-paper")
    return cluster(address, gpu=gpu, workers=workers, cpus=cpus, memory=memory, retries=retries)


def _parts(count: int) -> list[tuple[int, int]]:
    return [(part, count) for part in range(1, count + 1)]


def _listed(paths: Paths) -> list[str]:
    return [os.fspath(paths)] if isinstance(paths, (str, os.PathLike)) else [os.fspath(path) for path in paths]


def _place_of(clouds: Store | str | os.PathLike[str]) -> tuple[str, str | None]:
    """The folder or file, and the layer that is open; None where there is nothing to choose."""
    if not isinstance(clouds, Store):
        return os.path.abspath(clouds), None
    return os.path.abspath(clouds.folder), clouds.layer if len(clouds.layers) > 1 else None


def _bytes_of(path: str | None) -> int:
    """Of a file, or of all files in a folder."""
    if path is None or not os.path.exists(path):
        return 0
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(file.stat().st_size for file in Path(path).rglob("*") if file.is_file())
