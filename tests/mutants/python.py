"""Mutations of a module: operators, comparisons, numbers and words that have an opposite."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from itertools import accumulate

from tests.mutants.model import Change

_OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.And: ast.Or, ast.Or: ast.And,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any", "sum": "max"}


def mutations(text: str) -> Iterator[Change]:
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
