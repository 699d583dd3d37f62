"""How far is each kernel from what the device allows?"""

from __future__ import annotations

import altair as alt

from generator.charts.data import Record, amount, full_name, plural, scalar
from generator.charts.model import Figure
from generator.charts.rowplot import layered
from generator.charts.theme import colour_domain
from generator.metrics.model import Results
from generator.metrics.values import rows_of
from generator.units import quantity

GROUP = "ceilings"
ORDER = 1
HEIGHT = 420
INTENSITIES = (1e-2, 1e4)
RATES = (1e9, 1e16)
"""Ends of both axes: the same in all reports, so that two of them can be laid over each other."""
MOST = 40
"""Kernels that are drawn, those with the most time."""
_SIDES = {"memory": "Memory-bound", "arithmetic": "Compute-bound"}
_ROLES = {"copies": _SIDES["memory"], "kernels": _SIDES["arithmetic"]}
_LABELS = (
    "datum.value >= 1e15 ? format(datum.value / 1e15, '~g') + ' PFLOP/s'"
    " : datum.value >= 1e12 ? format(datum.value / 1e12, '~g') + ' TFLOP/s'"
    " : format(datum.value / 1e9, '~g') + ' GFLOP/s'"
)


def draw(results: Results) -> Figure | None:
    """Kernels by intensity and rate below the ceilings; None without counts or ceilings."""
    ceilings = {str(row["ceiling"]): row for row in rows_of(results, "roofline.ceilings")}
    memory = ceilings.get("memory")
    bandwidth = _rate(memory, "bandwidth") if memory else 0.0
    rows = [row for row in rows_of(results, "roofline.kernels") if _is_placed(row)][:MOST]
    if not rows or not bandwidth:
        return None
    used = dict.fromkeys(str(row["precision"]) for row in rows)
    roofs = [ceilings[name] for name in used if name in ceilings]
    beside = len(rows_of(results, "roofline.kernels")) - len(rows)
    return Figure(
        title=_title(results),
        description=f"{plural(len(rows), 'kernel')} by arithmetic intensity and rate, on "
        f"logarithmic axes, below the roof: {quantity(bandwidth, 'B/s')} of memory"
        + "".join(map(_roof_words, roofs))
        + f". {_words(rows[0])}",
        chart=_chart(rows, bandwidth, memory or {}, roofs),
        metric="roofline.kernels",
        note="Larger dots took more time. Solid: nominal peaks; dashed: measured on this device. "
        "Axes are the same in every report."
        + (f" {plural(beside, 'kernel')} without floating-point operations, or with little time, "
           f"{'is' if beside == 1 else 'are'} in the table." if beside else ""),
    )  # fmt: skip


def _title(results: Results) -> str:
    share, near = scalar(results, "roofline.memory_share"), scalar(results, "roofline.share")
    if share is None or near is None:
        return "Kernels below the roof of the device"
    side, most = ("Memory", share) if share >= 0.5 else ("Arithmetic", 1.0 - share)
    return (
        f"{side} bounds {quantity(most, 'ratio')} of the counted kernels' time; together they "
        f"reach {quantity(near, 'ratio')} of the roof"
    )


def _roof_words(roof: Record) -> str:
    return f", {quantity(_rate(roof, 'peak'), 'FLOP/s')} for {roof['ceiling']}"


def _words(row: Record) -> str:
    return (
        f"{full_name(row['kernel'])} takes the most time and reaches "
        f"{quantity(row['share'], 'ratio')} of its roof."
    )


def _is_placed(row: Record) -> bool:
    inside = INTENSITIES[0] <= amount(row, "intensity") <= INTENSITIES[1]
    return inside and RATES[0] <= amount(row, "rate") <= RATES[1] and bool(row["side"])


def _rate(row: Record, column: str) -> float:
    """The nominal rate of a ceiling, else what was measured."""
    return amount(row, column) or amount(row, _measured(column))


def _measured(column: str) -> str:
    return "measured_bandwidth" if column == "bandwidth" else "measured"


