"""Texts to vectors."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordbreadth import _core
from wordbreadth._layers import Layers, layers_text
from wordbreadth._progress import Progress, reporting


@dataclass(frozen=True, eq=False)
class EncodedText:
    """The tokens of one text. Special tokens ([CLS], [SEP]) are among them, with empty spans at 0.

    Attributes
    ----------
    vectors : numpy.ndarray
        (tokens, d), float32.
    ids : numpy.ndarray
        (tokens), in the model's vocabulary.
    offsets : numpy.ndarray
        (tokens, 2): where each stands in the text, from and to, in characters.
    truncated : bool
        Whether there were more tokens than ``max_tokens``.
    """

    vectors: np.ndarray
    ids: np.ndarray
    offsets: np.ndarray
    truncated: bool

    def __len__(self) -> int:
        return len(self.ids)


def _require_text(where: str, text: Any) -> None:
    """What can be written as UTF-8: no half of a surrogate pair."""
    if not isinstance(text, str):
        raise TypeError(f"{where} is of type {type(text).__name__}; expected a string")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        place = f"{where} has half of a surrogate pair, {text[error.start]!r}, at character {error.start}"
        raise ValueError(f"{place}; expected Unicode text: replace the character") from None


class Encoder:
    """A language model in memory.

    Parameters
    ----------
    model
        The folder of a Hugging Face snapshot, of any architecture that docs/extract.md lists.
    layer
        A layer, or the first and the last of a range whose mean is taken, such as ``(2, 4)``; 0 is the embeddings.
        Default: one third up. A list gives the vectors of several in one run: arrays then have an axis of layers
        before the last.
    max_tokens
        Of a text, special tokens included; longer texts are truncated.
    precision
        Of the matrix products: 'auto' (f32 on the CPU, f16 on a GPU), 'f32', 'bf16' or 'f16'.
    mecab_dictionary
        For models that tokenize with MeCab: the folder of a dictionary.
    device, instruction_set, threads
        Where to run: 'auto', 'cpu', 'cuda' (the first GPU) or 'cuda:0', 'cuda:1', ...

    Examples
    --------
    >>> encoder = wb.Encoder(model, max_tokens=32)
    >>> encoder(["The bank of the river.", "A bank."]).shape == (2, encoder.dimension)
    True
    >>> first = encoder(["The bank."], tokens=True)[0]
    >>> first.vectors.shape == (len(first.ids), encoder.dimension)
    True
    """

    def __init__(
        self,
        model: str | os.PathLike[str],
        *,
        layer: Layers | None = None,
        layers: Layers | None = None,
        max_tokens: int = 128,
        precision: str = "auto",
        mecab_dictionary: str | os.PathLike[str] | None = None,
        device: str = "auto",
        instruction_set: str | None = None,
        threads: int | None = None,
    ) -> None:
        self.model = os.fspath(model)
        self._core = _core.Encoder(
            {
                "model": self.model,
                "layers": layers_text(layer, layers),
                "max_tokens": max_tokens,
                "precision": precision,
                "mecab_dictionary": mecab_dictionary,
                "device": device,
                "instruction_set": instruction_set,
                "threads": threads,
            }
        )

    def __call__(self, texts: str | Iterable[str], *, tokens: bool = False, progress: Progress = True) -> Any:
        """The vectors of texts: their means over tokens, (texts, d), or an :class:`EncodedText` for each.

        Parameters
        ----------
        texts
            One, or several. Of one, a vector (d), or its :class:`EncodedText`, is returned.
        tokens
            Return the vectors of all tokens instead.
        progress
            See :func:`wordbreadth.extract`.
        """
        one = isinstance(texts, str)
        given = [texts] if one else list(texts)
        for index, text in enumerate(given):
            _require_text("the text" if one else f"texts[{index}]", text)
        with reporting(progress, "encoding") as report:
            if tokens:
                found: Any = [EncodedText(*text) for text in self._core.tokens(given, report)]
            else:
                found = self._core.pooled(given, report)
        return found[0] if one else found

    @property
    def dimension(self) -> int:
        """Of the vectors."""
        return self._core.dimension

    @property
    def layers(self) -> tuple[int, int] | list[tuple[int, int]]:
        """That the vectors come from: the first and the last; of several, a list of these."""
        layers = self._core.layers
        return layers[0] if len(layers) == 1 else layers

    @property
    def model_layers(self) -> int:
        """That the model has."""
        return self._core.model_layers

    @property
    def precision(self) -> str:
        """In use: 'f32', 'bf16' or 'f16'."""
        return self._core.precision

    @property
    def device(self) -> str:
        """In use, with its instruction set."""
        return self._core.device

    def __repr__(self) -> str:
        return f"Encoder({self.model!r}): {self.dimension} dimensions, {self.device}, {self.precision}"
