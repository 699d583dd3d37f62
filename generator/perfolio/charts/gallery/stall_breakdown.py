"""What do stalled warps wait for, and how sure is that?"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import Rows
from perfolio.charts.axes import Scaled
from perfolio.charts.bar_rows import BAR_MIDDLE, Item, row_plot, row_y
from perfolio.charts.chart_data import Record, amount, number, positive
from perfolio.charts.model import Figure
from perfolio.common.units import half_width, interval_ends, quantity
from perfolio.metrics.metric_values import rows_of
from perfolio.metrics.model import Results

GROUP = "stalls"
ORDER = 1


def draw(results: Results) -> Figure | None:
    """Share of stalls per reason with 95 % intervals; None without stalled samples."""
    rows = positive(rows_of(results, "stall.reasons"), "of_stalls")
    if not rows:
        return None
    top = rows[0]
    longest = max(number(row.get("of_stalls_high")) or amount(row, "of_stalls") for row in rows)
    axis = Scaled("Share of stalls; diamonds: of all samples", 0.01, "%")
    samples = sum(amount(row, "samples") for row in rows)
    return Figure(
        title=f"{str(top['reason']).capitalize()}: "
        f"{_share(top, 'of_stalls')} of stalls, "
        f"{_share(top, 'of_samples')} of all samples",
        description=f"Bars of the share of {quantity(samples, 'samples')} stalled by reason: "
        + ", ".join(f"{row['reason']} {_share(row, 'of_stalls')}" for row in rows)
        + ". Whiskers are 95 % intervals; diamonds are shares of all samples.",
        chart=row_plot([_item(row) for row in rows], axis, min(longest * 1.02, 1.0), *_marks(rows)),
        metric="stall.reasons",
        note="A share of stalls says what to fix among stalls; the share of all samples says "
        "how often it was met at all: a kernel that fills the GPU has more of them for its time. "
        "In brackets and as whiskers: the 95 % interval of sampling.",
    )


def _item(row: Record) -> Item:
    return Item(
        name=str(row["reason"]).capitalize(),
        text=f"{_share(row, 'of_stalls')}{_interval(row)}",
        segments=(("cpu", amount(row, "of_stalls")),),
        details={
            "Share of all samples": _share(row, "of_samples"),
            "Samples": quantity(row["samples"], "samples"),
            "HPCToolkit's name": f"GINS:STL_{row['code']}",
        },
    )


def _interval(row: Record) -> str:
    low, high = number(row.get("of_stalls_low")), number(row.get("of_stalls_high"))
    if low is None or high is None:
        return ""
    return f" ({'–'.join(interval_ends(low, high, 'ratio'))})"


def _share(row: Record, column: str) -> str:
    """A share, as exactly as its interval allows."""
    half = half_width(row.get(f"{column}_low"), row.get(f"{column}_high"))
    return quantity(row[column], "ratio", half)


def _marks(rows: list[Record]) -> tuple[alt.Chart, ...]:
    data = [
        {
            "low": 100.0 * (number(row.get("of_stalls_low")) or amount(row, "of_stalls")),
            "high": 100.0 * (number(row.get("of_stalls_high")) or amount(row, "of_stalls")),
            "samples": 100.0 * amount(row, "of_samples"),
            "middle": index + BAR_MIDDLE,
            "text": _share(row, "of_samples"),
        }
        for index, row in enumerate(rows)
    ]
    base = alt.Chart(Rows(data)).encode(y=row_y("middle", len(rows)))
    return (
        base.mark_rule(style="pf-whisker").encode(x=alt.X("low:Q"), x2=alt.X2("high:Q")),
        base.mark_tick(style="pf-cap").encode(x=alt.X("low:Q")),
        base.mark_tick(style="pf-cap").encode(x=alt.X("high:Q")),
        base.mark_point(style="pf-dot", shape="diamond", filled=True, size=70).encode(
            x=alt.X("samples:Q"), tooltip=[alt.Tooltip("text:N", title="Share of all samples")]
        ),
    )