def _chart(
    rows: list[Record], bandwidth: float, memory: Record, roofs: list[Record]
) -> alt.LayerChart:
    x = alt.X(
        "x:Q",
        scale=alt.Scale(type="log", domain=list(INTENSITIES), nice=False),
        axis=alt.Axis(title="Arithmetic intensity (FLOP/B, log)", format="~g",
                      values=[10.0**power for power in range(-2, 5)]),
    )  # fmt: skip
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(type="log", domain=list(RATES), nice=False),
        axis=alt.Axis(title="Rate (FLOP/s, log)", labelExpr=_LABELS,
                      values=[10.0**power for power in range(9, 17)]),
    )  # fmt: skip
    dashed = _measured_roof(bandwidth, memory, roofs)
    names = alt.Chart(alt.Data(values=_names(roofs))).mark_text(
        style="pf-note", align="right", baseline="bottom", dy=-3
    ).encode(x=x, y=y, text="name:N")  # fmt: skip
    return layered(
        _line(_nominal_roof(bandwidth, roofs), "pf-whisker", x, y),
        *([_line(dashed, "pf-limit", x, y)] if dashed else []),
        _dots(rows, x, y),
        names,
        height=HEIGHT,
    )


def _dots(rows: list[Record], x: alt.X, y: alt.Y) -> alt.Chart:
    legend = alt.Legend(title=None, symbolType="circle", values=list(_SIDES.values()))
    dots: alt.Chart = (
        alt.Chart(alt.Data(values=_points(rows)))
        .mark_point(filled=True, opacity=0.8, clip=True)
        .encode(
            x=x,
            y=y,
            size=alt.Size("time:Q", scale=alt.Scale(range=[30, 700]), legend=None),
            color=alt.Color("side:N", scale=alt.Scale(domain=colour_domain(_ROLES)), legend=legend),
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


def _nominal_roof(bandwidth: float, roofs: list[Record]) -> list[dict[str, object]]:
    top = max((_rate(roof, "peak") for roof in roofs), default=0.0)
    found = _slope(bandwidth, top)
    for roof in roofs:
        found += _flat(str(roof["ceiling"]), _rate(roof, "peak"), bandwidth)
    return found


def _measured_roof(
    bandwidth: float, memory: Record, roofs: list[Record]
) -> list[dict[str, object]]:
    """What was measured of the roof, where that is told beside the nominal rates."""
    own = amount(memory, "measured_bandwidth") or bandwidth
    found = [roof for roof in roofs if amount(roof, "measured") > 0.0]
    top = max((amount(roof, "measured") for roof in found), default=0.0)
    lines = _slope(own, top)
    for roof in found:
        lines += _flat(str(roof["ceiling"]), amount(roof, "measured"), own)
    return lines


def _line(rows: list[dict[str, object]], style: str, x: alt.X, y: alt.Y) -> alt.Chart:
    line: alt.Chart = (
        alt.Chart(alt.Data(values=rows))
        .mark_line(style=style, clip=True)
        .encode(x=x, y=y, detail="line:N")
    )
    return line


def _slope(bandwidth: float, peak: float) -> list[dict[str, object]]:
    """Memory's roof, from the left edge to the ridge of the highest peak."""
    if not bandwidth or not peak:
        return []
    return [
        {"line": "memory", "x": at, "y": at * bandwidth}
        for at in (INTENSITIES[0], peak / bandwidth)
    ]


def _flat(name: str, peak: float, bandwidth: float) -> list[dict[str, object]]:
    """A precision's roof, from its ridge to the right edge."""
    return [{"line": name, "x": at, "y": peak} for at in (peak / bandwidth, INTENSITIES[1])]


def _names(roofs: list[Record]) -> list[dict[str, object]]:
    return [
        {
            "x": INTENSITIES[1],
            "y": _rate(roof, "peak"),
            "name": f"{roof['ceiling']} {quantity(_rate(roof, 'peak'), 'FLOP/s')}",
        }
        for roof in roofs
    ]


def _points(rows: list[Record]) -> list[dict[str, object]]:
    return [
        {
            "x": amount(row, "intensity"),
            "y": amount(row, "rate"),
            "time": amount(row, "total"),
            "side": _SIDES.get(str(row["side"]), ""),
            "kernel": full_name(row["kernel"]),
            "total": quantity(row["total"], "s"),
            "share": quantity(row["share"], "ratio"),
            "rate": quantity(row["rate"], "FLOP/s"),
            "intensity": quantity(row["intensity"], "FLOP/B"),
            "precision": str(row["precision"] or ""),
        }
        for row in rows
    ]
