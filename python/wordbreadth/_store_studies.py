"""What can be found out about a store: one method per study."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from wordbreadth import _core
from wordbreadth._calls import Call
from wordbreadth._lists import Words, stop_word_list, word_list
from wordbreadth._progress import Progress, reporting
from wordbreadth._studies import (
    BySize,
    Calibration,
    Comparison,
    Concordance,
    Experiment,
    GapPairs,
    LayerComparison,
    Modes,
    Ranking,
    Triage,
)
from wordbreadth._wordnet import WordNet, core_of, cores_of

if TYPE_CHECKING:
    from wordbreadth._store import Store


class StoreStudies:
    """The part of :class:`wordbreadth.Store` that computes."""

    _core: _core.Store
    expression: str
    layer: str

    def _index(self, word: str) -> int:
        raise NotImplementedError

    # ---- All words

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
            Rows to take from each word; words with fewer are left out. Default: all rows for the breadth, and for v,
            which depends on their number, as many as the smallest cloud has.
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
        call = Call(StoreStudies.rank, locals(), self.expression, [repr(word) for word in named])
        with reporting(progress, "ranking") as report:
            return Ranking(_core.rank(self._core, list(named), call.options, report), call)

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
            The other store, of the same model, layers and kind of words. Of a path, this store's layer is opened.
        names
            What to call the two; default: the names of the folders.
        center
            What words are sorted by: 'none', their difference, or 'median', that beyond the median word's. Default:
            none, but median on the page, which has both.
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
            How many words, from the first on, come with occurrences in :meth:`Result.to_dict` and on the page; how
            many.
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
        other = self._opened(other)
        call = Call(StoreStudies.compare, locals(), self.expression, [other.expression])
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
            Compare each word only with references that have as many senses in WordNet, within a quarter: True for
            Debian's copy, or a :class:`wordbreadth.WordNet`.
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
        references = word_list(references, "references")
        candidates = None if candidates is None else word_list(candidates, "candidates")
        wordnet = WordNet() if match_senses is True else match_senses or None
        call = Call(StoreStudies.triage, locals(), self.expression, [repr(references)])
        options = {**call.options, "references": references}
        with reporting(progress, "triage") as report:
            senses = wordnet and core_of(wordnet, "match_senses")
            return Triage(_core.triage(self._core, options, senses, report), call)

    def _opened(self, store: Store | str | os.PathLike[str]) -> Store:
        """Of a path, at the layer of this store where that has it, as the program opens both with ``--layer``."""
        if isinstance(store, StoreStudies):
            return store  # type: ignore[return-value]
        if not isinstance(store, (str, os.PathLike)):
            raise TypeError(f"found {store!r}; expected a store or its path")
        try:
            opened = type(self)(store)  # type: ignore[call-arg]
        except ValueError:  # several layers without the default one
            return type(self)(store, layer=self.layer)  # type: ignore[call-arg,return-value]
        elsewhere = self.layer != opened.layer and self.layer in opened.layers
        return type(self)(store, layer=self.layer) if elsewhere else opened  # type: ignore[call-arg,return-value]

    # ---- One word

    def concordance(self, word: str, *, sort: str = "corpus", count: int | None = None, seed: int = 0) -> Concordance:
        """The occurrences of a word in their sentences, each with what it adds to the word's breadth.

        Parameters
        ----------
        word
            One of the words.
        sort
            'corpus', 'left' or 'right' (by the words to that side), 'influence' (what makes the word broadest first),
            or 'spread': far from each other, so that a few stand for all.
        count
            How many: a sample, or the first ones by influence or spread. Default: all.
        seed
            Which sample.

        Examples
        --------
        >>> store.concordance("bank", sort="spread", count=3).lines["document"].tolist()
        ['document 12', 'document 9', 'document 2']
        """
        index = self._index(word)
        call = Call(StoreStudies.concordance, locals(), self.expression, [repr(word)])
        return Concordance(_core.concordance(self._core, index, call.options), call)

    def modes(
        self,
        word: str,
        *,
        count: int = 5,
        most: int = 6,
        alpha: float = 0.01,
        random_clouds: int = 99,
        seed: int = 0,
        threads: int | None = None,
        progress: Progress = True,
    ) -> Modes:
        """Why is a word broad? Its modes, groups of similar contexts, with typical occurrences of each.

        Parameters
        ----------
        word
            One of the words.
        count
            Typical occurrences of each mode.
        most
            Modes that are looked for, 1 to 8.
        alpha, random_clouds
            One more mode is accepted where that many random clouds without it reach its gain in likelihood at most this
            often.
        seed
            Of the random clouds.
        threads
            Default: OMP_NUM_THREADS, or else every core. Changes no result.
        progress
            See :func:`wordbreadth.extract`.

        Examples
        --------
        >>> store.modes("bank").spread
        'one mode'
        """
        index = self._index(word)
        call = Call(StoreStudies.modes, locals(), self.expression, [repr(word)])
        with reporting(progress, "modes") as report:
            return Modes(_core.modes(self._core, index, call.options, report), call)

    def by_size(
        self,
        word: str,
        *,
        draws: int = 200,
        confidence: float = 0.95,
        blocks: str = "document",
        seed: int = 0,
        threads: int | None = None,
        progress: Progress = True,
    ) -> BySize:
        """How many occurrences are enough? The breadth of a word and its interval by the number of rows.

        Parameters
        ----------
        word
            One of the words.
        draws
            Samples of each size.
        confidence
            Of the intervals.
        blocks
            'document': rows of one document are no independent evidence; 'none': all rows are.
        seed
            Of the samples.
        threads
            Default: OMP_NUM_THREADS, or else every core. Changes no result.
        progress
            See :func:`wordbreadth.extract`.

        Examples
        --------
        >>> store.by_size("bank").sizes["n"].tolist()
        [5, 10, 20, 50, 60]
        """
        index = self._index(word)
        call = Call(StoreStudies.by_size, locals(), self.expression, [repr(word)])
        with reporting(progress, "samples") as report:
            return BySize(_core.by_size(self._core, index, call.options, report), call)

    # ---- How far tests can be trusted

    def gap_pairs(
        self,
        gaps: int | Iterable[int],
        *,
        count: int | None = None,
        rank_by: str = "v",
        cross_fit: bool = False,
        common_size: int | None = None,
        adjust: str = "bh",
        equivalence: float | None = None,
        alternative: str = "two-sided",
        align: str = "householder",
        statistic: str | None = None,
        blocks: str | None = None,
        permutations: int = 20000,
        seed: int = 0,
        adaptive: int = 0,
        confidence: float = 0.95,
        tail_estimate: bool = False,
        device: str = "auto",
        threads: int | None = None,
        instruction_set: str | None = None,
        progress: Progress = True,
    ) -> GapPairs:
        """Test pairs of words that are some ranks apart, as the paper samples them.

        Parameters
        ----------
        gaps
            In ranks, from 1: one, or several.
        count
            Pairs at each gap; default: 300, or all where there are fewer.
        rank_by
            'breadth', 'v' (the paper's) or 'frequency'.
        cross_fit
            Rank on one half of each word's rows, test on the other.
        common_size
            Rows taken of each word; default: as many as the smallest cloud has.
        equivalence
            A ratio such as 1.1: also whether neither word is that many times as broad as the other.
        alternative
            'two-sided', 'greater' or 'less'.
        tail_estimate
            With few exceedances, also estimate p from the tail of the permutation distribution.

        Other parameters are those of :meth:`compare`.

        Examples
        --------
        >>> store.gap_pairs([1, 3], permutations=500).pairs["gap"].tolist()
        [1, 1, 1, 1, 1, 3, 3, 3]
        """
        gaps = _gaps(gaps)
        call = Call(StoreStudies.gap_pairs, locals(), self.expression, [repr(gaps)])
        with reporting(progress, "testing") as report:
            return GapPairs(_core.gap_pairs(self._core, {**call.options, "gaps": gaps}, report), call)

    def calibrate(
        self,
        *,
        alpha: float | Iterable[float] = (0.01, 0.05, 0.1),
        count: int = 1000,
        permutations: int = 20000,
        complete: bool = False,
        common_size: int | None = None,
        blocks: str | None = None,
        power: bool = False,
        seed: int = 0,
        device: str = "auto",
        threads: int | None = None,
        progress: Progress = True,
    ) -> Calibration:
        """Measure how far tests on this store can be trusted: how often they find a difference where there is none.

        Parameters
        ----------
        alpha
            The levels to look at.
        count
            Tests of each kind; more make the intervals narrower.
        permutations
            Random permutations per test.
        complete
            Run all of them even where a test clearly does not reject; changes no rate.
        common_size
            Rows to take from each word; default: as many as the smallest cloud has.
        blocks
            'document': also halves of whole documents, and the test that permutes documents; 'none': rows only.
            Default: documents where they are known.
        power
            Also how often a known difference is found, and clouds of different shapes.
        seed
            Which rows, words and permutations.
        device, threads
            Where to run: see :func:`wordbreadth.devices`. Change no result.
        progress
            See :func:`wordbreadth.extract`.

        Examples
        --------
        >>> calibration = store.calibrate(count=20, permutations=99)
        >>> calibration.methods["statistic"].tolist()
        ['plain', 'plain', 'robust', 'robust', 'blocks']
        """
        call = Call(StoreStudies.calibrate, locals(), self.expression)
        with reporting(progress, "calibrating") as report:
            return Calibration(_core.calibrate(self._core, call.options, report), call)

    def compare_layers(
        self,
        *,
        wordnet: WordNet | None = None,
        alpha: float = 0.05,
        count: int = 1000,
        permutations: int = 1999,
        blocks: str | None = None,
        seed: int = 0,
        device: str = "auto",
        threads: int | None = None,
        progress: Progress = True,
    ) -> LayerComparison:
        """What changes from layer to layer of a store with several: ranks, relation to senses, verdicts.

        Parameters
        ----------
        wordnet
            For numbers and frequencies of senses; default: Debian's copy.
        alpha, count, permutations
            Level of the tests, pairs that are tested at every layer, random permutations per test.
        blocks
            'document' (default where documents are known): breadth and tests regard documents; 'none': they do not.
        seed
            Which pairs, permutations and samples of words.
        device, threads
            Where to run: see :func:`wordbreadth.devices`. Change no result.
        progress
            See :func:`wordbreadth.extract`.

        Examples
        --------
        >>> wb.Store("my.store").compare_layers(count=400).to_pandas()  # doctest: +SKIP
        """
        wordnet = wordnet or WordNet()
        call = Call(StoreStudies.compare_layers, locals(), self.expression)
        with reporting(progress, "comparing layers") as report:
            found = _core.compare_layers(self._core, core_of(wordnet, "wordnet"), call.options, report)
            return LayerComparison(found, call)

    def experiment(
        self,
        *others: Store | str | os.PathLike[str],
        wordnet: WordNet | Iterable[WordNet] | None = None,
        paper: bool = False,
        words: Words | None = None,
        pair: tuple[str, str] | None = None,
        alternative: str | None = None,
        halves: str | None = None,
        gaps: int | Iterable[int] | None = None,
        count: int | None = None,
        alpha: float | None = None,
        permutations: int | None = None,
        additional_gaps: int | Iterable[int] | None = None,
        additional_count: int | None = None,
        additional_alpha: float | None = None,
        additional_permutations: int | None = None,
        additional_rank_by: str | None = None,
        sanity_words: int = 20,
        bin_size: int = 100,
        common_size: int | None = None,
        complete: bool = False,
        blocks: str | None = None,
        seed: int = 0,
        device: str = "auto",
        threads: int | None = None,
        progress: Progress = True,
    ) -> Experiment:
        """The paper's study on this store: tables, figures, a page.

        Parameters
        ----------
        *others
            Further stores, or their paths. The additional experiment has them all; the other tables are this store's,
            and :meth:`Experiment.write` writes those of every store.
        wordnet
            For numbers of senses; default: Debian's copy. Of several, each store takes the one that has most of its
            words.
        paper
            What is not given is as in the paper: one-sided tests, ranks of frequency at the additional gaps,
            halves of all rows, no blocks.
        words
            Words to look at one by one: a list, or the name of a file with one per line; default: the paper's.
        pair
            Two words to plot; default: the paper's, or those that alignment changes most.
        alternative
            Of the tests of pairs: 'two-sided' (default), 'greater' (the word of the better rank is broader).
        halves
            'common' (default): split halves of as many rows of every word; 'own': of all that a word has.
        gaps, count, alpha, permutations
            Of the main experiment: gaps in ranks of breadth (default 1 to 10), pairs at each (300, or all where there
            are fewer), level (0.01), random permutations per test (20,000).
        additional_gaps, additional_count, additional_alpha, additional_permutations, additional_rank_by
            The same of the additional experiment (default 50 and 100; 500; 0.05; 5,000), and its ranking: 'breadth',
            'v' (default) or 'frequency'.
        sanity_words
            Words that the sanity check shows.
        bin_size
            Words in a bin of the meaning-frequency law.
        common_size
            Rows taken of each word; default: as many as the smallest cloud that can be halved has.
        complete
            Run all permutations even where a test clearly does not reject.
        blocks
            'document' (default): pairs are also tested by permuting whole documents; 'none': occurrences only, as the
            paper does.
        seed
            Which rows, pairs and permutations.
        device, threads
            Where to run: see :func:`wordbreadth.devices`. Change no result.
        progress
            See :func:`wordbreadth.extract`.

        Examples
        --------
        >>> study = store.experiment(gaps=[1], additional_gaps=[2], permutations=99)
        >>> list(study.tables)[:3]
        ['main', 'methods', 'summary']
        """
        others = tuple(self._opened(other) for other in others)
        wordnets = cores_of(WordNet() if wordnet is None else wordnet, "wordnet")
        gaps, additional_gaps = _gaps(gaps), _gaps(additional_gaps)
        words = None if words is None else word_list(words)
        call = Call(StoreStudies.experiment, locals(), self.expression, [other.expression for other in others])
        stores = [self._core, *(other._core for other in others)]
        with reporting(progress, "the study") as report:
            found = _core.experiment(stores, wordnets, call.options, report)
            return Experiment(found, call)


def _gaps(gaps: int | Iterable[int] | None) -> list[int] | None:
    """Every gap once, in ascending order."""
    if gaps is None:
        return None
    return sorted(set(gaps)) if isinstance(gaps, Iterable) else [gaps]
