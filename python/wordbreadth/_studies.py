"""What studies find: plain values, tables, and what the program would have printed or written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, TextIO

from wordbreadth import _core
from wordbreadth._calls import Call
from wordbreadth._progress import Progress, reporting
from wordbreadth._screen import styled, width
from wordbreadth._tables import Table

if TYPE_CHECKING:
    import pandas
    import pyarrow

ENDS = 10  # words that people see of either end


class value:
    """A plain value of a result, as the library gives it."""

    def __init__(self, explanation: str) -> None:
        self.__doc__ = explanation

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, result: Result | None, owner: type | None = None) -> Any:
        return self if result is None else self._of(result)

    def __set__(self, result: Result, changed: object) -> None:
        raise AttributeError(f"{self._name} cannot be set")

    def _of(self, result: Result) -> Any:
        return result._facts[self._name]


class table(value):
    """A table of a result."""

    def _of(self, result: Result) -> Table:
        return result._table(self._name)


class Result:
    """What all results have: their table, in every form, and the page that the program would write."""

    _title = "Result"

    def __init__(self, core: _core.StudyResult, call: Call) -> None:
        self._core = core
        self._call = call
        self._tables: dict[str, Table] = {}

    @cached_property
    def _facts(self) -> dict[str, Any]:
        return self._core.facts()

    def _table(self, name: str) -> Table:
        if name not in self._tables:
            self._tables[name] = Table(self._core.table(name))
        return self._tables[name]

    @property
    def tables(self) -> dict[str, Table]:
        """All tables of the result, by name; the first is :attr:`table`."""
        return {name: self._table(name) for name in self._core.tables()}

    @property
    def table(self) -> Table:
        """The table that the program prints."""
        return next(iter(self.tables.values()))

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a DataFrame: see :meth:`Table.to_pandas`.

        Examples
        --------
        >>> store.rank().to_pandas().loc[0, "word"]
        'thing'
        """
        return self.table.to_pandas()

    def to_arrow(self) -> pyarrow.Table:
        """The table for pyarrow: see :meth:`Table.to_arrow`.

        Examples
        --------
        >>> store.rank().to_arrow().column("word")[0].as_py()
        'thing'
        """
        return self.table.to_arrow()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)

    def to_tsv(self) -> str:
        """What the program prints with ``--format tsv``.

        Examples
        --------
        >>> print(store.rank().to_tsv().splitlines()[0].replace("\\t", " ")[:20])
        rank word v standard
        """
        return self.table.to_tsv()

    def to_dict(self) -> dict[str, Any]:
        """What the program prints with ``--format json``, as Python's objects under the same keys.

        The program adds its ``provenance``: command line, inputs and version.

        Examples
        --------
        >>> list(store.rank().to_dict())[:4]
        ['by', 'common_size', 'seed', 'blocks']
        """
        return self._core.json()

    def to_json(self) -> str:
        """The same as text.

        Examples
        --------
        >>> print(store.rank().to_json()[:20])
        {
          "by": "breadth",
        """
        return self._core.json_text()

    def to_html(self, path: str | os.PathLike[str], *, progress: Progress = True) -> None:
        """Write the page that the program writes with ``--html``: one file, with figures, tables and occurrences.

        At its foot are the settings of the stores with their hashes, and the line of Python that makes it again; a page
        of the program has a record for ``wordbreadth verify`` in its place.

        Parameters
        ----------
        path
            A name that ends in ``.html``.
        progress
            See :func:`wordbreadth.extract`.

        Examples
        --------
        >>> store.rank().to_html(folder + "/rank.html")
        """
        path = os.fspath(path)
        if not path.endswith(".html"):
            raise ValueError(f"{path}: expected a name that ends in .html")
        if not self._core.has_page:
            raise TypeError(
                f"{type(self).__name__} has no page; rank, compare, triage, by_size, calibrate, experiment do"
            )
        again = f"import wordbreadth as wb\n{self._call}.to_html({path!r})"
        with _whole_file(path) as file, reporting(progress, "drawing the page") as report:
            file.write(self._core.page(again, report))

    def __repr__(self) -> str:
        return self._core.text(width(), ENDS).rstrip("\n")

    def _repr_html_(self) -> str:
        return styled(f"<p>{self._title}</p>") + self.table._repr_html_()


@contextmanager
def _whole_file(path: str) -> Iterator[TextIO]:
    """A file that appears under its name once it is complete; opened before the work, so that a bad name is no loss."""
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "w", encoding="utf-8") as file:
            yield file
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


