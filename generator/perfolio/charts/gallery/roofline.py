"""How far is each kernel from what the device allows?"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.bar_rows import stack_layers
from perfolio.charts.chart_data import Record, amount, format_full_name, plural, read_scalar
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
ORDER = 1
HEIGHT = 420
MOST = 40
"""Kernels that are drawn, those with the most time."""
_SIDES = {"memory": "Memory-bound", "arithmetic": "Compute-bound"}
_ROLES = {"copies": _SIDES["memory"], "kernels": _SIDES["arithmetic"]}


def draw(results: Results) -> ChartFigure | None:
    """Kernels by intensity and rate below the ceilings; None without counts or ceilings."""
    ceilings = {str(row["ceiling"]): row for row in get_rows(results, "roofline.ceilings")}
    memory = ceilings.get("memory")
    bandwidth = read_rate(memory, "bandwidth") if memory else 0.0
    rows = [row for row in get_rows(results, "roofline.kernels") if _is_placed(row)][:MOST]
    if not rows or not bandwidth:
        return None
    used = dict.fromkeys(str(row["precision"]) for row in rows)
    met = [ceilings[name] for name in used if name in ceilings]
    left_out = len(get_rows(results, "roofline.kernels")) - len(rows)
    return ChartFigure(
        title=_make_title(results),
        description=f"{plural(len(rows), 'kernel')} by arithmetic intensity and rate, on "
        f"logarithmic axes, below the roof: {quantity(bandwidth, 'B/s')} of memory"
        + "".join(map(describe_roof, met))
        + f". {_describe_kernel(rows[0])}",
        chart=_draw_chart(rows, memory, met),
        metric="roofline.kernels",
        note="Larger dots took more time. Solid: nominal peaks; dashed: measured on this device. "
        "Axes are the same in every report."
        + (f" {plural(left_out, 'kernel')} without floating-point operations, or with little time, "
           f"{'is' if left_out == 1 else 'are'} in the table." if left_out else ""),
    )  # fmt: skip


def _make_title(results: Results) -> str:
    share, near = (
        read_scalar(results, "roofline.memory_share"),
        read_scalar(results, "roofline.share"),
    )
    if share is None or near is None:
        return "Kernels below the roof of the device"
    side, most = ("Memory", share) if share >= 0.5 else ("Arithmetic", 1.0 - share)
    return (
        f"{side} bounds {quantity(most, 'ratio')} of the counted kernels' time; together "
        "they "
        f"reach {quantity(near, 'ratio')} of the roof"
    )


def _describe_kernel(row: Record) -> str:
    return (
        f"{format_full_name(row['kernel'])} takes the most time and reaches "
        f"{quantity(row['share'], 'ratio')} of its roof."
    )


def _is_placed(row: Record) -> bool:
    inside = INTENSITIES[0] <= amount(row, "intensity") <= INTENSITIES[1]
    return inside and RATES[0] <= amount(row, "rate") <= RATES[1] and bool(row["side"])


def _draw_chart(
    rows: list[Record], memory: Record | None, ceilings: list[Record]
) -> alt.LayerChart:
    x, y = make_roofline_axes()
    lines, names = draw_roofs(memory, ceilings, x, y)
    least, picked, shown = make_filters("kernel")
    dots = _draw_dots(rows, x, y, shown).add_params(picked)
    return stack_layers(*lines, dots, names, height=HEIGHT).add_params(least)


def _draw_dots(rows: list[Record], x: alt.X, y: alt.Y, shown: object) -> alt.Chart:
    legend = alt.Legend(title=None, symbolType="circle", values=list(_SIDES.values()))
    dots: alt.Chart = (
        alt.Chart(ChartRows(_make_points(rows)))
        .transform_filter("datum.part >= least")
        .mark_point(filled=True, clip=True)
        .encode(
            x=x,
            y=y,
            opacity=shown,
            size=alt.Size("time:Q", scale=alt.Scale(range=[30, 700]), legend=None),
            color=alt.Color(
                "side:N", scale=alt.Scale(domain=make_colour_domain(_ROLES)), legend=legend
            ),
            tooltip=[
                alt.Tooltip("kernel:N", title="Kernel"),
                alt.Tooltip("total:N", title="Time"),
                alt.Tooltip("share:N", title="Share of the roof"),
                alt.Tooltip("rate:N", title="Rate"),
                alt.Tooltip("intensity:N", title="Intensity"),
                alt.Tooltip("precision:N", title="Precision"),
            ],
        )
    )
    return dots


def _make_points(rows: list[Record]) -> list[dict[str, object]]:
    total = sum(amount(row, "total") for row in rows)
    return [
        {
            "x": amount(row, "intensity"),
            "y": amount(row, "rate"),
            "time": amount(row, "total"),
            "part": 100.0 * amount(row, "total") / total if total else 0.0,
            "side": _SIDES.get(str(row["side"]), ""),
            "kernel": format_full_name(row["kernel"]),
            "total": quantity(row["total"], "s"),
            "share": quantity(row["share"], "ratio"),
            "rate": quantity(row["rate"], "FLOP/s"),
            "intensity": quantity(row["intensity"], "FLOP/B"),
            "precision": str(row["precision"] or ""),
        }
        for row in rows
    ]
