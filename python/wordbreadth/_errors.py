"""Exceptions that say more than their message."""

from __future__ import annotations


class ResumableError(ValueError):
    """An extraction that stopped, or a store that is there already; what is finished of it is kept.

    Attributes
    ----------
    folder : str
        Of the store: ``extract(out=folder, resume=True)`` continues where it stopped.
    """

    def __init__(self, message: str, folder: str) -> None:
        super().__init__(message)
        self.folder = folder

    def __reduce__(self) -> tuple:
        return type(self), (str(self), self.folder)
