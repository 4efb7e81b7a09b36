"""The options that every test takes, checked before anything is computed."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from wordbreadth import _core

Progress = Callable[[float], object]


def options(
    *,
    alternative: str = "two-sided",
    permutations: int = 20000,
    align: str = "householder",
    statistic: str = "auto",
    seed: int = 0,
    adaptive: int = 0,
    confidence: float = 0.95,
    null_distribution: bool = False,
    tail_estimate: bool = False,
    equivalence: float | None = None,
    device: str = "auto",
    threads: int | None = None,
    instruction_set: str | None = None,
    progress: Progress | None = None,
) -> _core.Options:
    return _core.options(
        _text("alternative", alternative),
        count("permutations", permutations),
        _text("align", align),
        _text("statistic", statistic),
        count("seed", seed),
        count("adaptive", adaptive),
        float(confidence),
        bool(null_distribution),
        bool(tail_estimate),
        None if equivalence is None else float(equivalence),
        _text("device", device),
        thread_count(threads),
        _text("instruction_set", instruction_set or ""),
        _callable(progress),
    )


def statistic_of(statistic: str, blocks: str | None) -> str:
    """The statistic, where ``blocks`` may say it: 'document' permutes documents, 'none' rows."""
    if blocks is None:
        return statistic
    if blocks not in ("document", "none"):
        raise ValueError(f"blocks = {blocks!r}; expected 'document' or 'none'")
    if statistic != "auto":
        raise ValueError("expected statistic or blocks, not both: blocks='none' is statistic='plain'")
    return "blocks" if blocks == "document" else "plain"


def thread_count(threads: int | None) -> int:
    return 0 if threads is None else count("threads", threads, low=1, high=2**32 - 1)


def count(name: str, value: Any, low: int = 0, high: int = 2**64 - 1) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} = {value!r}; expected a whole number") from None
    if not low <= number <= high:
        raise ValueError(f"{name} = {number}; expected {low} to {high}")
    return number


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} = {value!r}; expected a string")
    return value


def _callable(progress: Any) -> Progress | None:
    if progress is not None and not callable(progress):
        raise TypeError(f"progress = {progress!r}; expected None or something to call with the share done")
    return progress
