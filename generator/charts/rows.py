"""Rows of a chart's data, as Altair holds them.

Altair copies a chart with all that is in it whenever it becomes a layer of another one, and goes
through each value again to write the specification. Rows are as they were given: copies share them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt


class Rows(alt.Data):
    """What the marks of a chart are drawn from: values by the name of a field."""

    def __init__(self, values: Sequence[Mapping[str, object]]) -> None:
        super().__init__(values=values)  # type: ignore[no-untyped-call]

    def __deepcopy__(self, memo: object) -> Rows:
        return self

    def to_dict(self, *_: object, **__: object) -> dict[str, Any]:
        """The part of a specification."""
        return {"values": self["values"]}
