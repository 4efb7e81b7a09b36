"""Packages that are imported when they are needed."""

from __future__ import annotations

import importlib
from types import ModuleType


def needed(package: str, extra: str) -> ModuleType:
    """The package, or ImportError that says what to install."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise ImportError(f"{package} is not installed; pip install 'wordbreadth[{extra}]' installs it") from error
