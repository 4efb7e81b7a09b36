"""Semantic breadth of words, and the test that compares it."""

from wordbreadth import _core
from wordbreadth._clouds import adjust, breadth, devices, pairs, test
from wordbreadth._core import Breadth, Device, Equivalence, TailEstimate, TestResult
from wordbreadth._results import ConfidenceInterval, PairResults
from wordbreadth._session import CloudHandle, Session

__version__ = _core.version()

__all__ = [
    "Breadth",
    "CloudHandle",
    "ConfidenceInterval",
    "Device",
    "Equivalence",
    "PairResults",
    "Session",
    "TailEstimate",
    "TestResult",
    "adjust",
    "breadth",
    "devices",
    "pairs",
    "test",
]
