"""What a chart of a comparison is before it is rendered, and what its parts share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from perfolio.charts.model import ChartFigure
from perfolio.metrics.model import Cell

Document = Mapping[str, Any]

MORE, LESS, SAME = "more time after", "less time after", "about the same"
FATES = (MORE, LESS, SAME)
"""What became of a time, in the order of the theme's colours of changes: red, blue, grey."""
NANO = 1e9


@dataclass(frozen=True)
class ComparisonFigure:
    """A chart and its data for download."""

    figure: ChartFigure
    header: tuple[str, ...]
    """Names of columns, with their units."""
    rows: Sequence[Sequence[Cell]]


def encode_fate(shown: Sequence[str] = ()) -> alt.Color:
    """Colour by what became of a time; a legend of those that are shown."""
    legend = alt.Legend(title=None, values=list(shown), symbolType="square") if shown else None
    return alt.Color(
        "fate:N", scale=alt.Scale(domain=list(FATES), range="diverging"), legend=legend
    )


def name_basis(document: Document) -> str:
    """What is compared: `an iteration`."""
    return "an iteration" if document["whole"]["basis"] == "iteration" else "the whole run"
