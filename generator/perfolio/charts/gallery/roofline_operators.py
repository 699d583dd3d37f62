"""What do operators ask of the device by their sizes, and how far are they from its roof?"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.bar_rows import stack_layers
from perfolio.charts.chart_data import Record, amount, plural
from perfolio.charts.model import ChartFigure
from perfolio.charts.roofline_axes import (
    INTENSITIES,
    RATES,
    describe_roof,
    draw_roofs,
    make_filters,
    make_roofline_axes,
    read_rate,
)
from perfolio.charts.theme import make_colour_domain
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "ceilings"
ORDER = 2
HEIGHT = 420
MOST = 30
"""Operators that are drawn, those with the most time."""
_KINDS = {"product": "Products", "attention": "Attention", "convolution": "Convolutions"}
_ROLES = {"kernels": "Products", "allocation": "Attention", "cpu": "Convolutions",
          "copies": "Element-wise"}  # fmt: skip


def draw(results: Results) -> ChartFigure | None:
    """Operators by computed intensity and rate, each a box from most bytes to fewest."""
    ceilings = {str(row["ceiling"]): row for row in get_rows(results, "roofline.ceilings")}
    memory = ceilings.get("memory")
    rows = [row for row in get_rows(results, "roofline.operators") if _is_placed(row)][:MOST]
    if not rows or memory is None or not read_rate(memory, "bandwidth"):
        return None
    met = [ceilings[name] for name in _list_precisions(rows) if name in ceilings]
    longest = rows[0]
    return ChartFigure(
        title="By its sizes, the operator with the most time reaches "
        f"{quantity(longest['share'], 'ratio')} of its roof",
        description=f"{plural(len(rows), 'operator')} by computed arithmetic intensity and rate, "
        f"below {quantity(read_rate(memory, 'bandwidth'), 'B/s')} of memory"
        + "".join(map(describe_roof, met))
        + ". Each line ends at the intensity for the most bytes and for the fewest.",
        chart=_draw_chart(rows, memory, met),
        metric="roofline.operators",
        note="Computed from sizes, not measured: a line ends left where nothing is kept, right "
        "where each tensor moves once. Axes are the same in every report.",
    )


def _list_precisions(rows: list[Record]) -> dict[str, None]:
    return dict.fromkeys(
        "FP32" if row["kind"] == "element-wise" else str(row["precision"]) for row in rows
    )


def _is_placed(row: Record) -> bool:
    inside = INTENSITIES[0] <= amount(row, "low") <= amount(row, "high") <= INTENSITIES[1]
    return inside and RATES[0] <= amount(row, "rate") <= RATES[1]


def _name_kind(row: Record) -> str:
    return _KINDS.get(str(row["kind"]), "Element-wise")


def _draw_chart(rows: list[Record], memory: Record, ceilings: list[Record]) -> alt.LayerChart:
    x, y = make_roofline_axes()
    lines, names = draw_roofs(memory, ceilings, x, y)
    least, picked, shown = make_filters("operator")
    points = alt.Chart(ChartRows(_make_points(rows))).transform_filter("datum.part >= least")
    kinds = sorted({_name_kind(row) for row in rows})
    colour = alt.Color(
        "kind:N",
        scale=alt.Scale(domain=make_colour_domain(_ROLES)),
        legend=alt.Legend(title=None, symbolType="circle", values=kinds),
    )
    boxes = points.mark_rule(strokeWidth=3, clip=True).encode(
        x=x, x2=alt.X2("x2:Q"), y=y, color=colour, opacity=shown
    )
    dots = points.mark_point(filled=True, clip=True).encode(
        x=make_roofline_axes("x2")[0], y=y, color=colour, opacity=shown,
        size=alt.Size("time:Q", scale=alt.Scale(range=[30, 500]), legend=None),
        tooltip=[alt.Tooltip(f"{name}:N", title=title) for name, title in _TOOLTIPS.items()],
    )  # fmt: skip
    return stack_layers(*lines, boxes, dots.add_params(picked), names, height=HEIGHT).add_params(
        least
    )


_TOOLTIPS = {
    "operator": "Operator", "sizes": "Sizes", "total": "Time", "rate": "Rate",
    "intensity": "Intensity", "share": "Share of the roof", "side": "Bound by",
    "bytes": "Bytes, each tensor once", "counted": "Bytes counted",
}  # fmt: skip


def _make_points(rows: list[Record]) -> list[dict[str, object]]:
    total = sum(amount(row, "total") for row in rows)
    return [
        {
            "x": amount(row, "low"),
            "x2": amount(row, "high"),
            "y": amount(row, "rate"),
            "time": amount(row, "total"),
            "part": 100.0 * amount(row, "total") / total,
            "kind": _name_kind(row),
            "operator": str(row["operator"]),
            "sizes": str(row["sizes"])[:60],
            "total": quantity(row["total"], "s"),
            "rate": quantity(row["rate"], "FLOP/s"),
            "intensity": f"{quantity(row['low'], 'FLOP/B')} to {quantity(row['high'], 'FLOP/B')}",
            "share": quantity(row["share"], "ratio"),
            "side": str(row["side"]),
            "bytes": quantity(row["least"], "B"),
            "counted": quantity(row["counted"], "B"),
        }
        for row in rows
    ]
