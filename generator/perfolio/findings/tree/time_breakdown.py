"""How the run's main time divides: wall time where a trace has it, else what was measured.

In:  results of metrics, and what can be divided: the wholes of `causes.yaml`.
Out: a `TimeBreakdown` whose shares add up to 1; without parts where no cost was recorded.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from perfolio.findings.model.conditions import fill_template, get_file_name, is_all_met
from perfolio.findings.model.wording import choose_wording
from perfolio.findings.tree.catalog import WholeBar, load_causes
from perfolio.metrics.metric_values import to_number
from perfolio.metrics.model import Result, Results
from perfolio.readers.code_names import PYTHON_MODULE

MOST_PARTS = 9
"""Parts that are shown by name; what is left becomes one more."""

_REST = "everything else"
_KERNELS, _OTHER_KERNELS = "Kernels", "Kernels other than collectives"
_OF_GPU = ("time.wall_parts", "time.span_parts")
"""Tables whose parts are named by us; names of others come from the profile."""
_NEGLIGIBLE = 0.0005
_SMALL_MODULE = 0.005
"""Share below which a module is of no interest by itself; kinds of time are, however short."""


@dataclass(frozen=True)
class TimePart:
    """A part of the run's main time; `name` comes from the profile and is not trusted."""

    name: str
    value: float
    share: float
    metric: str
    """The table metric that it was read from."""


@dataclass(frozen=True)
class TimeBreakdown:
    """How the run's main time divides; the shares of the parts add up to 1."""

    title: str
    of: str
    """What 100 % is, in words and with its amount."""
    unit: str
    parts: tuple[TimePart, ...]


CLASSES = "gpu.kernel_classes"
_DIVIDED_FROM = 0.5
"""Share of the whole from which kernels are divided by class of work."""
_MERGED = {
    "product": "matrix products",
    "attention": "attention",
    "element-wise": "memory-bound",
    "cast or copy": "memory-bound",
    "normalisation": "memory-bound",
    "reduction": "memory-bound",
    "optimizer": "optimizer",
    "collective": "communication",
}
"""What a part is called that has kernels of a class; of any other class, other."""
NOTHING = TimeBreakdown("Where time goes", "no cost was recorded", "s", ())


def make_breakdown(results: Results) -> TimeBreakdown:
    """The parts of the main time, largest first; none where there is no such time."""
    for whole in load_causes().wholes:
        table = results[whole.bar.table]
        if table.status == "measured" and is_all_met(whole.when, results):
            title = choose_wording(whole.bar.title, results) or NOTHING.title
            of = choose_wording(whole.bar.of, results) or title
            unit = fill_template(whole.unit, results) or NOTHING.unit
            classes = results.get(CLASSES)
            return TimeBreakdown(title, of, unit, _list_parts(whole.bar, table, classes))
    return NOTHING


def _list_parts(bar: WholeBar, table: Result, classes: Result | None) -> tuple[TimePart, ...]:
    divided = [each for part in _name_parts(bar, table) for each in _divide_kernels(part, classes)]
    rest = [part for part in divided if part.name == _REST]
    named = sorted((part for part in divided if part.name != _REST), key=_get_share, reverse=True)
    return (*named, *rest)


def _get_share(part: TimePart) -> float:
    return part.share


def _name_parts(bar: WholeBar, table: Result) -> tuple[TimePart, ...]:
    """The largest rows of the table, and what is left as one more part."""
    parts = [
        TimePart(
            _name_part(str(row[bar.name]), bar),
            to_number(row["time"]),
            to_number(row["share"]),
            bar.table,
        )
        for row in table.records()
    ]
    largest = sorted(parts, key=_get_share, reverse=True)
    least = _SMALL_MODULE if bar.table.endswith("modules") else 0.0
    named = tuple(
        part
        for place, part in enumerate(largest[:MOST_PARTS])
        if part.share > (least if place else 0.0)
    )
    left = 1.0 - sum(part.share for part in named)
    if not named or left < _NEGLIGIBLE:
        return named
    amount = named[0].value / named[0].share * left
    return (*named, TimePart(_REST, amount, left, bar.table))


def _divide_kernels(part: TimePart, classes: Result | None) -> list[TimePart]:
    """Kernels by class of work, in proportion to their durations; any other part as it is.

    Kernels stay one part where they are half of the whole or less, or where no name tells a class.
    """
    if part.metric not in _OF_GPU or part.name not in (_KERNELS, _OTHER_KERNELS):
        return [part]
    if part.share <= _DIVIDED_FROM or classes is None or classes.status != "measured":
        return [part]
    times: defaultdict[str, float] = defaultdict(float)
    for row in classes.records():
        if part.name == _KERNELS or row["class"] != "collective":
            times[_MERGED.get(str(row["class"]), "other")] += to_number(row["time"])
    total = sum(times.values())
    if total <= 0 or set(times) == {"other"}:
        return [part]
    return [
        TimePart(
            f"{_KERNELS}: {name}", part.value * time / total, part.share * time / total, CLASSES
        )
        for name, time in times.items()
        if time > 0
    ]


def _name_part(name: str, bar: WholeBar) -> str:
    if name == PYTHON_MODULE:
        return "Python functions"
    return get_file_name(name) if bar.name == "module" else name
