"""What changes save, as one page: figures, one iteration before and after, and what it rests on.

In:  a `Prediction`, and the chart of an iteration, if one can be drawn. Out: HTML that loads
     nothing.
"""

from __future__ import annotations

from urllib.parse import quote

from perfolio.charts.model import RenderedChart
from perfolio.pages.template_environment import render
from perfolio.prediction.formatting import format_amount
from perfolio.prediction.model import Prediction


def render_whatif(prediction: Prediction, chart: RenderedChart | None) -> str:
    """The page."""
    picture = f"data:image/svg+xml,{quote(chart.svg)}" if chart else ""
    return render(
        "whatif.html.j2",
        prediction=prediction,
        chart=chart,
        picture=picture,
        format_amount=format_amount,
    )
