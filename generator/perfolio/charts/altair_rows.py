"""Rows of a chart's data, as Altair holds them.

Altair copies a chart with all that is in it whenever it becomes a layer of another one, and goes
through each value again to write the specification. Rows are as they were given: copies share them,
and so they do with how the marks of a layer look, where `shared` says that nobody changes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import altair as alt


class ChartRows(alt.Data):
    """What the marks of a chart are drawn from: values by the name of a field."""

    def __init__(self, values: Sequence[Mapping[str, object]]) -> None:
        super().__init__(values=values)  # type: ignore[no-untyped-call]

    def __deepcopy__(self, memo: object) -> ChartRows:
        return self

    def to_dict(self, *_: object, **__: object) -> dict[str, Any]:
        """The part of a specification."""
        return {"values": self["values"]}


def reuse_marks(layers: Iterable[alt.Chart]) -> list[alt.Chart]:
    """The same layers; copies of them, which Altair makes by the dozen, share their marks."""
    return [_reuse_layer_marks(layer) for layer in layers]


def _reuse_layer_marks(layer: alt.Chart) -> alt.Chart:
    for name in ("mark", "encoding"):
        part = layer[name]
        if isinstance(part, alt.SchemaBase):
            # Not by `part.name = value`, which would make it a part of the specification.
            object.__setattr__(part, "__deepcopy__", lambda _, part=part: part)
    return layer
