"""Semantic breadth of words, and the test that compares it."""

from wordbreadth import _core
from wordbreadth._cloud import Cloud
from wordbreadth._clouds import adjust, breadth, devices, pairs, test
from wordbreadth._core import Breadth, Device, Equivalence, TailEstimate, TestResult
from wordbreadth._results import ConfidenceInterval, PairResults
from wordbreadth._session import CloudHandle, Session
from wordbreadth._store import Store, info
from wordbreadth._studies import Comparison, Description, Ranking, Result, Triage
from wordbreadth._tables import Table
from wordbreadth._wordnet import Senses, WordNet

__version__ = _core.version()

__all__ = [
    "Breadth",
    "Cloud",
    "CloudHandle",
    "Comparison",
    "ConfidenceInterval",
    "Description",
    "Device",
    "Equivalence",
    "PairResults",
    "Ranking",
    "Result",
    "Senses",
    "Session",
    "Store",
    "Table",
    "TailEstimate",
    "TestResult",
    "Triage",
    "WordNet",
    "adjust",
    "breadth",
    "devices",
    "info",
    "pairs",
    "test",
]
