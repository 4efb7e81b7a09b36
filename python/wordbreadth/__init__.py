"""Semantic breadth of words, and the test that compares it."""

from wordbreadth import _core

__version__ = _core.version()
