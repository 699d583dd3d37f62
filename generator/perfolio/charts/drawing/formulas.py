"""Vega's expressions: formulas over a row and the signals of a view, as JavaScript computes them.

Only operators, members, conditions and a few functions; a formula with anything else is not drawn.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from perfolio.charts.drawing.number_formats import format_number, write_number
from perfolio.common.errors import PerfolioError

Row = Mapping[str, Any]
Formula = Callable[[Row, Mapping[str, Any]], Any]
"""From a row and the signals to a value."""

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|(?P<name>[A-Za-z_$][\w$]*)"
    r"|'(?P<text>[^'\\]*)'|\"(?P<other>[^\"\\]*)\""
    r"|(?P<sign>===|!==|==|!=|<=|>=|&&|\|\||[-+*/%<>!?:()\[\].,]))"
)
_LEVELS: tuple[tuple[str, ...], ...] = (
    ("===", "!==", "==", "!="), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/")
)  # fmt: skip
"""Operators of two sides but `&&` and `||`, those that bind least first."""


class NotDrawnError(PerfolioError):
    """A specification uses what only Vega draws."""


@lru_cache(maxsize=1000)
def compile_formula(text: str) -> Formula:
    """The function that `text` describes. Raises NotDrawnError where it has another syntax."""
    parser = _Parser(_split_tokens(text))
    formula = parser.read_condition()
    if parser.tokens:
        raise NotDrawnError(f"a formula goes on with {parser.tokens[-1][1]}")
    return formula


def is_true(value: object) -> bool:
    """Whether JavaScript takes a value for true."""
    return bool(value) and value == value  # noqa: PLR0124 - not a number is not true


def spell_value(value: object) -> str:
    """A value as JavaScript joins it to a text."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, int | float):
        return write_number(value)
    if not isinstance(value, str):
        raise NotDrawnError("a text of a list")
    return value


def _split_tokens(text: str) -> list[tuple[str, str]]:
    """Kinds and texts of tokens, the first one last."""
    tokens: list[tuple[str, str]] = []
    place = 0
    stripped = text.rstrip()
    while place < len(stripped):
        match = _TOKEN.match(stripped, place)
        if match is None:
            raise NotDrawnError(f"a formula has {stripped[place]}")
        kind = str(match.lastgroup)
        tokens.append(("text" if kind == "other" else kind, match[kind]))
        place = match.end()
    return tokens[::-1]


