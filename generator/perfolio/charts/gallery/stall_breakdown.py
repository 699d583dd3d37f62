"""What do stalled warps wait for, and how sure is that?"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import ScaledAxis
from perfolio.charts.bar_rows import BAR_MIDDLE, BarItem, encode_row_y, plot_rows
from perfolio.charts.chart_data import Record, amount, select_positive, to_number
from perfolio.charts.model import ChartFigure
from perfolio.common.units import compute_half_width, format_interval_ends, quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "stalls"
ORDER = 1


def draw(results: Results) -> ChartFigure | None:
    """Share of stalls per reason with 95 % intervals; None without stalled samples."""
    rows = select_positive(get_rows(results, "stall.reasons"), "of_stalls")
    if not rows:
        return None
    top = rows[0]
    longest = max(to_number(row.get("of_stalls_high")) or amount(row, "of_stalls") for row in rows)
    axis = ScaledAxis("Share of stalls; diamonds: of all samples", 0.01, "%")
    samples = sum(amount(row, "samples") for row in rows)
    return ChartFigure(
        title=f"{str(top['reason']).capitalize()}: "
        f"{_format_share(top, 'of_stalls')} of stalls, "
        f"{_format_share(top, 'of_samples')} of all samples",
        description=f"Bars of the share of {quantity(samples, 'samples')} stalled by reason: "
        + ", ".join(f"{row['reason']} {_format_share(row, 'of_stalls')}" for row in rows)
        + ". Whiskers are 95 % intervals; diamonds are shares of all samples.",
        chart=plot_rows(
            [_make_item(row) for row in rows], axis, min(longest * 1.02, 1.0), *_draw_marks(rows)
        ),
        metric="stall.reasons",
        note="A share of stalls says what to fix among stalls; the share of all samples says "
        "how often it was met at all: a kernel that fills the GPU has more of them for its time. "
        "In brackets and as whiskers: the 95 % interval of sampling.",
    )


def _make_item(row: Record) -> BarItem:
    return BarItem(
        name=str(row["reason"]).capitalize(),
        text=f"{_format_share(row, 'of_stalls')}{_format_interval(row)}",
        segments=(("cpu", amount(row, "of_stalls")),),
        details={
            "Share of all samples": _format_share(row, "of_samples"),
            "Samples": quantity(row["samples"], "samples"),
            "HPCToolkit's name": f"GINS:STL_{row['code']}",
        },
    )


def _format_interval(row: Record) -> str:
    low, high = to_number(row.get("of_stalls_low")), to_number(row.get("of_stalls_high"))
    if low is None or high is None:
        return ""
    return f" ({'–'.join(format_interval_ends(low, high, 'ratio'))})"


def _format_share(row: Record, column: str) -> str:
    """A share, as exactly as its interval allows."""
    half = compute_half_width(row.get(f"{column}_low"), row.get(f"{column}_high"))
    return quantity(row[column], "ratio", half)


def _draw_marks(rows: list[Record]) -> tuple[alt.Chart, ...]:
    data = [
        {
            "low": 100.0 * (to_number(row.get("of_stalls_low")) or amount(row, "of_stalls")),
            "high": 100.0 * (to_number(row.get("of_stalls_high")) or amount(row, "of_stalls")),
            "samples": 100.0 * amount(row, "of_samples"),
            "middle": index + BAR_MIDDLE,
            "text": _format_share(row, "of_samples"),
        }
        for index, row in enumerate(rows)
    ]
    base = alt.Chart(ChartRows(data)).encode(y=encode_row_y("middle", len(rows)))
    return (
        base.mark_rule(style="pf-whisker").encode(x=alt.X("low:Q"), x2=alt.X2("high:Q")),
        base.mark_tick(style="pf-cap").encode(x=alt.X("low:Q")),
        base.mark_tick(style="pf-cap").encode(x=alt.X("high:Q")),
        base.mark_point(style="pf-dot", shape="diamond", filled=True, size=70).encode(
            x=alt.X("samples:Q"), tooltip=[alt.Tooltip("text:N", title="Share of all samples")]
        ),
    )
