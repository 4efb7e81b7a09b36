"""test, breadth, pairs, adjust, devices."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from wordbreadth import _arrays, _core
from wordbreadth._options import Progress, count, options, statistic_of
from wordbreadth._results import PairPart, PairResults


def test(
    x: Any,
    y: Any,
    *,
    alternative: str = "two-sided",
    permutations: int = 20000,
    align: str = "householder",
    statistic: str = "auto",
    blocks_x: Any = None,
    blocks_y: Any = None,
    seed: int = 0,
    adaptive: int = 0,
    confidence: float = 0.95,
    null_distribution: bool = False,
    tail_estimate: bool = False,
    equivalence: float | None = None,
    common_size: int | None = None,
    names: tuple[str, str] | None = None,
    device: str = "auto",
    threads: int | None = None,
    instruction_set: str | None = None,
    progress: Progress | None = None,
) -> _core.TestResult:
    """Test whether one cloud is broader than another, whatever directions they point in.

    The same seed gives the same result on any device and number of threads.

    Parameters
    ----------
    x, y
        (n, d) and (m, d): arrays of numpy, torch, cupy, jax or whatever speaks DLPack or the buffer protocol, of
        float32, float64, float16 or bfloat16; lists of rows; or clouds of a :class:`Store`. They are read where they
        are, on the GPU too.
    alternative
        'two-sided', 'greater' (x is broader) or 'less'.
    permutations
        Random splits; all are enumerated where there are no more.
    align
        'householder': one mean direction is reflected onto the other first; 'none'.
    statistic
        'plain' (the paper's T), 'robust' (debiased, studentised), 'blocks' (the same of whole blocks), or 'auto':
        blocks where both clouds have them, else plain.
    blocks_x, blocks_y
        A label per row, such as its document; default: those that the cloud brings along.
    seed
        Of the permutations, and of the rows with a common size.
    adaptive
        Stop at this many exceedances; 0: never.
    confidence
        Of the interval and the verdict.
    null_distribution
        Keep the statistic of every split.
    tail_estimate
        Estimate p from the tail's shape where few splits exceed.
    equivalence
        A ratio such as 1.1: also ask whether neither is that many times as broad as the other.
    common_size
        Rows to take from each cloud, by the seed and its name; default: all.
    names
        What to call the clouds; default: their own names, or 'x' and 'y'.
    device, threads, instruction_set
        Where to run: see :func:`devices`. Threads: OMP_NUM_THREADS, else every core.
    progress
        Called with the share done, 0 to 1; what it raises ends the test.

    Examples
    --------
    >>> result = wb.test(store.cloud("bank"), store.cloud("tree"), alternative="greater")
    >>> result.pvalue < 0.001, round(result.ratio, 1)
    (True, 5.1)
    >>> wb.test(store["bank"], store["tree"], names=("bank", "tree"), statistic="robust").x
    'bank'
    """
    chosen = options(
        alternative=alternative,
        permutations=permutations,
        align=align,
        statistic=statistic,
        seed=seed,
        adaptive=adaptive,
        confidence=confidence,
        null_distribution=null_distribution,
        tail_estimate=tail_estimate,
        equivalence=equivalence,
        device=device,
        threads=threads,
        instruction_set=instruction_set,
        progress=progress,
    )
    name_x, name_y = names or ("x", "y")
    cut = {"named": names is not None, "common_size": common_size, "seed": seed}
    of_x = _arrays.cloud(x, name_x, blocks_x, **cut)
    of_y = _arrays.cloud(y, name_y, blocks_y, **cut)
    return _core.test(of_x, of_y, chosen)


def breadth(
    x: Any, blocks: Any = None, *, name: str | None = None, common_size: int | None = None, seed: int = 0
) -> _core.Breadth:
    """The breadth of a cloud, with standard errors.

    Parameters
    ----------
    x
        The cloud: as for :func:`test`.
    blocks
        A label per row: pairs of rows of different blocks count.
    name
        What messages call it.
    common_size, seed
        Rows to take, since v depends on their number, and which, by the seed and the name; default: all.

    Examples
    --------
    >>> wb.breadth(store["bank"]).n
    60
    """
    cut = {"named": name is not None, "common_size": common_size, "seed": seed}
    return _core.breadth(_arrays.cloud(x, name or "x", blocks, **cut))


def pairs(
    clouds: Any,
    pairs: str | Iterable[tuple[Any, Any]] = "all",
    *,
    adjust: str = "bh",
    blocks: Any = None,
    common_size: int | None = None,
    part: tuple[int, int] | None = None,
    out: str | os.PathLike[str] | None = None,
    **test_options: Any,
) -> PairResults | PairPart:
    """Test many pairs of clouds, each as :func:`test` does, and adjust p for their number.

    A cloud that has no breadth does not stop the pairs without it: p is NaN, and ``undefined`` says why.

    Parameters
    ----------
    clouds
        Arrays by name (a dict) or in a sequence, a :class:`Store`, or the path of a store or a file of arrays.
    pairs
        'all', or pairs of names or indices.
    adjust
        'bh', 'by' (false discovery rate), 'holm', 'maxT' (family-wise error) or 'none'.
    blocks
        Labels of rows, by the same names or in the same order as ``clouds``. Of a store, which knows its documents:
        'document' or 'none', instead of a statistic.
    common_size
        Of a store or a file: rows to take from each cloud.
    part, out
        Of all pairs of a store or a file: test only part (i, n), i from 1 to n, and write it to this folder, which all
        parts share, on any machine. A part that was interrupted continues. :func:`wordbreadth.merge` joins them.
    **test_options
        Those of :func:`test`.

    Examples
    --------
    >>> found = wb.pairs(store, [("bank", "tree"), ("bank", "thing")], adjust="holm")
    >>> [result.ratio > 1 for result in found]
    [True, False]
    >>> for i in range(1, 4):
    ...     part = wb.pairs(store, part=(i, 3), out=folder + "/parts", permutations=500)
    >>> len(wb.merge(folder + "/parts")) == len(wb.pairs(store, permutations=500))
    True
    """
    place, layer = _path_of(clouds), getattr(clouds, "layer", "")
    if place is not None and blocks is not None:
        test_options["statistic"] = statistic_of(test_options.get("statistic", "auto"), blocks)
    chosen = options(**test_options)
    rows = 0 if common_size is None else count("common_size", common_size, low=2)
    if part is not None or out is not None:
        return _in_part(place, layer, pairs, rows, adjust, chosen, part, out)
    if place is not None:
        source = _core.CloudSource(place, layer)
        names, indices = wanted_pairs(source.names, pairs)
        return PairResults(_core.pairs_of_source(source, names, indices, rows, adjust, chosen))
    if common_size is not None:
        raise TypeError("common_size: is for clouds of a store or a file; cut the arrays instead")
    named = dict(clouds) if isinstance(clouds, Mapping) else {str(i): cloud for i, cloud in enumerate(clouds)}
    labels = _by_name(blocks, list(named))
    names, indices = wanted_pairs(list(named), pairs)
    arrays = [_arrays.cloud(named[name], str(name), labels.get(name), named=True) for name in names]
    return PairResults(_core.pairs(arrays, indices, adjust, chosen))


def _in_part(
    place: str | None, layer: str, pairs: Any, rows: int, adjust: str, chosen: Any, part: Any, out: Any
) -> PairPart:
    if part is None or out is None:
        raise TypeError("part and out: expected both, the part (i, n) and the folder that all parts share")
    if place is None or not isinstance(pairs, str) or pairs != "all":
        raise TypeError("part: is for all pairs of a store or a file")
    number, of = part
    return PairPart(*_core.pairs_in_part(place, layer, rows, adjust, chosen, number, of, os.fspath(out)))


def _path_of(clouds: Any) -> str | None:
    if isinstance(clouds, (str, os.PathLike)):
        return os.fspath(clouds)
    folder = getattr(clouds, "folder", None)  # of a Store
    return folder if isinstance(folder, str) else None


def _by_name(blocks: Any, names: Sequence[Any]) -> Mapping[Any, Any]:
    if blocks is None:
        return {}
    if isinstance(blocks, Mapping):
        unknown = [name for name in blocks if name not in set(names)]
        if unknown:
            raise ValueError(f"blocks: there is no cloud {unknown[0]!r}")
        return blocks
    if len(blocks) != len(names):
        raise ValueError(f"blocks: has {len(blocks)} lists of labels; expected {len(names)}, one per cloud")
    return dict(zip(names, blocks, strict=True))


def wanted_pairs(names: Sequence[Any], pairs: Any) -> tuple[list[Any], np.ndarray]:
    """The names that pairs need, and the pairs as (pairs, 2) indices into these."""
    if isinstance(pairs, str):
        if pairs != "all":
            raise ValueError(f"pairs = {pairs!r}; expected 'all' or pairs of names or indices")
        if len(names) < 2:
            raise ValueError(f"{len(names)} clouds make no pair; expected at least 2")
        return list(names), np.stack(np.triu_indices(len(names), k=1), axis=1).astype(np.uint64)
    places = {name: place for place, name in enumerate(names)}
    chosen: dict[int, int] = {}  # the place of each cloud that is needed among these
    flat = []
    for pair in pairs:
        if isinstance(pair, str) or len(pair) != 2:
            raise ValueError(f"pairs: found {pair!r}; expected two names or indices")
        flat += [chosen.setdefault(_place_of(one, names, places), len(chosen)) for one in pair]
    if not flat:
        raise ValueError("pairs: there are none; expected at least one")
    return [names[place] for place in chosen], np.array(flat, dtype=np.uint64).reshape(-1, 2)


def _place_of(one: Any, names: Sequence[Any], places: Mapping[Any, int]) -> int:
    if one in places:
        return places[one]
    try:
        place = range(len(names))[one]
    except (TypeError, IndexError):
        raise ValueError(
            f"pairs: there is no cloud {one!r}{_core.suggestion(str(one), list(map(str, names)))}"
        ) from None
    return place


def adjust(p: Any, method: str = "bh") -> np.ndarray:
    """p-values adjusted for their number. NaN stays NaN and does not count.

    Parameters
    ----------
    p
        An array of any shape.
    method
        'bh' or 'by' (false discovery rate), 'holm' (family-wise error) or 'none'.

    Examples
    --------
    >>> wb.adjust([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.04, 0.04]
    """
    values = np.asarray(p, dtype=np.float64)
    return _core.adjust(np.ascontiguousarray(values.reshape(-1)), method).reshape(values.shape)


def devices() -> list[_core.Device]:
    """What can run the test here, in the order in which 'auto' tries them, and why the others cannot.

    'cuda' is all GPUs. Where there are several, each is listed after it: 'cuda:0', 'cuda:1', ...

    Examples
    --------
    >>> [device.name for device in wb.devices() if device.name == "cpu"]
    ['cpu']
    """
    return _core.devices()
