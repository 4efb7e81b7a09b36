"""Semantic breadth of words, and the test that compares it."""

from wordbreadth import _core
from wordbreadth._clouds import Cloud
from wordbreadth._results import Comparison, Description, Ranking, Result, Triage
from wordbreadth._store import Store, info
from wordbreadth._tables import Table
from wordbreadth._wordnet import Senses, WordNet

__version__ = _core.version()