class _Parser:
    """Reads tokens from the end of a list."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self.tokens = tokens

    def read_condition(self) -> Formula:
        test = self._read_either()
        if not self._take("?"):
            return test
        then = self.read_condition()
        self._expect(":")
        other = self.read_condition()
        return lambda row, signals: (then if is_true(test(row, signals)) else other)(row, signals)

    def _read_either(self) -> Formula:
        left = self._read_both()
        while self._take("||"):
            left = _join_either(left, self._read_both())
        return left

    def _read_both(self) -> Formula:
        left = self._read_level(0)
        while self._take("&&"):
            left = _join_both(left, self._read_level(0))
        return left

    def _read_level(self, level: int) -> Formula:
        if level == len(_LEVELS):
            return self._read_sign()
        left = self._read_level(level + 1)
        while sign := self._take(*_LEVELS[level]):
            left = _join_two(_OPERATIONS[sign], left, self._read_level(level + 1))
        return left

    def _read_sign(self) -> Formula:
        if self._take("!"):
            inner = self._read_sign()
            return lambda row, signals: not is_true(inner(row, signals))
        if self._take("-"):
            inner = self._read_sign()
            return lambda row, signals: -_as_number(inner(row, signals))
        if self._take("+"):
            inner = self._read_sign()
            return lambda row, signals: _as_number(inner(row, signals))
        return self._read_member()

    def _read_member(self) -> Formula:
        formula = self._read_value()
        while sign := self._take(".", "["):
            if sign == ".":
                formula = _get_member(formula, self._read_name())
            else:
                inner = self.read_condition()
                self._expect("]")
                formula = _get_item(formula, inner)
        return formula

    def _read_name(self) -> str:
        kind, text = self.tokens.pop() if self.tokens else ("", "")
        if kind != "name":
            raise NotDrawnError(f"a formula has no name but {text}")
        return text

    def _read_value(self) -> Formula:
        if not self.tokens:
            raise NotDrawnError("a formula ends too early")
        kind, text = self.tokens.pop()
        if kind == "number":
            number = float(text)
            return lambda _row, _signals: number
        if kind == "text":
            return lambda _row, _signals: text
        if kind == "name":
            return self._read_call(text) if self._take("(") else _get_name(text)
        if text == "(":
            inner = self.read_condition()
            self._expect(")")
            return inner
        if text == "[":
            items = self._read_list("]")
            return lambda row, signals: [item(row, signals) for item in items]
        raise NotDrawnError(f"a formula has {text}")

    def _read_call(self, name: str) -> Formula:
        function = _FUNCTIONS.get(name)
        if function is None:
            raise NotDrawnError(f"a formula calls {name}")
        given = self._read_list(")")
        return lambda row, signals: function(*(each(row, signals) for each in given))

    def _read_list(self, end: str) -> list[Formula]:
        found: list[Formula] = []
        while not self._take(end):
            if found:
                self._expect(",")
            found.append(self.read_condition())
        return found

    def _take(self, *signs: str) -> str:
        """The next token, where it is one of these."""
        if self.tokens and self.tokens[-1][0] == "sign" and self.tokens[-1][1] in signs:
            return self.tokens.pop()[1]
        return ""

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            raise NotDrawnError(f"a formula lacks {sign}")


def _join_two(function: Callable[[Any, Any], Any], left: Formula, right: Formula) -> Formula:
    return lambda row, signals: function(left(row, signals), right(row, signals))


def _join_either(left: Formula, right: Formula) -> Formula:
    def either(row: Row, signals: Mapping[str, Any]) -> Any:
        value = left(row, signals)
        return value if is_true(value) else right(row, signals)

    return either


def _join_both(left: Formula, right: Formula) -> Formula:
    def both(row: Row, signals: Mapping[str, Any]) -> Any:
        value = left(row, signals)
        return right(row, signals) if is_true(value) else value

    return both


def _get_name(name: str) -> Formula:
    if name == "datum":
        return lambda row, _signals: row
    if name in _CONSTANTS:
        constant = _CONSTANTS[name]
        return lambda _row, _signals: constant

    def get_signal(_row: Row, signals: Mapping[str, Any]) -> Any:
        if name not in signals:
            raise NotDrawnError(f"a formula names {name}")
        return signals[name]

    return get_signal


def _get_member(formula: Formula, name: str) -> Formula:
    def get(row: Row, signals: Mapping[str, Any]) -> Any:
        value = formula(row, signals)
        if not isinstance(value, Mapping) or name not in value:
            raise NotDrawnError(f"a formula asks for {name} where there is none")
        return value[name]

    return get


def _get_item(formula: Formula, inner: Formula) -> Formula:
    def get(row: Row, signals: Mapping[str, Any]) -> Any:
        value, key = formula(row, signals), inner(row, signals)
        if not isinstance(value, Mapping) or not isinstance(key, str) or key not in value:
            raise NotDrawnError("a formula asks for a part where there is none")
        return value[key]

    return get


def _as_number(value: object) -> float:
    if value is None:
        return 0.0
    if isinstance(value, int | float):
        return float(value)
    raise NotDrawnError("a formula computes with a text")


def _add(left: object, right: object) -> object:
    if isinstance(left, str) or isinstance(right, str):
        return spell_value(left) + spell_value(right)
    return _as_number(left) + _as_number(right)


def _divide(left: object, right: object) -> float:
    over, under = _as_number(left), _as_number(right)
    if under == 0.0:
        raise NotDrawnError("a formula divides by 0")
    return over / under


def _compare(function: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def compare(left: object, right: object) -> bool:
        if isinstance(left, str) and isinstance(right, str):
            return function(left, right)
        return function(_as_number(left), _as_number(right))

    return compare


def _are_same(left: object, right: object) -> bool:
    return _name_kind(left) == _name_kind(right) and left == right


def _name_kind(value: object) -> str:
    if isinstance(value, str):
        return "text"
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else "other"


def _find_index(values: Sequence[object], value: object) -> int:
    if isinstance(values, str):
        raise NotDrawnError("a formula looks into a text")
    return next((i for i, each in enumerate(values) if _are_same(each, value)), -1)


def _is_valid(value: object) -> bool:
    return value is not None and value == value  # noqa: PLR0124 - not a number is not valid


_CONSTANTS: dict[str, object] = {"true": True, "false": False, "null": None}
_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "===": _are_same,
    "!==": lambda left, right: not _are_same(left, right),
    "==": _are_same,
    "!=": lambda left, right: not _are_same(left, right),
    "<": _compare(operator.lt),
    ">": _compare(operator.gt),
    "<=": _compare(operator.le),
    ">=": _compare(operator.ge),
    "+": _add,
    "-": lambda left, right: _as_number(left) - _as_number(right),
    "*": lambda left, right: _as_number(left) * _as_number(right),
    "/": _divide,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": lambda value: abs(_as_number(value)),
    "ceil": lambda value: math.ceil(_as_number(value)),
    "floor": lambda value: math.floor(_as_number(value)),
    "format": lambda value, form: format_number(_as_number(value), form),
    "indexof": _find_index,
    "isValid": _is_valid,
    "max": lambda *values: max(map(_as_number, values)),
    "min": lambda *values: min(map(_as_number, values)),
    "round": lambda value: math.floor(_as_number(value) + 0.5),
    "sqrt": lambda value: math.sqrt(_as_number(value)),
}
