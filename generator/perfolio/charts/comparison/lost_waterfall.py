"""Which parts of an iteration grow where they should not, from the smallest size to the largest?"""

from __future__ import annotations

from perfolio.charts.axes import scale_axis
from perfolio.charts.chart_data import plural
from perfolio.charts.comparison.comparison_figure import (
    LESS,
    MORE,
    NANO,
    SAME,
    ComparisonFigure,
)
from perfolio.charts.comparison.time_waterfall import (
    MOST,
    WaterfallStep,
    choose_start,
    draw_steps,
)
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.comparison.compared_tables import describe_difference, describe_time
from perfolio.comparison.scaling.lost_time import LostTime
from perfolio.comparison.scaling.scaling_study import ScalingStudy
from perfolio.comparison.scaling.scaling_tables import describe_size, name_lost_part


def draw(study: ScalingStudy) -> ComparisonFigure | None:
    """The bars from the ideal time at the largest size to the measured one; None without a loss."""
    loss = study.whole_loss
    if not any(row.lost_ns for row in loss.rows):
        return None
    steps = make_steps(study, loss)
    start = choose_start(steps)
    top = max(max(step.begin, step.end) for step in steps)
    basis = "an iteration" if study.basis == "iteration" else "the run"
    axis = scale_axis(f"Time of {basis}", top / NANO, "s")
    said = ", ".join(f"{step.name} {step.text}" for step in steps[1:-1])
    named = f"from {describe_size(study, loss.first)} to {loss.last}"
    figure = ChartFigure(
        title=f"{_title(loss)} {named}",
        description=f"From {describe_time(loss.ideal_ns)}, which would be ideal, "
        f"to {describe_time(loss.time_ns)}: {said}.",
        chart=draw_steps(steps, axis, start / NANO, ("Ideal", "Measured")),
        metric="",
        note="Each bar begins where the one above it ends; red takes more than the ideal, blue "
        "less. The parts add up to the loss."
        + (f" The axis begins at {quantity(start / NANO, 's')}, not at zero." if start else ""),
    )
    header = ("from", "to", "part", "kind", "ideal (ns)", "measured (ns)", "lost (ns)")
    rows = [
        (one.first, one.last, row.part, row.kind, row.before_ns, row.after_ns, row.lost_ns)
        for one in (loss, *study.losses)
        for row in one.rows
    ]
    return ComparisonFigure(figure, header, rows)


def _title(loss: LostTime) -> str:
    lost = loss.time_ns - loss.ideal_ns
    largest = loss.rows[0]
    part = name_lost_part(largest.part, largest.kind)
    part = part if part.startswith("GPU") else part[:1].lower() + part[1:]
    word = "lost" if lost >= 0 else "gained"
    return (
        f"{describe_time(abs(lost))} {word}, most by {part} "
        f"({describe_difference(largest.lost_ns)}),"
    )


def make_steps(study: ScalingStudy, loss: LostTime) -> list[WaterfallStep]:
    """The ideal, the parts with the largest losses, the others as one, and what is measured."""
    changed = [row for row in loss.rows if row.lost_ns]
    level = loss.ideal_ns
    steps = [WaterfallStep("Ideal", describe_time(level), 0, level, SAME)]
    for row in changed[:MOST]:
        steps.append(
            WaterfallStep(
                name_lost_part(row.part, row.kind), describe_difference(row.lost_ns), level,
                level + row.lost_ns, MORE if row.lost_ns > 0 else LESS,
                (describe_time(row.before_ns), describe_time(row.after_ns)),
            )
        )  # fmt: skip
        level += row.lost_ns
    rest = loss.time_ns - level
    if len(changed) > MOST:
        fate, text = MORE if rest > 0 else LESS, describe_difference(rest)
        name = plural(len(changed) - MOST, "other part")
        steps.append(WaterfallStep(name, text, level, loss.time_ns, fate))
    last = describe_size(study, loss.last)
    time = describe_time(loss.time_ns)
    return [*steps, WaterfallStep(f"At {last}", time, 0, loss.time_ns, SAME)]
