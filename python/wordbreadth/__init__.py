"""Semantic breadth of words, and the test that compares it."""

from wordbreadth import _core
from wordbreadth._cloud import Cloud
from wordbreadth._encoder import EncodedText, Encoder
from wordbreadth._errors import ResumableError
from wordbreadth._extract import Extraction, extract
from wordbreadth._files import load
from wordbreadth._store import Store, info
from wordbreadth._studies import (
    BySize,
    Calibration,
    Comparison,
    Concordance,
    Description,
    Experiment,
    GapPairs,
    Modes,
    Ranking,
    Result,
    Triage,
)
from wordbreadth._tables import Table
from wordbreadth._wordnet import Senses, WordNet

__version__ = _core.version()

__all__ = [
    "BySize",
    "Calibration",
    "Cloud",
    "Comparison",
    "Concordance",
    "Description",
    "EncodedText",
    "Encoder",
    "Experiment",
    "Extraction",
    "GapPairs",
    "Modes",
    "Ranking",
    "Result",
    "ResumableError",
    "Senses",
    "Store",
    "Table",
    "Triage",
    "WordNet",
    "extract",
    "info",
    "load",
]
