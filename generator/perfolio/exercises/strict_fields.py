"""Mappings of YAML read strictly: every key has a type, and an unknown key is an error.

In:  a mapping, and the place that messages name. Out: values; ContentError with that place.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from perfolio.common.errors import ContentError
from perfolio.exercises.collect_commands import ANY, KINDS
from perfolio.exercises.model import Answer, Source, WrongAnswer

_SOURCES: Mapping[Source, frozenset[str]] = {
    "metric": frozenset({"metric", "column", "row", "where", "total"}),
    "expression": frozenset({"expression"}),
    "finding": frozenset({"finding", "column"}),
    "setting": frozenset({"setting"}),
    "hardware": frozenset({"hardware"}),
    "given": frozenset({"given"}),
    "absent": frozenset({"absent", "collect"}),
}
_NONE = object()


class StrictFields:
    """A mapping whose keys are taken one by one; `done` refuses what nobody took."""

    def __init__(self, values: object, where: str, lines: Mapping[str, int] | None = None) -> None:
        """`where` names the place, and `lines` those of its keys that have a line of their own."""
        if not isinstance(values, Mapping):
            raise ContentError(f"{where}: must be a mapping")
        self._values = {str(key): value for key, value in values.items()}
        self._left = dict.fromkeys(self._values)
        self.where = where
        self._lines = lines or {}

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def refuse(self, problem: str, name: str = "") -> ContentError:
        """The error that something is wrong here, or with the key of a name."""
        return ContentError(f"{self._place(name)}: {problem}")

    def _place(self, name: str) -> str:
        return f"{self.where}:{self._lines[name]}" if name in self._lines else self.where

    def done(self) -> None:
        """Refuse the keys that nobody asked for."""
        if self._left:
            raise self.refuse(f"knows no {', '.join(self._left)}", next(iter(self._left)))

    def any(self, name: str, default: object = _NONE) -> Any:
        """The value of a key as YAML has it."""
        self._left.pop(name, None)
        if name in self._values:
            return self._values[name]
        if default is _NONE:
            raise self.refuse(f"lacks {name}")
        return default

    def text(self, name: str, default: object = _NONE) -> str:
        """A text; numbers are refused, since YAML reads `1.0` as one."""
        value = self.any(name, default)
        if not isinstance(value, str):
            raise self.refuse(f"{name} must be text", name)
        return value.strip()

    def number(self, name: str, default: object = _NONE) -> float:
        """A finite number."""
        value = self.any(name, default)
        number = to_finite_number(value)
        if number is None:
            raise self.refuse(f"{name} must be a number", name)
        return number

    def mapping(self, name: str) -> dict[str, Any]:
        """A mapping as YAML has it, empty where there is none."""
        value = self.any(name, {})
        if not isinstance(value, Mapping):
            raise self.refuse(f"{name} must be a mapping", name)
        return {str(key): each for key, each in value.items()}

    def named_texts(self, name: str) -> dict[str, str]:
        """Texts by name, empty where there are none."""
        inside = StrictFields(self.mapping(name), f"{self._place(name)}: {name}")
        return {key: inside.text(key) for key in self.mapping(name)}

    def flag(self, name: str) -> bool:
        """Whether something holds; false where it is not said."""
        value = self.any(name, default=False)
        if not isinstance(value, bool):
            raise self.refuse(f"{name} must be true or false", name)
        return value

    def many(self, name: str, default: object = _NONE) -> Sequence[Any]:
        """A list."""
        value = self.any(name, default)
        if not isinstance(value, (list, tuple)):
            raise self.refuse(f"{name} must be a list", name)
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts, empty where there is none."""
        value = self.many(name, ())
        if not all(isinstance(each, str) for each in value):
            raise self.refuse(f"{name} must be a list of texts", name)
        return tuple(each.strip() for each in value)

    def inside(self, name: str, default: object = _NONE) -> StrictFields:
        """A mapping within this one."""
        return StrictFields(self.any(name, default), f"{self._place(name)}: {name}")

    def each(self, name: str, default: object = _NONE) -> list[StrictFields]:
        """A list of mappings."""
        values = self.many(name, default)
        place = self._place(name)
        return [StrictFields(each, f"{place}: {name} {n}") for n, each in enumerate(values, 1)]


def to_finite_number(value: object) -> float | None:
    """A number as YAML or JSON has it; None where it is none, infinite, or beyond all floats."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def read_answer_chain(fields: StrictFields, name: str = "answer") -> Answer:
    """The answer under a key: one, or a list, of which the first that a run has counts."""
    value = fields.any(name)
    first: Answer | None = None
    for each in reversed(value if isinstance(value, list) else [value]):
        read = read_answer(StrictFields(each, f"{fields.where}: {name}"))
        first = replace(read, otherwise=first)
    if first is None:
        raise fields.refuse(f"{name} is an empty list")
    return first


def read_answer(fields: StrictFields) -> Answer:
    """An answer: `{metric: time.wall}`, `{expression: "a / b"}`..."""
    named = [source for source in _SOURCES if source in fields]
    if len(named) != 1:
        known = ", ".join(_SOURCES)
        raise fields.refuse(f"an answer has one of {known}, not {len(named)}")
    source = named[0]
    given = source == "given"
    row = fields.any("row", None) if source == "metric" else None
    if row is not None and (isinstance(row, bool) or not isinstance(row, int)):
        raise fields.refuse("row must be a whole number")
    answer = Answer(
        source,
        "" if given else fields.text(source),
        column=fields.text("column", "") if "column" in _SOURCES[source] else "",
        row=row,
        where=fields.mapping("where") if source == "metric" else {},
        value=fields.number("given") if given else None,
        total=source == "metric" and fields.flag("total"),
        collect=read_collect(fields) if source == "absent" else {},
    )
    fields.done()
    return answer


def read_collect(fields: StrictFields) -> Mapping[str, str]:
    """How what is absent is collected: a command for any run, or one for each kind of run."""
    value = fields.any("collect")
    commands = {ANY: value} if isinstance(value, str) else value
    known = isinstance(commands, Mapping) and commands.keys() <= set(KINDS)
    if not known or not all(isinstance(each, str) for each in commands.values()):
        raise fields.refuse(f"collect must be text, or a text for some of {', '.join(KINDS)}")
    return {kind: command.strip() for kind, command in commands.items()}


def read_wrong(fields: StrictFields) -> tuple[WrongAnswer, ...]:
    """The declared mistakes of an item."""
    mistakes = []
    for each in fields.each("wrong", ()):
        answer = read_answer_chain(each)
        mistakes.append(WrongAnswer(each.text("code"), answer, each.text("says")))
        each.done()
    return tuple(mistakes)
