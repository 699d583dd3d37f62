"""Where does the time of a server's decode steps go?"""

from __future__ import annotations

from perfolio.charts.axes import scale_axis
from perfolio.charts.bar_rows import BarItem, plot_rows
from perfolio.charts.chart_data import Record, amount, select_positive
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "serving"
ORDER = 1
DRAWN = "decode"
"""The kind of steps that is drawn; the table beside the chart has all."""
_IDLE = "GPU idle"


def draw(results: Results) -> ChartFigure | None:
    """A bar for each part of the mean decode step; None where no step is one."""
    rows = select_positive(get_rows(results, "serving.parts"), "time")
    own = [row for row in rows if row["kind"] == DRAWN]
    if not own:
        return None
    top, whole = own[0], sum(amount(row, "time") for row in own)
    longest = amount(top, "time")
    return ChartFigure(
        title=f"{_name_part(top)}: {quantity(top['share'], 'ratio')} of a decode step",
        description=f"Bars of the parts of a decode step of {quantity(whole, 's')} on average: "
        + ", ".join(f"{row['part']} {_format_part(row)}" for row in own)
        + ".",
        chart=plot_rows(
            [_make_item(row) for row in own],
            scale_axis("Mean per decode step", longest, "s"),
            longest * 1.02,
        ),
        metric="serving.parts",
        note="Of steps that only give requests a token more. The parts add up to the mean step; "
        "what runs at once shares the time.",
    )


def _make_item(row: Record) -> BarItem:
    role = "waiting" if str(row["part"]).startswith(_IDLE) else "kernels"
    role = "copies" if str(row["part"]).startswith("copies") else role
    return BarItem(
        name=_name_part(row),
        text=_format_part(row),
        segments=((role, amount(row, "time")),),
        details={"Share": quantity(row["share"], "ratio")},
    )


def _name_part(row: Record) -> str:
    name = str(row["part"])
    return name[:1].upper() + name[1:]


def _format_part(row: Record) -> str:
    return f"{quantity(row['time'], 's')} ({quantity(row['share'], 'ratio')})"
