"""What holds in every document, whatever the run: held against each before it is written.

In:  the document of findings, and the rules that it was judged by.
Out: a sentence for each thing that does not hold: a defect of Perfolio, and none of the run.

To add one: a function that says what does not hold, and its name in `INVARIANTS`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import median
from types import MappingProxyType
from typing import Any

from perfolio.findings.estimates.estimator_catalog import load_estimators
from perfolio.findings.estimates.savings_budget import compute_room
from perfolio.findings.estimates.time_ledger import ERAS
from perfolio.findings.model.rule import Rule
from perfolio.findings.tree.roadmap import PHASES
from perfolio.metrics.metric_values import get_number, get_rows, get_value
from perfolio.metrics.model import Results

NOTE = (
    "A defect of Perfolio: {} Do not rely on that figure. Please report it with this sentence and "
    "the findings.json of the report; perfolio build --share hides names in it."
)
"""What a report says of each."""
_SOME = 1e-6
"""What rounding makes of a share, or of a whole [ratio]."""
_ROUNDED = 1e-3
"""The same of a table's parts, which are rounded each [ratio]."""
_MOMENT = 1e-9
"""The same of times [s]."""
_WITHIN = (
    ("time.gpu_busy", "time.wall"),
    ("time.gpu_span", "time.wall"),
    ("time.gpu_busy", "time.gpu_span"),
    ("time.kernel_busy", "time.gpu_busy"),
    ("time.copy_busy", "time.gpu_busy"),
    ("time.exposed_copy", "time.copy_busy"),
    ("time.iteration_exposed_copy", "time.exposed_copy"),
    ("time.steady", "time.wall"),
    ("time.iteration_gpu_busy", "time.iteration_median"),
    ("time.iteration_longest_gap", "time.iteration_median"),
    ("communication.exposed_everywhere", "time.wall"),
    ("communication.late_by", "time.wall"),
)
"""Metrics of a part and of its whole."""
_PARTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "time.wall_parts": ("time", "time.wall"),
        "time.phases": ("duration", "time.wall"),
        "time.span_parts": ("time", "time.gpu_span"),
    }
)
"""Tables whose rows sum to a whole: which column, and the metric of the whole."""

_MEANS = ("time.iteration_phases", "time.iteration_classes")
"""Tables whose times sum to the mean of the iterations that have a length."""

_CLOCK = ("wall", "span")
"""Wholes that are time on the clock."""

_OF_RATES = frozenset({"roofline.kernels", "roofline.operators"})
"""Tables whose share is one of a rate that may be passed, and says by that what else happened."""

Document = Mapping[str, Any]
Invariant = Callable[[Document, Results, Mapping[str, Rule]], Iterator[str]]


def find_defects(document: Document, results: Results, rules: Mapping[str, Rule]) -> list[str]:
    """What does not hold in the document of these results, a sentence each."""
    return [each for holds in INVARIANTS for each in holds(document, results, rules)]


def check_shares(_: Document, results: Results, __: Mapping[str, Rule]) -> Iterator[str]:
    """A share is between nothing and all, as a figure and in a table."""
    for name, result in results.items():
        if result.status != "measured":
            continue
        if name.endswith("_share") and not _is_share(result.value):
            yield f"{name} is {result.value:.6g}, and a share is between 0 and 1."
        columns = [each.name for each in result.metric.columns]
        if "share" in columns and name not in _OF_RATES:
            for row in result.rows:
                cell = row[columns.index("share")]
                if isinstance(cell, (int, float)) and not _is_share(cell):
                    yield f"A share in {name} is {cell:.6g}, and a share is between 0 and 1."
                    break


def check_parts(_: Document, results: Results, __: Mapping[str, Rule]) -> Iterator[str]:
    """No part is more than its whole, and parts of a table sum to it."""
    for part, whole in _WITHIN:
        own, most = get_value(results, part), get_value(results, whole)
        if own is not None and most is not None and own > most * (1.0 + _SOME):
            yield f"{part} is {own:.6g} and {whole} {most:.6g}: a part is more than its whole."
    for table, (column, whole) in _PARTS.items():
        rows, most = get_rows(results, table), get_value(results, whole)
        summed = math.fsum(get_number(row, column) for row in rows)
        if rows and most and not math.isclose(summed, most, rel_tol=_ROUNDED):
            yield f"The parts of {table} sum to {summed:.6g}, and {whole} is {most:.6g}."