class Ranking(Result):
    """The words of a store, broadest first: what :meth:`Store.rank` returns."""

    _title = "Words by breadth"
    words = table("The words, in their order: ``rank``, ``word``, ``breadth``, ``rank_low``, ``v``, ...")
    left_out = table("Words without a rank, and why.")
    by = value("What words are ranked by: 'breadth', 'v' or 'frequency'.")
    common_size = value("Rows of each word that r, kappa and v are of.")
    smallest = value("The word whose cloud gave the common size; '' where it was asked for.")
    seed = value("Of the samples, and of the draws behind the intervals of ranks.")
    blocks = value("'document' where breadth is from pairs of rows of different documents, or 'none'.")
    all_rows = value("Whether the breadth is of all rows of a word, not of ``common_size``.")
    groups = value("Of words that cannot be told apart; 0 where ranks have no intervals.")
    filtered = value("How many words each part of the filter removed.")


class Comparison(Result):
    """Each word that two stores share, in one against the other: what :meth:`Store.compare` returns."""

    _title = "One store against the other"
    words = table("The words, the clearest first: ``word``, ``broader_in``, ``effect``, ``p``, ``q``, ...")
    left_out = table("Shared words without a test, and why.")
    names = value("What the two stores are called.")
    stores = value("Their folders.")
    forced = value("What differs between the stores, where that was accepted; else ''.")
    only_a = value("Words that the other store does not have.")
    only_b = value("Words of the other store that this one does not have.")
    center = value("What words are sorted by: 'none', their difference, or 'median', that beyond the median word's.")
    median_T = value("The median of the words' T.")
    median_effect = value("The median of their effects: what all have in common. NaN where no word has one.")
    median_effect_standard_error = value("Of ``median_effect``.")
    alpha = value("An adjusted p that is no larger is a finding.")
    statistic = value("That was used: 'plain', 'robust' or 'blocks'.")
    device = value("That ran the tests.")
    seconds = value("Wall time.")


class Triage(Result):
    """Words that are broader than words of known breadth: what :meth:`Store.triage` returns."""

    _title = "Words that are broader than their references"
    words = table("The candidates, those that need attention first.")
    references = table("The reference words, broadest first.")
    missing = table("References that the store does not have.")
    left_out = table("References and candidates that could not be tested, and why.")
    store = value("Its folder.")
    order = value("'attention' or 'given_frequency'.")
    matched_by_senses = value("Whether words were compared only with references that have as many senses.")
    median_v = value("Of the references.")
    common_size = value("Rows that every cloud was cut to.")
    smallest = value("The word whose cloud gave the common size; '' where it was asked for.")
    tests = value("How many were made.")
    device = value("That ran the tests.")
    seconds = value("Wall time.")


class Description(Result):
    """What is in a store and where it came from: what :meth:`Store.info` returns."""

    _title = "A store"
    most_frequent = table("Its most frequent words.")
    finished = value("Whether it has clouds; otherwise its extraction can be resumed.")
    words = value("How many.")
    rows = value("Of all clouds.")
    dimension = value("Of the vectors; 0 where it is not known yet.")
    bytes = value("On disk.")
    shards = value("That the work was divided into.")
    finished_shards = value("Of a store that is not finished.")
    unusable_shards = value("Of a store that is not finished: they will be made again.")


class Drawn(Result):
    """One that has a figure."""

    def to_svg(self, path: str | os.PathLike[str]) -> None:
        """Write the figure.

        Examples
        --------
        >>> store.calibrate(count=20, permutations=99).to_svg(folder + "/rates.svg")
        """
        with _whole_file(os.fspath(path)) as file:
            file.write(self._core.svg)

    def _repr_svg_(self) -> str:
        return self._core.svg


class Calibration(Drawn):
    """How far tests on a store can be trusted: what :meth:`Store.calibrate` returns."""

    _title = "How far tests on this store can be trusted"
    rates = table("False positive rates (and power): a row for each kind of pairs, method and alpha.")
    methods = table("What was found about each method.")
    needed = table("Occurrences that a ratio of breadths takes to be seen.")
    store = value("Its folder.")
    words = value("That have enough rows.")
    common_size = value("Rows taken of each word.")
    recommended = value("The method to use, as (align, statistic); None where none keeps its level.")
    design_effect = value("How many times larger variances are than with independent rows: the median.")


