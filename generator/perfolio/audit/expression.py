"""Arithmetic over names, as a claim's formula has it: `copy_time / (copy_time + kernel_time)`.

In:  a text with names, dotted names, numbers, + - * / and brackets; where names may stand for
     columns, also `count first max min product round sum` of them. Out: its tree, or its value.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence

from perfolio.common.errors import UsageError

Lookup = Callable[[str], float | None]
Columns = Callable[[str], Sequence[float] | None]
"""The numbers of a column by its name; None where there is no such column."""
_LONGEST = 500
_OPERATORS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
FUNCTIONS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "count": lambda values: float(len(values)),
    "first": lambda values: values[0],
    "max": max,
    "min": min,
    "product": math.prod,
    "round": lambda values: float(round(values[0])),
    "sum": math.fsum,
}
"""What may be asked of columns; each takes all numbers of its arguments."""


def parse_formula(text: str, *, functions: bool = False) -> ast.expr:
    """The tree of `text`. Raises UsageError where it is anything but arithmetic over names."""
    try:
        if len(text) > _LONGEST:
            raise UsageError(f"a formula of {len(text)} characters", hint=f"at most {_LONGEST}")
        tree = ast.parse(text, mode="eval").body
        _refuse_others(tree, functions)
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError) as problem:
        raise UsageError(
            f"{text!r} is no formula", hint="use names, numbers, + - * / and brackets"
        ) from problem
    return tree


def list_names(text: str, *, functions: bool = False) -> list[str]:
    """The names in a formula, each once, in their order."""
    return (
        list(dict.fromkeys(_walk_names(parse_formula(text, functions=functions)))) if text else []
    )


def evaluate(text: str, lookup: Lookup, columns: Columns | None = None) -> float | None:
    """The value of a formula; None where a name has none, or something is divided by 0.

    With `columns`, functions may stand in it.
    """
    return (
        _compute_value(parse_formula(text, functions=columns is not None), lookup, columns)
        if text
        else None
    )


def list_divisions(text: str) -> Iterator[tuple[list[str], list[str]]]:
    """For each division, the names above and below the line."""
    for node in ast.walk(parse_formula(text)) if text else ():
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            yield list(_walk_names(node.left)), list(_walk_names(node.right))


def _refuse_others(tree: ast.expr, functions: bool) -> None:  # noqa: FBT001 - passed on
    if isinstance(tree, ast.BinOp) and type(tree.op) in _OPERATORS:
        _refuse_others(tree.left, functions)
        _refuse_others(tree.right, functions)
    elif isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
        _refuse_others(tree.operand, functions)
    elif functions and _get_function(tree):
        for each in _get_arguments(tree):
            _refuse_others(each, functions)
    elif isinstance(tree, ast.Constant):
        _check_number(tree.value)
    elif not _get_name(tree):
        raise ValueError(f"{type(tree).__name__} is no arithmetic")


def _check_number(value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"{value!r} is no number")  # noqa: TRY004 - one kind of refusal
    if not math.isfinite(value):  # OverflowError for whole numbers of 400 digits
        raise ValueError(f"{value!r} is too large")


def _get_name(tree: ast.expr) -> str:
    """`gpu.launches` of its tree; empty where it is something else."""
    if isinstance(tree, ast.Name):
        return tree.id
    if isinstance(tree, ast.Attribute) and (base := _get_name(tree.value)):
        return f"{base}.{tree.attr}"
    return ""


def _get_function(tree: ast.expr) -> str:
    """The function that a tree calls; empty where it calls none that there is."""
    if not isinstance(tree, ast.Call) or tree.keywords or not tree.args:
        return ""
    name = tree.func.id if isinstance(tree.func, ast.Name) else ""
    return name if name in FUNCTIONS else ""


def _get_arguments(tree: ast.expr) -> Sequence[ast.expr]:
    return tree.args if isinstance(tree, ast.Call) else ()


def _walk_names(tree: ast.expr) -> Iterator[str]:
    if found := _get_name(tree):
        yield found
    elif isinstance(tree, ast.BinOp):
        yield from _walk_names(tree.left)
        yield from _walk_names(tree.right)
    elif isinstance(tree, ast.UnaryOp):
        yield from _walk_names(tree.operand)
    else:
        for each in _get_arguments(tree):
            yield from _walk_names(each)


def _compute_value(tree: ast.expr, lookup: Lookup, columns: Columns | None) -> float | None:
    if found := _get_name(tree):
        return lookup(found)
    if isinstance(tree, ast.UnaryOp):
        inner = _compute_value(tree.operand, lookup, columns)
        return None if inner is None else -inner
    if isinstance(tree, ast.BinOp):
        left, right = (
            _compute_value(tree.left, lookup, columns),
            _compute_value(tree.right, lookup, columns),
        )
        if left is None or right is None or (isinstance(tree.op, ast.Div) and right == 0.0):
            return None
        return _OPERATORS[type(tree.op)](left, right)
    if columns and (function := _get_function(tree)):
        values = [_compute_numbers(each, lookup, columns) for each in _get_arguments(tree)]
        known = [number for each in values if each is not None for number in each]
        return FUNCTIONS[function](known) if known and None not in values else None
    return float(tree.value) if isinstance(tree, ast.Constant) else None  # type: ignore[arg-type]


def _compute_numbers(tree: ast.expr, lookup: Lookup, columns: Columns) -> Sequence[float] | None:
    """The numbers that an argument stands for: a column, or one value."""
    column = columns(name) if (name := _get_name(tree)) else None
    if column is not None:
        return column
    value = _compute_value(tree, lookup, columns)
    return None if value is None else (value,)
