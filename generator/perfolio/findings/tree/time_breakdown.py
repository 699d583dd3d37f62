"""How the run's main time divides: wall time where a trace has it, else what was measured.

In:  results of metrics, and what can be divided: the wholes of `causes.yaml`.
Out: a `TimeBreakdown` whose shares add up to 1; without parts where no cost was recorded.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass

from perfolio.findings.model.conditions import fill_template, get_file_name, is_all_met
from perfolio.findings.model.wording import choose_wording
from perfolio.findings.tree.catalog import WholeBar, load_causes
from perfolio.metrics.metric_values import to_number
from perfolio.metrics.model import Result, Results
from perfolio.readers.code_names import PYTHON_MODULE
from perfolio.readers.kernel_rules import COLLECTIVE, name_class

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
_OTHER = "other"
_SAME = 0.02
"""By how much durations of classes may differ from the time in which kernels run [ratio]."""
_DIVIDED_FROM = 0.5
"""Share of the whole from which kernels are divided by class of work."""
_MERGED = {
    **{work: name_class(work) for work in ("product", "attention", "optimizer", COLLECTIVE)},
    "element-wise": "memory-bound",
    "cast or copy": "memory-bound",
    "normalisation": "memory-bound",
    "reduction": "memory-bound",
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
            return TimeBreakdown(title, of, unit, _list_parts(whole.bar, table, results))
    return NOTHING


def _list_parts(bar: WholeBar, table: Result, results: Results) -> tuple[TimePart, ...]:
    divided = [each for part in _name_parts(bar, table) for each in _divide_kernels(part, results)]
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


def _divide_kernels(part: TimePart, results: Results) -> list[TimePart]:
    """Kernels by class of work; any other part as it is.

    They stay one part where they are half of the whole or less, where no name tells a class, and
    where the durations of classes are not the time of the part, as of kernels that run at once.
    """
    if part.metric not in _OF_GPU or part.name not in (_KERNELS, _OTHER_KERNELS):
        return [part]
    times = _sum_classes(results) if part.share > _DIVIDED_FROM else {}
    own = {name: time for name, time in times.items() if name != _MERGED[COLLECTIVE]}
    for chosen in (own, times):  # collectives that other kernels hide take no time of their own
        total = math.fsum(chosen.values())
        if total > 0 and abs(total - part.value) <= _SAME * part.value and set(chosen) != {_OTHER}:
            return [
                TimePart(f"{_KERNELS}: {name}", time, part.share * time / part.value, CLASSES)
                for name, time in _fit_sum(chosen, part.value).items()
                if time > 0
            ]
    return [part]


def _sum_classes(results: Results) -> dict[str, float]:
    """Time of kernels by what a part is called that has them, the mean over GPUs [s]."""
    classes, gpus = results.get(CLASSES), results.get("run.gpus")
    if classes is None or classes.status != "measured":
        return {}
    count = max(to_number(gpus.value), 1.0) if gpus is not None and gpus.value else 1.0
    times: defaultdict[str, float] = defaultdict(float)
    for row in classes.records():
        times[_MERGED.get(str(row["class"]), _OTHER)] += to_number(row["time"]) / count
    return dict(times)


def _fit_sum(times: dict[str, float], whole: float) -> dict[str, float]:
    """The same in proportion, so that they sum to the whole."""
    total = math.fsum(times.values())
    return {name: time * whole / total for name, time in times.items()}


def _name_part(name: str, bar: WholeBar) -> str:
    if name == PYTHON_MODULE:
        return "Python functions"
    return get_file_name(name) if bar.name == "module" else name
