"""What a case says of the documents of a run, and whether it holds.

In:  the documents of a run, and checks from a file of YAML. Out: lines, one for each that fails.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from perfolio.pipeline.build_context import RunDocuments

_CELL = re.compile(r"metric:([\w.]+)(?:\[([^\]]*)\]\.(\w+))?$")
_SENTENCES = ("headline", "sentence", "reason", "besides", "held_back")


@dataclass(frozen=True)
class Check:
    """One thing that must hold: `what` names a value, one operation its right values."""

    what: str
    operation: str
    right: Any
    within: float = 0.0
    why: str = ""

    @classmethod
    def read(cls, entry: Mapping[str, Any]) -> Check:
        """From an entry of a file. Raises KeyError for an operation that there is not."""
        rest = {key: value for key, value in entry.items() if key not in ("what", "within", "why")}
        ((operation, right),) = rest.items()
        _OPERATIONS[operation]
        return cls(
            entry["what"], operation, right, float(entry.get("within", 0.0)), entry.get("why", "")
        )

    def failure(self, documents: RunDocuments) -> str | None:
        """What the value is and what it should be; None where it holds."""
        value = value_of(documents, self.what)
        if _OPERATIONS[self.operation](value, self.right, self.within):
            return None
        return f"{self.what} is {value!r:.300}, right: {self.operation} {self.right!r} ({self.why})"


def value_of(documents: RunDocuments, what: str) -> Any:
    """The value that `what` names; None where the documents have none.

    metric:NAME is its value, metric:NAME[0].COLUMN a cell, [COLUMN=TEXT] picks a row by a cell;
    finding:CODE.a.b is a field of a finding, finding:CODE.expects the share of the time that it is
    expected to save; roadmap lists the steps in their order, roadmap[0] is the first; text is all
    that verdict, findings that fired and notes say; run.a is a fact of the run, any other name a
    field of the findings.
    """
    if what == "text":
        return _text(documents)
    if what.startswith("roadmap"):
        phases = documents.findings["roadmap"]["phases"]
        codes = [step["code"] for phase in phases for step in phase["steps"]]
        return codes if what == "roadmap" else next(iter(codes), None)
    if found := _CELL.match(what):
        return _cell(documents.metrics, *found.groups())
    if what.startswith("run."):
        return _field(documents.metrics, what)
    if what.startswith("finding:"):
        return _of_finding(documents.findings, *what.removeprefix("finding:").split(".", 1))
    return _field(documents.findings, what)


def _text(documents: RunDocuments) -> str:
    fired = [
        {key: one.get(key) for key in _SENTENCES}
        for one in documents.findings["findings"]
        if one["status"] == "fired"
    ]
    notes = documents.metrics["run"].get("notes")
    return " ".join(_strings([fired, documents.findings["verdict"], notes]))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _strings(list(value.values()))
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


def _cell(document: Mapping[str, Any], name: str, row: str | None, column: str | None) -> Any:
    metric = next((one for one in document["metrics"] if one["name"] == name), None)
    if metric is None or column is None:
        return None if metric is None else metric.get("value")
    names = [one["name"] for one in metric.get("columns", [])]
    rows = [dict(zip(names, cells, strict=True)) for cells in metric.get("rows") or []]
    if row and "=" in row:
        key, wanted = row.split("=", 1)
        rows, row = [one for one in rows if str(one[key]) == wanted], "0"
    return rows[int(row or 0)].get(column) if len(rows) > int(row or 0) else None


def _of_finding(document: Mapping[str, Any], code: str, path: str) -> Any:
    one = next((each for each in document["findings"] if each["code"] == code), None)
    if one is None or path != "expects":
        return None if one is None else _field(one, path)
    gain, reached = one.get("estimate"), one.get("expected")
    return gain["reduction"] * reached["high"] if gain and reached else None


def _field(value: Any, path: str) -> Any:
    for part in path.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _says(value: Any, texts: list[str], _: float) -> bool:
    return value is not None and any(text.lower() in str(value).lower() for text in texts)


_OPERATIONS: dict[str, Callable[[Any, Any, float], bool]] = {
    "is": lambda value, right, _: value == right,
    "is_not": lambda value, right, _: value is not None and value != right,
    "near": lambda value, right, within: value is not None and abs(value - right) <= within,
    "at_most": lambda value, right, _: value is None or value <= right,
    "at_least": lambda value, right, _: value is not None and value >= right,
    "one_of": lambda value, right, _: value in right,
    "says": _says,
    "lacks": lambda value, right, _: not _says(value, right, 0),
    "before": lambda value, right, _: value is not None and _stands_before(value, *right),
}
"""Whether a value is right: takes it, the right one and the difference that is allowed."""


def _stands_before(codes: list[str], first: str, second: str) -> bool:
    return first in codes and second not in codes[: codes.index(first)]
