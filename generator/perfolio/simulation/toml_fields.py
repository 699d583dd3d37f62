"""Entries of a TOML table, taken one by one; what is left over is an error that names its key."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from perfolio.common.errors import UsageError

HINT = "see the reference of scenario.toml"
NOT_GIVEN = object()
T = TypeVar("T")


class ScenarioTable:
    """One table of a scenario and its name, e.g. `phases.forward.steps[2]`."""

    def __init__(self, where: str, entries: Any) -> None:
        if not isinstance(entries, Mapping):
            raise make_fault(where, f"must be a table, not {_name_kind(entries)}")
        self.where = where
        self._entries = dict(entries)
        self._known: set[str] = set()

    def take(self, key: str, kind: type, default: Any = NOT_GIVEN) -> Any:
        """The entry `key`, of Python type `kind`; `default` if it is not there."""
        self._known.add(key)
        if key not in self._entries:
            if default is NOT_GIVEN:
                raise make_fault(self._name(key), "is missing")
            return default
        value = self._entries.pop(key)
        if kind is float and type(value) is int:
            value = float(value)
        if type(value) is not kind:
            raise make_fault(
                self._name(key), f"must be {_name_type(kind)}, not {_name_kind(value)}"
            )
        return value

    def number(self, key: str, default: float, low: float = 0.0, high: float = math.inf) -> float:
        """A number within bounds."""
        value: float = self.take(key, float, default)
        if not low <= value <= high:
            raise make_fault(self._name(key), f"must be from {low:g} to {high:g}, not {value:g}")
        return value

    def whole(self, key: str, default: int, low: int = 0, high: int = 1_000_000) -> int:
        """A whole number within bounds."""
        value: int = self.take(key, int, default)
        if not low <= value <= high:
            raise make_fault(self._name(key), f"must be from {low:,} to {high:,}, not {value:,}")
        return value

    def texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """A list of texts."""
        values = self.take(key, list, list(default))
        if not all(isinstance(value, str) for value in values):
            raise make_fault(self._name(key), "must be a list of texts")
        return tuple(values)

    def read(self, key: str, reader: Callable[[str], T], default: T) -> T:
        """A text that `reader` understands, e.g. a time."""
        text = self.take(key, str, None)
        return default if text is None else self.understood(key, reader, text)

    def understood(self, key: str, reader: Callable[[str], T], text: str) -> T:
        """`text` by `reader`, whose ValueError becomes an error that names the key."""
        try:
            return reader(text)
        except ValueError as problem:
            raise make_fault(self._name(key), str(problem)) from problem

    def chosen(self, key: str, allowed: tuple[str, ...], default: str) -> str:
        """One of the allowed texts."""
        value: str = self.take(key, str, default)
        if value not in allowed:
            raise make_fault(self._name(key), f"must be one of {', '.join(allowed)}, not {value!r}")
        return value

    def table(self, key: str) -> ScenarioTable:
        """A table within this one; empty if it is not there."""
        self._known.add(key)
        return ScenarioTable(self._name(key), self._entries.pop(key, {}))

    def tables(self) -> dict[str, ScenarioTable]:
        """All entries, each of which must be a table."""
        entries, self._entries = self._entries, {}
        return {key: ScenarioTable(self._name(key), value) for key, value in entries.items()}

    def has(self, key: str) -> bool:
        """Whether an entry is still there."""
        return key in self._entries

    def left(self) -> tuple[str, ...]:
        """Names of the entries that were not taken yet."""
        return tuple(self._entries)

    def end(self) -> None:
        """Nothing else may be in the table."""
        for key in self._entries:
            near = difflib.get_close_matches(key, sorted(self._known), 1)
            known = (
                f"did you mean {near[0]}?" if near else f"known: {', '.join(sorted(self._known))}"
            )
            raise make_fault(self._name(key), f"is unknown; {known}")

    def _name(self, key: str) -> str:
        return f"{self.where}.{key}" if self.where else key


def make_fault(where: str, problem: str) -> UsageError:
    """An error about one entry of a scenario."""
    return UsageError(f"{where} {problem}", hint=HINT)


def check_known(where: str, name: str, names: Mapping[str, Any]) -> str:
    """`name` if there is such a thing."""
    if name not in names:
        raise make_fault(where, f"names {name!r}; there are {', '.join(sorted(names)) or 'none'}")
    return name


def _name_kind(value: Any) -> str:
    return _name_type(type(value))


def _name_type(kind: type) -> str:
    return _KINDS.get(kind, kind.__name__)


_KINDS: dict[type, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    dict: "a table",
    list: "a list",
}