class LayerComparison(Drawn):
    """What changes from layer to layer: what :meth:`Store.compare_layers` returns."""

    _title = "The layers of this store"
    layers = table("A row per layer: correlation of breadth with senses given frequency, and agreement with others.")
    correlations = table("Rank correlation of breadths: every layer against every other.")
    verdicts = table("Share of pairs with the same verdict: every layer against every other.")
    store = value("Its folder.")
    words = value("That have a breadth at every layer.")
    lemmas = value("Of these, lemmas of WordNet.")
    tagged = value("Of these, those tagged often enough for an entropy of senses.")
    pairs = value("That were tested at every layer.")
    reference = value("The layer that others are compared with: the default one, or else the last.")


class Experiment(Result):
    """The paper's study: what :meth:`Store.experiment` returns."""

    _title = "The paper's study"
    store = value("Of all but the additional experiment.")
    model = value("That made its vectors.")
    dimension = value("Of the vectors.")
    common_size = value("Rows taken of each word.")
    spearman = value("Correlation of v and senses over the words that WordNet has; NaN where there is none.")
    words_in_wordnet = value("Words that WordNet has.")
    law_slope = value("Of log v on log frequency, over bins of words.")
    law_r_squared = value("Of the same; NaN with fewer than 3 bins.")
    pair = value("The pair that is looked at closely.")

    def write(self, folder: str | os.PathLike[str]) -> None:
        """Write what the program writes: report.html, each table as TSV and JSON, each picture as SVG, settings.json.

        Examples
        --------
        >>> study = store.experiment(gaps=[1], additional_gaps=[2], permutations=99)
        >>> study.write(folder + "/study")
        """
        folder = os.fspath(folder)
        self._core.write_folder(folder, f"import wordbreadth as wb\n{self._call}.write({folder!r})")


class Lines(Result):
    """What reads better as the lines that the program prints than as its table."""

    def _repr_html_(self) -> str:
        return styled(f"<pre>{escape(repr(self))}</pre>")


class Concordance(Lines):
    """Occurrences of a word: what :meth:`Store.concordance` returns."""

    _title = "Occurrences"
    lines = table("One row per occurrence: ``document``, ``left``, ``node``, ``right``, ``influence``, ...")
    word = value("The word.")
    frequency = value("In the corpus.")
    rows = value("Of its cloud.")


class Modes(Lines):
    """Why a word is broad: what :meth:`Store.modes` returns."""

    _title = "Modes"
    modes = table("The modes, the largest share first.")
    word = value("The word.")
    frequency = value("In the corpus.")
    spread = value("'one mode', 'several modes' or 'broad modes'; None where the modes are not defined.")
    breadth = value("Of the word.")
    within = value("The breadth that is left within modes.")
    between = value("The share of the spread that lies between modes.")
    p = value("Of one mode against more.")
    median_breadth = value("Of the store's words: what makes a word broad or narrow.")
    why = value("One sentence: whether the word has separate uses, or is vague, or narrow.")
    undefined = value("Why there are no modes; '' where there are.")
    rows = value("The rows of each mode, the most typical first.")
    responsibilities = value("(rows, modes): how far each row belongs to each mode.")

    def lines(self, mode: int) -> Table:
        """The most typical occurrences of a mode, from 0.

        Examples
        --------
        >>> len(store.modes("bank").lines(0))
        5
        """
        if mode not in range(len(self.modes)):
            raise IndexError(f"mode {mode}: {self.word!r} has {len(self.modes)}")
        return self._table(f"lines {mode}")


class BySize(Result):
    """How many occurrences are enough: what :meth:`Store.by_size` returns."""

    _title = "Breadth by the number of occurrences"
    sizes = table("What samples of each size give: ``n``, ``breadth``, ``low``, ``high``, ``half_width``, ...")
    word = value("The word.")
    breadth = value("Of all rows.")
    enough = value("The number of rows at which the half width of the interval falls to 0.1 and to 0.05.")
    breadth_in_order = value("From pairs of rows that stand near each other.")
    p_in_order = value("That it differs as much by chance; small where rows depend on their neighbours.")


class GapPairs(Result):
    """Tests of words some ranks apart: what :meth:`Store.gap_pairs` returns."""

    _title = "Pairs by gap"
    pairs = table("The pairs, gap after gap: ``gap``, ``x``, ``y``, ``effect``, ``p``, ``p_adjusted``, ...")
    gaps = value("The share of rejected pairs at each gap, with its interval.")
    words = value("In the ranking.")
    rows = value("Of each cloud that was tested.")
    dropped = value("Pairs left out because the rows to test had no breadth.")
    adjust = value("How p was adjusted.")
    seconds = value("Wall time of the tests.")