def check_iterations(_: Document, results: Results, __: Mapping[str, Rule]) -> Iterator[str]:
    """An iteration has one length, and all that tells of iterations is of the same ones."""
    length = get_value(results, "time.iteration_median")
    if length is None:
        return
    told = get_value(results, "steps.typical")
    if told is not None and not _is_one(told, length):
        yield f"steps.typical is {told:.6g}, and time.iteration_median {length:.6g}."
    rows = get_rows(results, "time.iteration_times")
    if rows and len(rows) == get_value(results, "time.iterations"):
        yield from _check_rows(rows, length, results)
    count, whole = (
        get_value(results, f"time.{name}") for name in ("steady_iterations", "steady_complete")
    )
    for table in _MEANS if count and whole else ():
        summed = math.fsum(get_number(row, "time") for row in get_rows(results, table))
        mean = (whole or 0.0) / (count or 1.0)
        if summed and not _is_one(summed, mean):
            yield f"{table} is of iterations of {summed:.6g} s, and their mean is {mean:.6g}."


def _choose_alike(
    rows: Sequence[Mapping[str, Any]], results: Results
) -> Sequence[Mapping[str, Any]]:
    """Of a server's iterations those of the kind of which there are most, of others all."""
    kinds = {row["iteration"]: row["kind"] for row in get_rows(results, "serving.over_time")}
    counts = Counter(kinds.get(row["iteration"], "") for row in rows)
    usual = min(counts, key=lambda kind: (-counts[kind], kind), default="")
    return [row for row in rows if kinds.get(row["iteration"], "") == usual]


def _check_rows(
    rows: Sequence[Mapping[str, Any]], length: float, results: Results
) -> Iterator[str]:
    """What the list of all iterations says of their length, number, begin and end."""
    later = [row for row in rows if row["mark"] != "warm-up"]
    complete = [row for row in later if row["mark"] != "incomplete"]
    steady = [get_number(row, "duration") for row in _choose_alike(complete, results)]
    if not steady or not _is_one(median(steady), length):
        yield f"The iterations listed do not have time.iteration_median, {length:.6g}."
    if len(complete) != get_value(results, "time.steady_iterations"):
        yield f"Of the iterations listed {len(complete)} are not time.steady_iterations."
    for phase in get_rows(results, "time.phases"):
        if phase["phase"] == "steady state" and later:
            ends = get_number(later[-1], "start") + get_number(later[-1], "duration")
            begins = get_number(phase, "start")
            apart = max(
                abs(begins - get_number(later[0], "start")),
                abs(begins + get_number(phase, "duration") - ends),
            )
            if apart > _ROUNDED * length + _MOMENT:
                yield f"The steady state and its iterations are {apart:.6g} s apart."


def check_ledger(_: Document, results: Results, __: Mapping[str, Rule]) -> Iterator[str]:
    """All cells of a GPU sum to the time that there is."""
    by_gpu: dict[object, float] = {}
    for row in get_rows(results, "time.gpu_ledger"):
        by_gpu[row["gpu"]] = by_gpu.get(row["gpu"], 0.0) + get_number(row, "time")
    whole = get_value(results, "time.wall")
    for gpu, summed in by_gpu.items():
        if whole is not None and not math.isclose(summed, whole, rel_tol=_ROUNDED):
            yield f"The time of GPU {gpu} sums to {summed:.6g}, and time.wall is {whole:.6g}."


def check_bounds(document: Document, results: Results, rules: Mapping[str, Rule]) -> Iterator[str]:
    """No bound is above what exists, and no weaker one above it."""
    on_clock = document["causes"]["whole"] in _CLOCK
    for finding in _list_fired(document):
        code, worth = finding["code"], finding["estimate"]
        if worth is None:
            continue
        if not 0.0 < worth["reduction"] < 1.0 + _SOME:
            yield f"The bound of {code} is {worth['reduction']:.6g} of its whole."
        yield from _check_order(code, worth)
        if worth["saved"] is not None and worth["on_clock"] and on_clock:
            exists = min(document["causes"]["amount"], _compute_existing(rules.get(code), results))
            if worth["saved"] > exists * (1.0 + _SOME) + _MOMENT:
                yield f"{code} saves up to {worth['saved']:.6g} s of {exists:.6g} s that there are."


def _check_order(code: str, worth: Mapping[str, Any]) -> Iterator[str]:
    """A weaker assumption saves no more, and what goes further no less."""
    less, most, more = worth["weaker"], worth["reduction"], worth["wider"]
    if less is not None and less > most * (1.0 + _SOME):
        yield f"{code} saves more by a weaker assumption: {less:.6g}."
    if more is not None and more < most * (1.0 - _SOME):
        yield f"{code} saves less by going further: {more:.6g}."


def check_expectations(document: Document, _: Results, __: Mapping[str, Rule]) -> Iterator[str]:
    """No more is expected of a step than its bound."""
    for finding in _list_fired(document):
        told = finding["expected"]
        if told is not None and not 0.0 <= told["low"] <= told["high"] <= 1.0 + _SOME:
            yield f"What is expected of {finding['code']} is {told['high']:.6g} of its bound."


