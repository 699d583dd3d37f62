"""What is told of a study in words: rows of cells, the same for a terminal and a page.

In:  a study. Out: tables, each with its title, heads and cells; and sentences.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from perfolio.common.errors import one_line
from perfolio.common.units import quantity
from perfolio.comparison.compared_tables import (
    PART_TITLES,
    ComparedTable,
    describe_difference,
    describe_time,
)
from perfolio.comparison.formats.text_form import list_lines
from perfolio.comparison.scaling.context_models import format_term
from perfolio.comparison.scaling.efficiency_factors import Factor
from perfolio.comparison.scaling.lost_time import LostTime
from perfolio.comparison.scaling.scaling_study import WHOLE, ContextStudy, ScalingStudy, SizeStudy
from perfolio.comparison.scaling.speedup_fits import LAWS, SpeedupFit

FACTORS: Mapping[Factor, tuple[int, str]] = {
    "global": (0, "Global efficiency"),
    "parallel": (1, "Parallel efficiency"),
    "load_balance": (2, "Load balance"),
    "communication": (2, "Communication"),
    "serialisation": (3, "Serialisation"),
    "transfer": (3, "Transfer"),
    "computation": (1, "Computation scaling"),
    "kernels": (2, "Kernels"),
    "copies": (2, "Copies"),
    "host": (2, "Host"),
    "instructions": (2, "Instructions"),
    "ipc": (2, "Instructions per cycle"),
    "frequency": (2, "Frequency"),
    "off_processor": (2, "Off processors"),
    "gpu_parallel": (0, "GPU efficiency"),
    "gpu_load_balance": (1, "GPU load balance"),
    "gpu_communication": (1, "GPU copies"),
    "gpu_orchestration": (1, "GPU orchestration"),
}
"""Depth in the tree and title: a factor is the product of those one deeper below it."""
_LEAVES: Mapping[Factor, str] = {
    "load_balance": "some ranks compute more than others",
    "serialisation": "ranks wait for each other in turn",
    "transfer": "the network takes time that nothing hides",
    "computation": "ranks compute longer",
    "kernels": "kernels take more time in all",
    "copies": "copies take a larger part of the time",
    "host": "GPUs idle for the host a larger part of the time",
    "instructions": "ranks execute more instructions",
    "ipc": "an instruction takes more cycles",
    "frequency": "processors run slower",
    "off_processor": "ranks are off their processors a larger part of the time",
}
_NOT_MEASURED = "-"
_DEEPER = "\N{MIDDLE DOT}"
_MOST_ROWS = 8
_MOST_CONTEXTS = 20
_MILLI = 1e3
LEAST_LOSS = 0.005
"""A factor that loses less is none to name [ratio]."""
_WIDTH = 96
_PARTS = {
    "imbalance": "Waiting for the rank with most computation",
    "serialisation": "Waiting in turn (serialisation)",
    "transfer": "Transfer",
    "communication": "Communication",
    **PART_TITLES,
    WHOLE: "All of it",
}


def name_lost_part(part: str, kind: str) -> str:
    """`Kernels: product`."""
    said = _PARTS.get(part, part)
    return f"{said}: {kind}" if kind and kind != part else said


def write_headline(study: ScalingStudy) -> str:
    """How much of an ideal speed-up is left at the largest size."""
    last, first = study.sizes[-1], study.sizes[0]
    left = last.factors["efficiency"]
    return (
        f"From {describe_size(study, first.size)} to {last.size}, {study.work} scaling: "
        f"{quantity(float(left or 0), 'ratio')} of the ideal speed-up is left."
    )


def describe_size(study: ScalingStudy, size: int) -> str:
    """`8 GPUs`."""
    return f"{size} {study.unit}{'' if size == 1 else 's'}"


def write_advice(study: ScalingStudy) -> str:
    """Which factor loses most at the largest size."""
    ranked = rank_lost_factors(study.sizes[0].factors, study.sizes[-1].factors)
    if not ranked:
        return "Record collectives on all ranks: nothing tells the causes apart."
    least, name = ranked[0]
    if least > 1.0 - LEAST_LOSS:
        return f"Nothing to act on: no factor loses more than {quantity(LEAST_LOSS, 'ratio')}."
    title = FACTORS[name][1].lower()
    return f"Look at {title} first: {_LEAVES[name]} ({quantity(1.0 - least, 'ratio')})."


def rank_lost_factors(
    first: Mapping[str, Any] | Mapping[Factor, Any], last: Mapping[str, Any] | Mapping[Factor, Any]
) -> list[tuple[float, Factor]]:
    """What each cause keeps from one size to another [ratio], the least first.

    Computation is left out where its own factors are told.
    """
    divided = last.get("kernels") is not None or last.get("off_processor") is not None
    return sorted(
        (float(last[name]) / float(first[name]), name)
        for name in _LEAVES
        if last.get(name) and first.get(name) and not (divided and name == "computation")
    )


def list_scaling_tables(study: ScalingStudy) -> list[ComparedTable]:
    """All tables that have rows."""
    tables = [
        tabulate_factors(study),
        *(tabulate_loss(study, loss) for loss in study.losses),
        tabulate_fits(study),
        tabulate_contexts(study),
    ]
    return [table for table in tables if table.rows]


def tabulate_factors(study: ScalingStudy) -> ComparedTable:
    """A column for each size, a row for each factor that is measured at one."""
    sizes = study.sizes
    rows = [
        ("Runs", *(str(len(one.runs)) for one in sizes)),
        (f"Time of {'an iteration' if study.basis == 'iteration' else 'the run'}",
         *(describe_time(round(one.levels.whole)) for one in sizes)),
        ("Speed-up", *(_describe_speedup(one) for one in sizes)),
        ("Efficiency of that", *(_describe_ratio(one.factors["efficiency"]) for one in sizes)),
    ]  # fmt: skip
    for name, (depth, title) in FACTORS.items():
        values = [one.factors[name] for one in sizes]
        if any(value is not None for value in values):
            rows.append(
                (
                    f"{_DEEPER * depth}{' ' if depth else ''}{title}",
                    *(_describe_ratio(value) for value in values),
                )
            )
    heads = ("Factor", *(describe_size(study, one.size) for one in sizes))
    return ComparedTable("Efficiencies: deeper ones multiply to the one above", heads, tuple(rows))


def _describe_speedup(one: SizeStudy) -> str:
    return f"{float(one.speedup):.2f}"


def _describe_ratio(value: Fraction | float | None) -> str:
    return _NOT_MEASURED if value is None else quantity(float(value), "ratio")


def tabulate_loss(study: ScalingStudy, loss: LostTime) -> ComparedTable:
    """Rows that sum to what is lost."""
    changed = [row for row in loss.rows if row.lost_ns]
    shown = changed[:_MOST_ROWS]
    rows = [
        (name_lost_part(row.part, row.kind), describe_time(row.before_ns),
         describe_time(row.after_ns), describe_difference(row.lost_ns))
        for row in shown
    ]  # fmt: skip
    rest = loss.time_ns - loss.ideal_ns - sum(row.lost_ns for row in shown)
    if len(changed) > len(shown):
        rows.append((f"{len(changed) - len(shown)} more", "", "", describe_difference(rest)))
    rows.append(
        ("Sum", describe_time(loss.ideal_ns), describe_time(loss.time_ns),
         describe_difference(loss.time_ns - loss.ideal_ns))
    )  # fmt: skip
    title = f"Lost from {describe_size(study, loss.first)} to {loss.last}"
    return ComparedTable(title, ("Part", "Ideal", "Measured", "Lost"), tuple(rows))


def tabulate_fits(study: ScalingStudy) -> ComparedTable:
    """Both laws."""
    heads = ("Law", "Contention", "Coherency", "Largest speed-up", "Predicted")
    return ComparedTable("Laws", heads, tuple(_describe_fit(study, one) for one in study.fits))


def _describe_fit(study: ScalingStudy, fit: SpeedupFit) -> tuple[str, ...]:
    if fit.reason:
        return (LAWS[fit.law], _NOT_MEASURED, _NOT_MEASURED, _NOT_MEASURED, fit.reason)
    last = fit.points[-1]
    ends = f"{last.low or 0.0:.1f} to {f'{last.high:.1f}' if last.high else 'any'}"
    peak = f"at {describe_size(study, round(fit.peak))}" if fit.peak else "none"
    return (
        LAWS[fit.law],
        _describe_ratio(fit.contention),
        f"{fit.coherency:.2g}" if fit.coherency is not None else _NOT_MEASURED,
        peak,
        f"{last.speedup:.1f} ({ends}) at {describe_size(study, round(last.size))}",
    )


def tabulate_contexts(study: ScalingStudy) -> ComparedTable:
    """Time of calling contexts at the largest size, and where it goes."""
    shown = study.contexts[:_MOST_CONTEXTS]
    told = any(not one.model.reason for one in shown)
    heads = (
        "Part", "Calling context", f"Time at {study.sizes[0].size}",
        f"At {study.sizes[-1].size}", "Scaling", "Load balance",
        *(["Model [ms], and what it says"] * told),
    )  # fmt: skip
    rows = tuple(_describe_context(study, one)[: len(heads)] for one in shown)
    return ComparedTable("Operators", heads, rows, len(study.contexts) - len(shown))


def _describe_context(study: ScalingStudy, one: ContextStudy) -> tuple[str, ...]:
    return (
        name_lost_part(one.part, one.kind),
        " > ".join(one.path[-2:]) or one.name,
        describe_time(round(one.times_ns[0])),
        describe_time(round(one.times_ns[-1])),
        _describe_ratio(one.scaling[-1]),
        _describe_ratio(one.balance[-1]),
        describe_model(study, one),
    )


def describe_model(study: ScalingStudy, one: ContextStudy) -> str:
    """`0.31 + 0.0042 p; 4 terms fit: 2.1 ms to 3.4 ms at 64 GPUs`."""
    model = one.model
    if model.reason:
        return f"cannot be told: {model.reason}"
    best = model.terms[0]
    scaled = type(best)(
        best.power, best.logarithm, best.constant * _MILLI, best.coefficient * _MILLI
    )
    low, high = (quantity(max(value, 0.0), "s") for value in (model.low, model.high))
    fit = f"{len(model.terms)} terms fit" if len(model.terms) > 1 else "no other term fits"
    return f"{format_term(scaled)}; {fit}: {low} to {high} at {describe_size(study, model.size)}"


def format_study(study: ScalingStudy) -> str:
    """All of it for a terminal."""
    return "\n".join(_write_lines(study)) + "\n"


def _write_lines(study: ScalingStudy) -> Iterator[str]:
    yield write_headline(study)
    yield one_line(f"{study.work.capitalize()} scaling: {study.why}.", _WIDTH)
    yield write_advice(study)
    for note in list_notes(study):
        yield from textwrap.wrap(one_line(note), _WIDTH, initial_indent="- ",
                                 subsequent_indent="  ")  # fmt: skip
    for table in list_scaling_tables(study):
        yield ""
        yield from list_lines(table)


def list_notes(study: ScalingStudy) -> list[str]:
    """What limits what can be told."""
    reasons = dict.fromkeys(one.model.reason for one in study.contexts)
    notes = list(study.notes)
    if "" not in reasons:
        notes.append(f"Models of operators cannot be told: {next(iter(reasons))}.")
    return notes
