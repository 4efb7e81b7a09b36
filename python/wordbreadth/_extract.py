"""From text to clouds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any, Union

from wordbreadth import _core
from wordbreadth._layers import Layers, layers_text
from wordbreadth._lists import Words, word_list
from wordbreadth._progress import Bar
from wordbreadth._results import PairResults
from wordbreadth._store import Store, info

Paths = Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]]

# The settings of a store that options decide, where the names differ by more than an underscore.
SETTINGS = {"invalid": "invalid bytes", "lemma": "lemmas", "pos": "parts of speech", "precision": "number type"}


class Extraction:
    """What an extraction did, as ``wordbreadth extract`` prints it: the keys of its JSON are attributes.

    Examples
    --------
    >>> summary = wb.extract(model, corpus, folder + "/again.store", min_count=20, max_tokens=32).summary
    >>> summary.finished, summary.words
    (True, 15)
    """

    def __init__(self, values: dict[str, Any], text: str) -> None:
        self._values = values
        self._text = text

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._values:
            raise AttributeError(name)
        return self._values[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._values]

    def to_dict(self) -> dict[str, Any]:
        """What the program prints with ``--format json``."""
        return dict(self._values)

    def __repr__(self) -> str:
        return self._text.rstrip("\n")


def extract(
    model: str | os.PathLike[str] | None = None,
    corpus: Paths | None = None,
    out: str | os.PathLike[str] | None = None,
    *,
    corpus_format: str | None = None,
    encoding: str | None = None,
    invalid: str | None = None,
    lemma: bool | None = None,
    pos: str | Iterable[str] | None = None,
    unit: str | None = None,
    case: str | None = None,
    words: Words | None = None,
    min_count: int | None = None,
    per_word: int | None = None,
    per_document: int | None = None,
    sample: str | None = None,
    deduplicate: str | None = None,
    seed: int | None = None,
    layer: Layers | None = None,
    layers: Layers | None = None,
    subwords: str | None = None,
    max_tokens: int | None = None,
    mecab_dictionary: str | os.PathLike[str] | None = None,
    precision: str | None = None,
    device: str | None = None,
    threads: int | None = None,
    shard_tokens: int | None = None,
    plan_only: bool = False,
    resume: bool = False,
    part: tuple[int, int] | None = None,
    progress: bool | Callable[[str, float, int], object] = True,
) -> Store | Extraction:
    """Embed the occurrences of every word of a corpus with a language model, into a store.

    Ctrl-C stops it within a batch. What is finished is kept: ``extract(out=..., resume=True)`` continues, and makes the
    same bytes as if it had not been stopped.

    Parameters
    ----------
    model
        The folder of a Hugging Face snapshot, of any architecture that docs/extract.md lists.
    corpus
        Files and folders of text, plain or gzipped; '-' is standard input.
    out
        The folder of the store.
    corpus_format
        'auto', 'text', 'lines', 'jsonl', 'bnc', 'bccwj', 'conllu', 'vertical', 'dwug' or 'brown'.
    encoding
        Of text without a byte order mark; default: 'utf-8'.
    invalid
        Bytes that are invalid in it: 'error' (the default), 'skip' or 'replace'.
    lemma, pos
        Count words by their lemmas; take only these parts of speech. Where the corpus has them.
    unit
        'word': a row is a word in its sentence (the default); 'text': a whole text, in the cloud of its label.
    case
        'lower' (the default) or 'keep'.
    words
        Only these: a list, or the name of a file with one per line. Default: all that are frequent enough.
    min_count
        Of usable occurrences; default: 100, of texts 2.
    per_word
        At most this many rows per cloud, 0 for all; default: 100, of texts 0.
    per_document
        At most this many rows of a word per document; default: 0, no limit.
    sample
        'rows' (the default) at random, or spread over 'documents'.
    deduplicate
        Drop sentences that repeat an earlier one: 'none', 'exact' (the default; of texts none) or 'near'.
    seed
        Which rows are drawn; default: 0.
    layer
        A layer, or the first and the last of a range whose mean is taken, such as ``(2, 4)``. Default: one third up.
        A list, such as ``[2, 4, 6]``, gives a cloud from each in one run of the model; ``Store(out, layer=2)`` opens
        one of them.
    subwords
        The vector of a word of several tokens: 'single' (skip such words, the default), 'mean', 'first' or 'last'.
    max_tokens
        Per sentence; default: 128.
    mecab_dictionary
        For Japanese: the folder of a MeCab dictionary, which finds the words of running text.
    precision
        Of the model's products: 'auto', 'f32', 'bf16' or 'f16'.
    device, threads
        'auto', 'cpu', 'cuda' (all GPUs, if there is work for them) or one, 'cuda:0', 'cuda:1', ...; how many threads,
        which changes no result.
    shard_tokens
        Tokens per shard, the most work that an interruption loses; default: a few minutes' work.
    plan_only
        Stop after planning; the summary is returned, since there is no store yet.
    resume
        Resume an unfinished store, which needs only ``out``. Other options must match its plan.
    part
        ``(i, n)``: only part i of n, from 1. With ``plan_only`` of the files, with ``resume`` of the shards; any
        process on any machine that sees the folder may make any part, and `merge` joins them. The summary is
        returned.
    progress
        True: a bar, if tqdm is installed, once the work has lasted a second. False: none. Or a function that is called
        with the stage, the share of it that is done, and how many words, rows or tokens that is; what it raises ends
        the work. (Other functions call it with the share done alone.)

    Returns
    -------
    Store
        With what was done as ``summary``.

    Raises
    ------
    ResumableError
        When there is a store already, or writing to disk fails; its ``folder`` can be resumed.

    Examples
    --------
    >>> made = wb.extract(model, corpus, folder + "/my.store", min_count=20, max_tokens=32)
    >>> made["bank"].shape == (made.words[1]["rows"], made.dimension)
    True
    """
    given = {name: value for name, value in locals().items() if name not in ("plan_only", "resume", "part", "progress")}
    given = {name: value for name, value in given.items() if value is not None}
    if out is None:
        raise TypeError("out: expected the folder of the store")
    if not resume and (model is None or corpus is None):
        raise TypeError(f"{'model' if model is None else 'corpus'} is missing; only resume=True does without")
    wanted = layers_text(given.pop("layer", None), given.pop("layers", None))
    if wanted is not None:
        given["layers"] = wanted
    if "words" in given:
        given["words"] = word_list(given["words"])
    stated = [SETTINGS.get(name, name.replace("_", " ")) for name in given]
    options = {**given, "stated": stated, "plan_only": plan_only, "resume": resume}
    bar = _StageBar() if progress is True else None
    try:
        if part is not None:
            return Extraction(*_core.extract_part(options, bar or progress or None, *part))
        found = _core.extract(options, bar or progress or None)
    except KeyboardInterrupt as interrupt:
        _say_how_to_resume(interrupt, os.fspath(out))
        raise
    finally:
        if bar:
            bar.close()
    return _outcome(os.fspath(out), *found)


def merge(path: str | os.PathLike[str], *, threads: int | None = None) -> Store | Extraction | PairResults:
    """Join what parts have made: the plan or the shards of an extraction, or tests of pairs.

    It may be repeated, and run twice at the same time; the store has the same bytes as one that was extracted at once,
    and the tests of pairs have the results of one call, with p adjusted over all of them.

    Parameters
    ----------
    path
        The folder of the store, or that of the parts of :func:`pairs`.
    threads
        How many, which changes no result.

    Returns
    -------
    Store
        With what was done as ``summary``; of a plan, only the summary, since there is no store yet. Of pairs their
        results, whose ``seconds`` are NaN; they stay in the files, which have to be kept as long.

    Raises
    ------
    ValueError
        Naming the part, when one is missing, damaged or of another plan. Finished ones are kept.

    Examples
    --------
    >>> parts = folder + "/parts.store"
    >>> for i in 1, 2:
    ...     part = wb.extract(model, corpus, parts, min_count=20, max_tokens=32, plan_only=True, part=(i, 2))
    >>> wb.merge(parts).made
    'plan'
    >>> for i in 1, 2, 3:
    ...     part = wb.extract(out=parts, resume=True, part=(i, 3))
    >>> "bank" in wb.merge(parts)
    True
    """
    if _core.has_pair_parts(os.fspath(path)):
        return PairResults(_core.merged_pairs(os.fspath(path), threads or 0))
    return _outcome(os.fspath(path), *_core.merge(os.fspath(path), threads or 0))


def _outcome(folder: str, values: Any, text: str, finished: bool) -> Store | Extraction:
    """The store with its summary; as long as it is not finished, the summary alone."""
    summary = Extraction(values, text)
    if not finished:
        return summary
    store = _opened(folder)
    store.summary = summary
    return store


def _opened(out: str) -> Store:
    """At the default layer; of several without it, the last."""
    try:
        return Store(out)
    except ValueError:
        layers = info(out).to_dict()["settings"].get("layers", "").split(",")
        if len(layers) < 2:
            raise
        return Store(out, layer=layers[-1])


def _say_how_to_resume(interrupt: KeyboardInterrupt, folder: str) -> None:
    if not _core.is_store(folder):
        return
    interrupt.folder = folder  # type: ignore[attr-defined]
    if hasattr(interrupt, "add_note"):  # Python 3.11
        interrupt.add_note(f"what is finished is kept; wordbreadth.extract(out={folder!r}, resume=True) continues")


class _StageBar:
    """A bar for each stage, one after the other."""

    def __init__(self) -> None:
        self._bar = Bar("reading")
        self._stage = "reading"

    def __call__(self, stage: str, done: float, units: int) -> None:
        if stage != self._stage:
            self._stage = stage
            self._bar.title(stage)
        self._bar(done)

    def close(self) -> None:
        self._bar.close()