def _compute_existing(rule: Rule | None, results: Results) -> float:
    """How much there is of what a rule's estimator takes [s]; without limit where none is known."""
    name = rule.estimator if rule is not None else ""
    budget = load_estimators()[name].budget if name else None
    if budget is None or not get_rows(results, "time.gpu_ledger"):
        return math.inf
    within = math.fsum(compute_room(budget, era & budget.takes, results) for era in ERAS)
    return within + _sum_ends(name, results)


def _sum_ends(name: str, results: Results) -> float:
    """What of a step lies after the last iteration: of waits the host's last part [s]."""
    known = any(row["part"] == "host waits" for row in get_rows(results, "time.budget"))
    rows = get_rows(results, "time.gpu_ledger") if name == "waits" and not known else []
    gpus = len({row["gpu"] for row in rows}) or 1
    ends = (row for row in rows if row["period"] == "end" and row["state"] == "idle")
    return math.fsum(get_number(row, "time") for row in ends) / gpus


def check_causes(document: Document, _: Results, __: Mapping[str, Rule]) -> Iterator[str]:
    """What a cause divides into is no more than itself, and no cause more than the run."""
    nodes = document["causes"]["nodes"]
    for node in nodes:
        if node["share"] is not None and not _is_share(node["share"]):
            yield f"The cause {node['key']} is {node['share']:.6g} of the run."
        below = [each for each in nodes if each["parent"] == node["key"] and not each["view"]]
        summed = math.fsum(each["share"] or 0.0 for each in below if each["key"] != node["key"])
        if node["share"] is not None and summed > node["share"] + _SOME:
            yield f"The parts of {node['key']} are {summed:.6g} of the run, it {node['share']:.6g}."
    parts = document["breakdown"]["parts"] if document["breakdown"] else []
    if parts and not math.isclose(sum(each["share"] for each in parts), 1.0, abs_tol=_ROUNDED):
        yield f"The parts of the breakdown are {sum(each['share'] for each in parts):.6g} of it."


def check_roadmap(document: Document, _: Results, __: Mapping[str, Rule]) -> Iterator[str]:
    """Steps have one order, come once and after what they wait for, and save no more than all."""
    phases = document["roadmap"]["phases"]
    steps = [step for phase in phases for step in phase["steps"]]
    codes = [step["code"] for step in steps]
    if [phase["phase"] for phase in phases] != list(PHASES):
        yield "The phases of the roadmap are out of order."
    for place, step in enumerate(steps):
        late = [code for code in step["after"] if code in codes[place:]]
        if codes.count(step["code"]) > 1 or late:
            yield f"The step {step['code']} comes twice, or before {', '.join(late)}."
    before = 0.0
    for step in steps:
        joint, most = step["joint"], step["most"] or 0.0
        if not max(before, most) <= joint + _SOME or joint > 1.0 + _SOME:
            yield f"Up to {step['code']} steps save {joint:.6g}, that one {most:.6g}."
        before = joint
    most = document["worth"]["most"]
    if most is not None and most["saved"] > document["worth"]["whole"] * (1.0 + _SOME):
        yield f"All steps save {most['saved']:.6g} of {document['worth']['whole']:.6g}."


def check_known_gains(document: Document, _: Results, __: Mapping[str, Rule]) -> Iterator[str]:
    """In a phase no step that nothing bounds is before one with a bound that does not need it."""
    for phase in document["roadmap"]["phases"]:
        steps = phase["steps"]
        for place, step in enumerate(steps):
            later = steps[place + 1 :]
            needed = any(step["code"] in each["after"] for each in later)
            bounded = [each["code"] for each in later if each["most"] is not None]
            if step["most"] is None and not step["apart"] and bounded and not needed:
                yield f"Nothing bounds {step['code']}, and it is before {', '.join(bounded)}."


def check_values(document: Document, results: Results, _: Mapping[str, Rule]) -> Iterator[str]:
    """What fired has a figure that was measured, and so has what shows it."""
    for finding in _list_fired(document):
        shown = (finding["evidence"] or {}).get("metric")
        for name in (finding["metric"], shown):
            result = results.get(name) if name else None
            if result is not None and result.status != "measured":
                yield f"{finding['code']} fired, and {name} was not measured."
        if finding["value"] is None:
            yield f"{finding['code']} fired without a value."


def _list_fired(document: Document) -> Iterable[Mapping[str, Any]]:
    return (each for each in document["findings"] if each["status"] == "fired")


def _is_one(value: float, other: float) -> bool:
    """Whether two times are one but for rounding, which is done in nanoseconds."""
    return math.isclose(value, other, rel_tol=_ROUNDED, abs_tol=2 * _MOMENT)


def _is_share(value: float | None) -> bool:
    return value is None or -_SOME <= value <= 1.0 + _SOME


INVARIANTS: tuple[Invariant, ...] = (
    check_shares,
    check_parts,
    check_iterations,
    check_ledger,
    check_bounds,
    check_expectations,
    check_causes,
    check_roadmap,
    check_known_gains,
    check_values,
)
