"""How much faster is the program at each size, and what would more processors bring?"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.bar_rows import stack_layers
from perfolio.charts.comparison.comparison_figure import ComparisonFigure
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.comparison.scaling.scaling_study import ScalingStudy
from perfolio.comparison.scaling.speedup_fits import LAWS, SpeedupFit

_HEIGHT = 300
_STYLES = {"amdahl": "pf-whisker", "usl": "pf-cpu"}
_LOWEST = 0.5
"""Where the axis of speed-ups begins, below that of one processor."""
_ROOM = 1.15

_Rows = list[dict[str, object]]


def draw(study: ScalingStudy) -> ComparisonFigure:
    """Dots of sizes, the ideal, and each law that is fitted with the band of the last one."""
    fits = [fit for fit in study.fits if not fit.reason]
    last = study.sizes[-1]
    speedup = f"{float(last.speedup):.1f}"
    named = " and ".join(LAWS[fit.law] for fit in fits)
    unit = f"{study.unit}{'' if last.size == 1 else 's'}"
    figure = ChartFigure(
        title=f"{last.size} {unit} do the work of {speedup}",
        description="A dot for each size: "
        + ", ".join(f"{one.size}: {float(one.speedup):.2f}" for one in study.sizes)
        + ". "
        + (f"Curves of {named}." if fits else "Too few sizes for curves."),
        chart=_draw_chart(study, fits),
        metric="",
        note="Both axes are logarithmic. Dashed: ideal. "
        + ("Thin: Amdahl's law. " if fits else "")
        + ("Coloured: Universal Scalability Law. " if len(fits) > 1 else "")
        + (f"Band: where one more run would be, 95 %, by {LAWS[fits[-1].law]}. " if fits else "")
        + ("Whiskers: slowest and fastest run." if _is_repeated(study) else ""),
    )
    header = ("size", "runs", "time (ns)", "speed-up", "least", "most")
    rows = [
        (one.size, len(one.runs), float(one.levels.whole), float(one.speedup), float(one.low),
         float(one.high))
        for one in study.sizes
    ]  # fmt: skip
    return ComparisonFigure(figure, header, rows)


def _is_repeated(study: ScalingStudy) -> bool:
    return any(len(one.runs) > 1 for one in study.sizes)


def _draw_chart(study: ScalingStudy, fits: list[SpeedupFit]) -> alt.LayerChart:
    first, last = study.sizes[0], study.sizes[-1]
    top = float(fits[-1].points[-1].size) if fits else last.size
    ends = first.size, top
    x = alt.X(
        "size:Q",
        scale=alt.Scale(type="log", base=2, domain=[ends[0] / _ROOM, ends[1] * _ROOM], nice=False),
        axis=alt.Axis(
            title="GPUs" if study.unit == "GPU" else "Ranks", values=_list_ticks(*ends), format="d"
        ),
    )
    scale = alt.Scale(
        type="log", base=2, domain=[ends[0] * _LOWEST, ends[1] * _ROOM], nice=False, clamp=True
    )
    axis = alt.Axis(title="Speed-up", values=_list_ticks(*ends), format="d")
    y, low = (alt.Y(f"{name}:Q", scale=scale, axis=axis) for name in ("at", "low"))
    ideal: _Rows = [{"size": end, "at": end} for end in ends]
    layers = [alt.Chart(ChartRows(ideal)).mark_line(style="pf-limit").encode(x=x, y=y)]
    if fits:
        band = _list_band(fits[-1], ends[0] * _LOWEST, top * _ROOM)
        layers.append(
            alt.Chart(ChartRows(band))
            .mark_area(style="pf-band", clip=True)
            .encode(x=x, y=y, y2=alt.Y2("high:Q"))
        )
    for fit in fits:
        curve: _Rows = [{"size": one.size, "at": one.speedup} for one in fit.points]
        line = alt.Chart(ChartRows(curve)).mark_line(style=_STYLES[fit.law], clip=True)
        layers.append(line.encode(x=x, y=y))
    return stack_layers(*layers, *_draw_sizes(study, x, y, low), height=_HEIGHT)


def _list_ticks(low: float, high: float) -> list[int]:
    """Powers of two from the first size to the last."""
    ticks = [int(low)]
    while ticks[-1] * 2 <= high:
        ticks.append(ticks[-1] * 2)
    return ticks


def _list_band(fit: SpeedupFit, low: float, high: float) -> _Rows:
    return [
        {
            "size": one.size,
            "at": min(max(one.low or low, low), high),
            "high": min(max(one.high or high, low), high),
        }
        for one in fit.points
    ]


def _draw_sizes(study: ScalingStudy, x: alt.X, y: alt.Y, low: alt.Y) -> list[alt.Chart]:
    rows: _Rows = [
        {
            "size": one.size,
            "at": float(one.speedup),
            "low": float(one.low),
            "high": float(one.high),
            "text": f"{float(one.speedup):.2f}",
            "left": quantity(float(one.factors["efficiency"] or 0), "ratio"),
        }
        for one in study.sizes
    ]
    shown = (("size", "Size"), ("text", "Speed-up"), ("left", "Efficiency"))
    tooltip = [alt.Tooltip(f"{name}:N", title=title) for name, title in shown]
    base = alt.Chart(ChartRows(rows))
    dots = base.mark_point(style="pf-dot", filled=True).encode(x=x, y=y, tooltip=tooltip)
    if not _is_repeated(study):
        return [dots]
    return [base.mark_rule(style="pf-whisker").encode(x=x, y=low, y2=alt.Y2("high:Q")), dots]
