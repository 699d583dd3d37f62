"""Places where a text can be changed: a module, a query, a rule."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import accumulate


@dataclass(frozen=True)
class Change:
    """Replace what stands from `start` to `stop` of a text."""

    kind: str
    """What is changed, in a word or two."""
    start: int
    stop: int
    new: str

    def applied(self, text: str) -> str:
        """The text after the change."""
        return text[: self.start] + self.new + text[self.stop :]


Mutator = Callable[[str], Iterator[Change]]
"""All changes that can be made to a text."""


# Mutations of a module: operators, comparisons, numbers and words that have an opposite.

_OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.And: ast.Or, ast.Or: ast.And,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any", "sum": "max"}


def python_changes(text: str) -> Iterator[Change]:
    """All changes of a module that leave annotations, docstrings and texts as they are."""
    starts = [0, *accumulate(len(line) for line in text.encode().splitlines(keepends=True))]
    for node in _code(ast.parse(text)):
        for kind, changed in _changed(node):
            start = starts[node.lineno - 1] + node.col_offset
            stop = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            yield Change(kind, _index(text, start), _index(text, stop), ast.unparse(changed))


def _index(text: str, byte: int) -> int:
    return len(text.encode()[:byte].decode())


def _code(node: ast.AST) -> Iterator[ast.expr]:
    """Expressions that are computed: no annotation, and nothing in a text, which has no place."""
    if isinstance(node, ast.JoinedStr):
        return
    if isinstance(node, ast.expr):
        yield node
    for name, field in ast.iter_fields(node):
        if name not in {"annotation", "returns", "decorator_list"}:
            for child in field if isinstance(field, list) else [field]:
                if isinstance(child, ast.AST):
                    yield from _code(child)


def _changed(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.BinOp(op=operator) | ast.BoolOp(op=operator) if type(operator) in _OPERATORS:
            yield "operator", _with(node, op=_OPERATORS[type(operator)]())
        case ast.Compare(ops=[operator]) if type(operator) in _OPERATORS:
            yield "comparison", _with(node, ops=[_OPERATORS[type(operator)]()])
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "negation", operand
        case ast.Call(func=ast.Name(id=name)) if name in _FUNCTIONS:
            yield "function", _with(node, func=ast.Name(_FUNCTIONS[name]))
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            yield (
                "constant",
                ast.Constant(number + 1 if isinstance(number, int) else 2 * number or 1.0),
            )
        case ast.IfExp(body=body, orelse=orelse):
            yield "choice", _with(node, body=orelse, orelse=body)


def _with(node: ast.expr, **fields: object) -> ast.expr:
    changed = deepcopy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


# Mutations of a query: places that a pattern finds outside comments, strings and front matter.

_HIDDEN = re.compile(
    r"\A/\*---\n.*?\n---\*/\n|--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|\"[^\"]*\"", re.DOTALL
)
_SWAPPED = {
    "comparison": {"<": "<=", "<=": "<", ">": ">=", ">=": ">"},
    "equality": {"=": "<>", "<>": "="},
    "sign": {"+": "-", "-": "+"},
    "product": {"*": "/", "/": "*"},
    "logic": {"AND": "OR", "OR": "AND"},
    "aggregate": {"sum": "max", "min": "max", "max": "min", "avg": "max", "median": "min"},
    "bound": {"least": "greatest", "greatest": "least"},
    "join": {"LEFT JOIN": "JOIN"},
    "order": {" DESC": "", "NULLS LAST": "NULLS FIRST"},
    "distinct": {"DISTINCT ": ""},
    "negation": {"NOT ": ""},
}
_PATTERNS = {
    "comparison": r"(?<![<>=])(?:<=|>=|<(?!>)|>)(?!=)",
    "equality": r"(?<![<>=:])(?:=|<>)(?![=>])",
    "sign": r"(?<=[\w)\]] )[+-](?= )",
    "product": r"(?<=[\w)\]] )(?<!SELECT )[*/](?= )(?! FROM)",
    "logic": r"\b(?:AND|OR)\b",
    "aggregate": r"\b(?:sum|min|max|avg|median)(?=\()",
    "bound": r"\b(?:least|greatest)(?=\()",
    "join": r"\bLEFT JOIN\b",
    "order": r" DESC\b|\bNULLS LAST\b",
    "distinct": r"\bDISTINCT (?!FROM|ON)",
    "negation": r"\bNOT (?!MATERIALIZED|NULL|DISTINCT|EXISTS)",
    "constant": r"(?<![\w.$])\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.])",
    "limit dropped": r"\bLIMIT \d+",
    "order reversed": r"(?<=ORDER BY )[\w.]+(?=\s*[,\n)])",
}  # fmt: skip
_RANGE = re.compile(r"\bBETWEEN\b[^()]*\Z")


def query_changes(text: str) -> Iterator[Change]:
    """All changes of a query that leave its front matter, names and texts as they are."""
    code = _HIDDEN.sub(lambda found: " " * len(found[0]), text)
    for kind, pattern in _PATTERNS.items():
        for found in re.finditer(pattern, code):
            new = _new(kind, found[0], code[: found.start()])
            if new is not None:
                yield Change(kind, found.start(), found.end(), new)


def _new(kind: str, old: str, before: str) -> str | None:
    """What replaces `old`; None where that would be no query, or mean the same."""
    if kind == "logic" and _RANGE.search(before):
        return None
    if kind == "constant":
        return _next(old, before)
    if kind == "order reversed":
        return f"{old} DESC"
    return _SWAPPED[kind][old] if kind in _SWAPPED else ""


def _next(number: str, before: str) -> str | None:
    # A quotient by 0 is not measured either way; a power of ten is a unit, and has no neighbour.
    if "e" in number or (number == "0" and _called(before) == "nullif"):
        return None
    return str(float(number) * 2 or 1.0) if "." in number else str(int(number) + 1)


def _called(before: str) -> str:
    """The function that is given what follows, or no name."""
    depth = 0
    for position in range(len(before) - 1, -1, -1):
        depth += (before[position] == "(") - (before[position] == ")")
        if depth > 0:
            return re.split(r"\W", before[:position])[-1]
    return ""


# Mutations of a rule: its thresholds, and the comparisons in its conditions.

_CHANGED_LINE = re.compile(
    r"^(?:thresholds|applies|target|direction):.*$|^::: where .*$", re.MULTILINE
)
_NUMBER = re.compile(r"(?<![\w.\[])\d+(?:\.\d+)?(?![\w.\]])")
_WORD = re.compile(r" (<=|>=|<|>|and|or) |(?<=direction: )(above|below)")
_OPPOSITES = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "and": "or", "or": "and",
              "above": "below", "below": "above"}  # fmt: skip


def rule_changes(text: str) -> Iterator[Change]:
    """All changes of a rule that leave its words as they are."""
    for line in _CHANGED_LINE.finditer(text):
        for number in _NUMBER.finditer(line[0]):
            start, stop = line.start() + number.start(), line.start() + number.end()
            yield Change("number", start, stop, str(2 * float(number[0]) or 1.0))
        for word in _WORD.finditer(line[0]):
            group = word.lastindex or 0
            start, stop = line.start() + word.start(group), line.start() + word.end(group)
            yield Change("condition", start, stop, _OPPOSITES[word[group]])
