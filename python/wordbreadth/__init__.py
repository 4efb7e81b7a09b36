"""Semantic breadth of words, and the test that compares it."""

import atexit
import importlib

from wordbreadth import _core, plot
from wordbreadth._cloud import Cloud
from wordbreadth._clouds import adjust, breadth, devices, pairs, test
from wordbreadth._core import Breadth, Device, Equivalence, TailEstimate, TestResult
from wordbreadth._encoder import EncodedText, Encoder
from wordbreadth._errors import ResumableError
from wordbreadth._extract import Extraction, extract, merge
from wordbreadth._files import load
from wordbreadth._results import ConfidenceInterval, PairPart, PairResults
from wordbreadth._session import CloudHandle, Session
from wordbreadth._store import Store, info
from wordbreadth._studies import (
    BySize,
    Calibration,
    Comparison,
    Concordance,
    Description,
    Experiment,
    GapPairs,
    LayerComparison,
    Modes,
    Ranking,
    Result,
    Triage,
)
from wordbreadth._tables import Table
from wordbreadth._wordnet import Senses, WordNet

atexit.register(_core.end_calls)  # a thread may still be in a call


def __getattr__(name: str) -> object:
    """``wordbreadth.ray`` is imported when it is asked for: it needs Ray."""
    if name == "ray":
        return importlib.import_module("wordbreadth.ray")
    raise AttributeError(f"module 'wordbreadth' has no attribute {name!r}")


__version__ = _core.version()

__all__ = [
    "Breadth",
    "BySize",
    "Calibration",
    "Cloud",
    "CloudHandle",
    "Comparison",
    "Concordance",
    "ConfidenceInterval",
    "Description",
    "Device",
    "EncodedText",
    "Encoder",
    "Equivalence",
    "Experiment",
    "Extraction",
    "GapPairs",
    "LayerComparison",
    "Modes",
    "PairPart",
    "PairResults",
    "Ranking",
    "Result",
    "ResumableError",
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
    "extract",
    "info",
    "load",
    "merge",
    "pairs",
    "plot",
    "test",
]
