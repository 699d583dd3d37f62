"""How fast are copies, and how far from the peak of the link?"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import ScaledAxis, scale_axis
from perfolio.charts.bar_rows import BAR_BOTTOM, BAR_TOP, BarItem, encode_row_y, plot_rows
from perfolio.charts.chart_data import (
    Record,
    amount,
    describe_direction,
    read_scalar,
    select_positive,
)
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "transfers"
ORDER = 2

_OF_PATH = ("mean_bytes", "bandwidth", "time")
_FIXED = 1.4e-6
"""What a copy takes besides its bytes, as in the metric transfer.small_copies [s]."""
_SLOW = 0.5
"""Page-locked copies of that size reach more of the link's rate than this [ratio]."""
HOST_LINK = ("H2D", "D2H")
"""Directions that cross the link between host and device."""


def draw(results: Results) -> ChartFigure | None:
    """Bars of bandwidth, per direction where it is known; None where no time or bytes are."""
    overall = read_scalar(results, "transfer.bandwidth")
    rows = select_positive(get_rows(results, "transfer.directions"), "bandwidth")
    rows.sort(key=lambda row: row["direction"] not in HOST_LINK)
    items = [_make_overall_item(results, overall)] if overall else []
    items += [_make_item(row) for row in rows]
    if not items:
        return None
    peak = _find_peak(results)
    longest = max([item.length for item in items] + ([peak] if peak else []))
    axis = scale_axis("Bandwidth; dashed: peak" if peak else "Bandwidth", longest, "B/s")
    beyond = sum(row["direction"] not in HOST_LINK for row in rows)
    limit = (_draw_limit(peak, axis, len(items), beyond),) if peak else ()
    return ChartFigure(
        title=_make_title(items[0], peak),
        description="Bars of the mean bandwidth of copies: "
        + ", ".join(f"{item.name[:1].lower()}{item.name[1:]} {item.text}" for item in items)
        + (f". The link's peak per direction is {quantity(peak, 'B/s')}." if peak else "."),
        chart=plot_rows(items, axis, longest * 1.01, *limit),
        metric="transfer.directions",
        note="Bytes over the time of all copies."
        + _describe_contexts(results, peak)
        + ("" if peak else " The link's peak is not known: name the hardware in profile.toml."),
    )


def _describe_contexts(results: Results, peak: float | None) -> str:
    """Where most of the time of copies over the link goes, and whether their size explains it."""
    rows = [row for row in get_rows(results, "transfer.contexts") if row["direction"] in HOST_LINK]
    rows = [row for row in rows if min(amount(row, name) for name in _OF_PATH) > 0.0]
    if not rows:
        return ""
    top = max(rows, key=lambda row: amount(row, "time"))
    size, rate = amount(top, "mean_bytes"), amount(top, "bandwidth")
    sentence = (
        f" Most time is in copies of {quantity(size, 'B')} on average, which run at "
        f"{quantity(rate, 'B/s')}"
    )
    if peak is None or rate >= _SLOW * peak:
        return f"{sentence}."
    if size < _FIXED * peak:
        return f"{sentence}: each costs its latency, which fewer and larger copies save."
    if size > 10.0 * _FIXED * _SLOW * peak:
        return f"{sentence}: too large for latency to explain that, so look at pageable memory."
    return f"{sentence}."


def _make_title(item: BarItem, peak: float | None) -> str:
    if peak is None:
        return f"Copies over the host link run at {quantity(item.length, 'B/s')} on average"
    return (
        f"Copies over the host link run at {quantity(item.length, 'B/s')}, "
        f"{quantity(item.length / peak, 'ratio')} of its peak"
    )


def _find_peak(results: Results) -> float | None:
    """Peak of the link per direction [B/s], from the share of it that was reached."""
    reached = [
        amount(row, "bandwidth") / amount(row, "link")
        for row in get_rows(results, "transfer.directions")
        if amount(row, "link") > 0.0 and amount(row, "bandwidth") > 0.0
    ]
    bandwidth = read_scalar(results, "transfer.bandwidth")
    efficiency = read_scalar(results, "transfer.link_efficiency")
    if bandwidth and efficiency:
        reached.append(bandwidth / efficiency)
    return reached[0] if reached else None


def _make_item(row: Record) -> BarItem:
    link = row.get("link")
    share = f" · {quantity(link, 'ratio')} of peak" if link else ""
    return BarItem(
        name=describe_direction(row).capitalize(),
        text=f"{quantity(row['bandwidth'], 'B/s')}{share}",
        segments=(
            ("copies" if row["direction"] in HOST_LINK else "other", amount(row, "bandwidth")),
        ),
        details={
            "Bytes": quantity(row["bytes"], "B"),
            "Time": quantity(row["time"], "s"),
        },
    )


def _make_overall_item(results: Results, bandwidth: float) -> BarItem:
    efficiency = read_scalar(results, "transfer.link_efficiency")
    share = f" · {quantity(efficiency, 'ratio')} of peak" if efficiency else ""
    return BarItem(
        name="Host link, mean",
        text=f"{quantity(bandwidth, 'B/s')}{share}",
        segments=(("copies", bandwidth),),
        details={
            "Bytes": quantity(read_scalar(results, "transfer.bytes"), "B"),
            "Time": quantity(read_scalar(results, "gpu.copy_time"), "s"),
        },
    )


def _draw_limit(peak: float, axis: ScaledAxis, rows: int, beyond: int) -> alt.Chart:
    """The peak in each row but the last `beyond` ones, which do not use the host's link."""
    data = [
        {
            "start": axis.at(peak),
            "top": row + BAR_TOP,
            "bottom": row + BAR_BOTTOM,
            "text": quantity(peak, "B/s"),
        }
        for row in range(rows - beyond)
    ]
    limit: alt.Chart = (
        alt.Chart(ChartRows(data))
        .mark_rule(style="pf-limit")
        .encode(
            x=alt.X("start:Q"),
            y=encode_row_y("top", rows),
            y2=alt.Y2("bottom:Q"),
            tooltip=[alt.Tooltip("text:N", title="Peak of the link, per direction")],
        )
    )
    return limit
