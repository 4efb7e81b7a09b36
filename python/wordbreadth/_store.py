"""Stores: the clouds of a corpus, and what can be found out about them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from wordbreadth import _core
from wordbreadth._calls import Call
from wordbreadth._cloud import Cloud
from wordbreadth._lists import Words, stop_word_list, word_list
from wordbreadth._progress import Progress, reporting
from wordbreadth._studies import Comparison, Description, Ranking, Triage
from wordbreadth._tables import Table
from wordbreadth._wordnet import WordNet
from wordbreadth._writing import create


class Store(Mapping):
    """A store: a mapping from words to their clouds, (rows, d) arrays of float32.

    Arrays are read-only views of the mapped file, not copies; they keep the store open.

    Parameters
    ----------
    path
        The folder that :func:`wordbreadth.extract`, :meth:`create` or the program made.

    Attributes
    ----------
    path : str
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

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._core = _core.Store(os.fspath(path))
        self._names: list[str] | None = None
        self.summary: Any = None

    @property
    def path(self) -> str:
        return self._core.folder

    @property
    def dimension(self) -> int:
        return self._core.dimension

    @property
    def expression(self) -> str:
        """What makes this object again."""
        return f"wb.Store({self.path!r})"

    # ---- The mapping

    def _index(self, word: str) -> int:
        index = self._core.find(word)
        if index < 0:
            reason = self._core.why_missing(word)
            raise KeyError(f"{self.path}: no word {word!r}" + (f"; {reason}" if reason else ""))
        return index

    def __getitem__(self, word: str) -> np.ndarray:
        return self._core.rows(self._index(word))

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self._core.find(word) >= 0

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
        return f"Store({self.path!r}): {len(self):,} words, {self.dimension} dimensions"

    # ---- What is in it

    @property
    def words(self) -> Table:
        """The words: ``word``, ``frequency`` in the corpus, ``usable`` occurrences, ``rows``, ``exact_copies``, ``near_copies``."""
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
            raise ValueError(f"blocks={blocks!r}: expected 'document' or 'none'")
        index = self._index(word)
        labels = None if blocks == "none" else self._core.documents(index)
        return Cloud(self._core.rows(index), word, labels, self.path)

    def test(self, x: str, y: str, **options: Any) -> Any:
        """Test two words: is one broader? Options and result are those of :func:`wordbreadth.test`.

        Documents are permuted where the store knows them.
        """
        import wordbreadth

        return wordbreadth.test(self.cloud(x), self.cloud(y), **options)

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
        return info(self.path)

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
        """Make a store of vectors that were made elsewhere.

        Parameters
        ----------
        path
            The folder, which must not hold a store.
        clouds
            The (n, d) array of each word; anything that numpy converts to float32.
        contexts
            For words, where each row comes from: dicts with ``document``, ``text``, ``start`` and ``end`` (the word in the
            text, in characters), or tuples of these. A word without is its own context.
        frequencies
            Of words in the corpus; default: the number of rows.
        settings
            How the vectors were made, under any names: ``model``, ``layers``. Stores with different ones are not compared.

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

    # ---- Studies

    def rank(
        self,
        *named: str,
        by: str = "breadth",
        blocks: str = "document",
        common_size: int | None = None,
        modes: bool = False,
        words: Words | None = None,
        min_frequency: int | None = None,
        max_frequency: int | None = None,
        stop_words: Words | None = None,
        neighbours: int = 3,
        seed: int = 0,
        threads: int | None = None,
        progress: Progress = True,
    ) -> Ranking:
        """The words, broadest first, and how far their ranks can be trusted.

        Parameters
        ----------
        *named
            Only these words and their neighbours, with their ranks among all.
        by
            'breadth', 'v' (the paper's) or 'frequency'.
        blocks
            'document': breadth from pairs of rows of different documents, where the store knows them; 'none': from all.
        common_size
            Rows to take from each word; words with fewer are left out. Default: all rows for the breadth, and for v, which
            depends on their number, as many as the smallest cloud has.
        modes
            Count the modes of every word, and the share of its spread between them: takes longer.
        words
            Rank only these: a list, or the name of a file with one per line.
        min_frequency, max_frequency
            Rank only words that are that frequent in the corpus.
        stop_words
            Rank none of these: a list, a file, or 'english' for a built-in list of function words.
        neighbours
            Words on either side of those named.
        seed
            Which rows, where a word has more.
        threads
            Default: OMP_NUM_THREADS, or else every core. Changes no result.
        progress
            See :func:`wordbreadth.extract`.

        Examples
        --------
        >>> ranking = store.rank()
        >>> ranking.words["word"][0]
        'thing'
        >>> ranking.to_dict()["results"][0]["rank"]
        1
        """
        words = None if words is None else word_list(words)
        stop_words = None if stop_words is None else stop_word_list(stop_words)
        call = Call(Store.rank, locals(), self.expression, [repr(word) for word in named])
        with reporting(progress, "ranking") as report:
            return Ranking(_core.rank(self._core, list(named), neighbours, call.options, report), call)

    def compare(
        self,
        other: Store | str | os.PathLike[str],
        *,
        names: tuple[str, str] | None = None,
        center: str | None = None,
        modes: bool = False,
        force: bool = False,
        common_size: int | None = None,
        alpha: float = 0.05,
        adjust: str = "bh",
        concordances: int = 200,
        lines: int = 6,
        align: str = "householder",
        statistic: str | None = None,
        blocks: str | None = None,
        permutations: int = 20000,
        seed: int = 0,
        adaptive: int = 100,
        confidence: float = 0.95,
        device: str = "auto",
        threads: int | None = None,
        instruction_set: str | None = None,
        progress: Progress = True,
    ) -> Comparison:
        """Test every word that two stores share: where is it broader?

        Parameters
        ----------
        other
            The other store, of the same model, layers and kind of words.
        names
            What to call the two; default: the names of the folders.
        center
            What words are sorted by: 'none', their difference, or 'median', that beyond the median word's. Default: none,
            but median on the page, which has both.
        modes
            Find the modes of every word in both stores.
        force
            Also where the two stores were made differently; the result says so.
        common_size
            Rows to take from every cloud; words with fewer are left out. Default: both clouds of a word are cut to the
            size of the smaller.
        alpha
            An adjusted p that is no larger is a finding.
        adjust
            For the number of words: 'bh', 'by', 'holm', 'maxT' or 'none'.
        concordances, lines
            How many words, from the first on, come with occurrences in :meth:`Result.to_dict` and on the page; how many.
        align
            'householder' or 'none'.
        statistic
            'auto', 'plain', 'robust' or 'blocks'.
        blocks
            'document' or 'none', instead of a statistic: permute documents, or rows as the paper does.
        permutations, seed, adaptive
            Random permutations per test, their seed, and the number of exceedances at which a test stops.
        confidence
            Of the intervals.
        device, threads, instruction_set
            Where to run: see :func:`wordbreadth.devices`. Change no result.
        progress
            See :func:`wordbreadth.extract`.

        Examples
        --------
        >>> comparison = store.compare(other, names=("news", "law"))
        >>> comparison.words["word"][0]
        'cell'
        >>> bool(comparison.median_effect < 0.5)
        True
        """
        other = other if isinstance(other, Store) else Store(other)
        call = Call(Store.compare, locals(), self.expression, [other.expression])
        with reporting(progress, "comparing") as report:
            return Comparison(_core.compare(self._core, other._core, call.options, report), call)

    def triage(
        self,
        references: Words,
        *,
        candidates: Words | None = None,
        match_senses: bool | WordNet = False,
        order: str = "attention",
        common_size: int | None = None,
        alpha: float = 0.05,
        adjust: str = "bh",
        concordances: int = 200,
        lines: int = 6,
        align: str = "householder",
        statistic: str | None = None,
        blocks: str | None = None,
        permutations: int = 20000,
        seed: int = 0,
        adaptive: int = 100,
        device: str = "auto",
        threads: int | None = None,
        instruction_set: str | None = None,
        progress: Progress = True,
    ) -> Triage:
        """Find words that are broader than words of known breadth.

        Parameters
        ----------
        references
            The reference words: a list, or the name of a file with one per line.
        candidates
            The words to triage; default: all others.
        match_senses
            Compare each word only with references that have as many senses in WordNet, within a quarter: True for Debian's
            copy, or a :class:`wordbreadth.WordNet`.
        order
            'attention', or 'given_frequency': first the words that are broadest for their frequency.
        common_size
            Rows to take from each word; words with fewer are left out. Default: as many as the smallest cloud has.

        Other parameters are those of :meth:`compare`.

        Examples
        --------
        >>> triage = store.triage(["tree", "plant"])
        >>> triage.words["word"][0]
        'thing'
        >>> triage.references["word"].tolist()
        ['plant', 'tree']
        """
        references = word_list(references)
        candidates = None if candidates is None else word_list(candidates)
        wordnet = WordNet() if match_senses is True else match_senses or None
        call = Call(Store.triage, locals(), self.expression, [repr(references)])
        options = {**call.options, "references": references}
        with reporting(progress, "triage") as report:
            return Triage(_core.triage(self._core, options, wordnet and wordnet._core, report), call)


def info(path: str | os.PathLike[str]) -> Description:
    """What is in a store and where it came from, finished or not, as ``wordbreadth info`` prints it.

    Parameters
    ----------
    path
        The folder.

    Examples
    --------
    >>> wb.info(store.path).finished
    True
    """
    path = os.fspath(path)
    return Description(_core.describe_store(path), Call(info, {}, "wb", [repr(path)]))
