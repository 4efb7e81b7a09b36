"""Stores: the clouds of a corpus, and what can be found out about them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from wordbreadth import _core
from wordbreadth._calls import Call
from wordbreadth._cloud import Cloud
from wordbreadth._layers import Layer, layer_text
from wordbreadth._lists import Words, word_list
from wordbreadth._options import statistic_of
from wordbreadth._progress import Progress, reporting
from wordbreadth._store_studies import StoreStudies
from wordbreadth._studies import Description
from wordbreadth._tables import Table
from wordbreadth._writing import create


class Store(StoreStudies, Mapping):
    """A store: a mapping from words to their clouds, (rows, d) arrays of float32.

    Arrays are read-only views of the mapped file, not copies; they keep the store open.

    Parameters
    ----------
    path
        The folder that :func:`wordbreadth.extract`, :meth:`create` or the program made.
    layer
        Of a store with several: the layer to open, such as 4, or ``(2, 4)`` for a range whose mean was taken. Default:
        the only one, or else the layer one third up, where the store has that.

    Attributes
    ----------
    folder : str
        The folder.
    dimension : int
        Of the vectors.
    summary : Extraction or None
        What :func:`wordbreadth.extract` did, of a store that it returned.

    Examples
    --------
    >>> store["bank"].shape
    (60, 8)
    >>> "oboe" in store
    False
    >>> list(store)[:2]
    ['bank', 'cell']
    """

    def __init__(self, path: str | os.PathLike[str], *, layer: Layer | None = None) -> None:
        self._core = _core.Store(os.fspath(path), "" if layer is None else layer_text(layer))
        self._names: list[str] | None = None
        self.summary: Any = None

    @property
    def folder(self) -> str:
        return self._core.folder

    @property
    def dimension(self) -> int:
        return self._core.dimension

    @property
    def layer(self) -> str:
        """The layer that is open: ``"4"``, or ``"2-4"`` for a range; empty where the store does not say."""
        return self._core.layer

    @property
    def layers(self) -> list[str]:
        """All layers that the store has clouds of."""
        return self._core.layers

    @property
    def expression(self) -> str:  # type: ignore[override]
        """What makes this object again."""
        layer = f", layer={self.layer!r}" if len(self.layers) > 1 else ""
        return f"wb.Store({self.folder!r}{layer})"

    # ---- The mapping

    def _find(self, word: object) -> int:
        """-1 where there is no such word."""
        try:
            return self._core.find(word) if isinstance(word, str) else -1
        except TypeError:  # half of a surrogate pair, which no word has
            return -1

    def _index(self, word: str) -> int:
        index = self._find(word)
        if index < 0 and not isinstance(word, str):
            raise KeyError(f"{self.folder}: {word!r} is no word; expected a string")
        if index < 0:
            reason = self._core.why_missing(word)
            raise KeyError(f"{self.folder}: no word {word!r}" + (f"; {reason}" if reason else ""))
        return index

    def __getitem__(self, word: str) -> np.ndarray:
        return self._core.rows(self._index(word))

    def __contains__(self, word: object) -> bool:
        return self._find(word) >= 0

    def __iter__(self) -> Iterator[str]:
        if self._names is None:
            self._names = self._core.names()
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._core)

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        layer = f", layer {self.layer} of {', '.join(self.layers)}" if len(self.layers) > 1 else ""
        return f"Store({self.folder!r}): {len(self):,} words, {self.dimension} dimensions{layer}"

    # ---- What is in it

    @property
    def words(self) -> Table:
        """The words: ``word``, ``frequency`` in the corpus, ``usable``, ``rows``, ``exact_copies``, ``near_copies``."""
        return Table(self._core.words())

    def cloud(self, word: str, *, blocks: str | None = None) -> Cloud:
        """The cloud of a word with its documents, for :func:`wordbreadth.test`.

        Parameters
        ----------
        word
            One of the words.
        blocks
            'document' or None: with the document of each row, where the store knows them; 'none': without.

        Examples
        --------
        >>> cloud = store.cloud("bank")
        >>> len(cloud), cloud.name
        (60, 'bank')
        """
        if blocks not in (None, "document", "none"):
            raise ValueError(f"blocks = {blocks!r}; expected 'document' or 'none'")
        index = self._index(word)
        labels = None if blocks == "none" else self._core.documents(index)
        return Cloud(self._core.rows(index), word, labels, self.folder)

    def test(self, x: str, y: str, *, blocks: str | None = None, **options: Any) -> Any:
        """Test two words: is one broader? Options and result are those of :func:`wordbreadth.test`.

        Parameters
        ----------
        x, y
            Two of the words.
        blocks
            'document' or 'none', instead of a statistic: permute documents, or rows as the paper does. Default:
            documents where the store knows them.
        **options
            Those of :func:`wordbreadth.test`.

        Examples
        --------
        >>> result = store.test("thing", "tree")
        >>> result.blocks_x, bool(result.pvalue < 0.05)
        (20, True)
        """
        import wordbreadth

        options["statistic"] = statistic_of(options.get("statistic", "auto"), blocks)
        blocks = "none" if options["statistic"] in ("plain", "robust") else "document"
        return wordbreadth.test(self.cloud(x, blocks=blocks), self.cloud(y, blocks=blocks), **options)

    def documents(self, word: str) -> np.ndarray | None:
        """The document of each row, as a number; None where the store has a single document.

        Examples
        --------
        >>> len(set(store.documents("bank").tolist()))
        20
        """
        return self._core.documents(self._index(word))

    def occurrences(self, word: str) -> Table:
        """Where each row comes from: ``row``, ``document``, ``sentence``, ``text``, ``start``, ``end`` (in characters).

        Examples
        --------
        >>> first = store.occurrences("bank")[0]
        >>> first["text"][first["start"]:first["end"]]
        'bank'
        """
        return Table(self._core.occurrences(self._index(word)))

    @property
    def settings(self) -> dict[str, str]:
        """How the vectors were made: model, layers, seed and so on."""
        return self._core.settings()

    @property
    def sources(self) -> Table:
        """The files of the corpus: ``path``, ``format``, ``bytes``."""
        return Table(self._core.sources())

    @property
    def missing(self) -> Table:
        """Words that were asked for and have no cloud, with the reason."""
        return Table(self._core.missing())

    @property
    def skipped(self) -> Table:
        """How many occurrences have no row, by reason."""
        return Table(self._core.skipped())

    def info(self) -> Description:
        """What is in the store and where it came from, as ``wordbreadth info`` prints it.

        Examples
        --------
        >>> store.info().words
        6
        """
        return info(self.folder)

    # ---- Files

    def export(self, path: str | os.PathLike[str], *, words: Words | None = None, progress: Progress = True) -> None:
        """Write clouds to a ``.npz`` or ``.safetensors`` file, an array of float32 for each word.

        Parameters
        ----------
        path
            The file.
        words
            Which: a list, or the name of a file with one per line; default: all.
        progress
            See :func:`wordbreadth.extract`.

        Examples
        --------
        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     store.export(folder + "/clouds.npz", words=["bank"])
        ...     os.listdir(folder)
        ['clouds.npz']
        """
        chosen = range(len(self)) if words is None else [self._index(word) for word in word_list(words)]
        with reporting(progress, "exporting") as report:
            self._core.export(list(chosen), os.fspath(path), report)

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        clouds: Mapping[str, Any],
        *,
        contexts: Mapping[str, Iterable[Any]] | None = None,
        frequencies: Mapping[str, int] | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> Store:
        """Make a store from vectors made elsewhere.

        Parameters
        ----------
        path
            The folder, which must not exist, or be empty.
        clouds
            The (n, d) array of each word; anything that numpy converts to float32.
        contexts
            For words, where each row comes from: texts, dicts with ``document``, ``text``, ``start`` and ``end`` (the
            word in the text, in characters), or tuples of these four. Without a span the first occurrence of the word
            in the text is taken, and the whole text where the word is not in it. A word without contexts is its own.
        frequencies
            Of words in the corpus; default: the number of rows.
        settings
            How the vectors were made, under any names: ``model``, ``layers``. Stores with different ones are not
            compared.

        Examples
        --------
        >>> import tempfile, numpy as np
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     made = wb.Store.create(folder + "/my.store", {"bank": np.eye(3)}, settings={"model": "mine"})
        ...     made["bank"].dtype, made.settings
        (dtype('float32'), {'model': 'mine'})
        """
        create(os.fspath(path), clouds, contexts or {}, frequencies or {}, settings or {})
        return cls(path)


def info(path: str | os.PathLike[str]) -> Description:
    """What is in a store and where it came from, finished or not, as ``wordbreadth info`` prints it.

    Parameters
    ----------
    path
        The folder.

    Examples
    --------
    >>> wb.info(store.folder).finished
    True
    """
    path = os.fspath(path)
    return Description(_core.describe_store(path), Call(info, {}, "wb", [repr(path)]))
