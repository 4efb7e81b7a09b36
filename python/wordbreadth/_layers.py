"""Layers of a model as the library writes them: 4, a range 2-4, several 2,4,6."""

from __future__ import annotations

import operator
from collections.abc import Iterable

Layer = int | str | tuple[int, int]  # one, or the first and the last of a range whose mean is taken
Layers = Layer | Iterable[Layer]  # a list, or what is like one: several, each by itself


def layer_text(layer: Layer) -> str:
    """One layer or range."""
    if isinstance(layer, str):
        return layer
    if isinstance(layer, tuple):
        if len(layer) != 2 or layer[0] > layer[1]:
            raise ValueError(
                f"layer: found {layer!r}; expected the first and the last of a range, such as (2, 4); "
                "several layers are a list, such as [2, 4, 6]"
            )
        first, last = (operator.index(end) for end in layer)
        return str(first) if first == last else f"{first}-{last}"
    try:
        return str(operator.index(layer))
    except TypeError:
        raise TypeError(f"layer: found {layer!r}; expected a layer such as 4, or a range such as (2, 4)") from None


def layers_text(layer: Layers | None, layers: Layers | None) -> str | None:
    """What was given under either name; None where neither was."""
    if layer is not None and layers is not None:
        raise TypeError("expected layer or layers, not both: they mean the same")
    given = layers if layer is None else layer
    if given is None:
        return None
    several = isinstance(given, Iterable) and not isinstance(given, (str, tuple))
    return ",".join(layer_text(each) for each in given) if several else layer_text(given)
