"""Arithmetic over names, as a claim's formula has it: `copy_time / (copy_time + kernel_time)`.

In:  a text with names, dotted names, numbers, + - * / and brackets. Out: its tree.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterator, Mapping

from generator.errors import UsageError

Lookup = Callable[[str], float | None]
_LONGEST = 500
_OPERATORS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def parse(text: str) -> ast.expr:
    """The tree of `text`. Raises UsageError where it is anything but arithmetic over names."""
    try:
        if len(text) > _LONGEST:
            raise UsageError(f"a formula of {len(text)} characters", hint=f"at most {_LONGEST}")
        tree = ast.parse(text, mode="eval").body
        _refuse_others(tree)
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError) as problem:
        raise UsageError(
            f"{text!r} is no formula", hint="use names, numbers, + - * / and brackets"
        ) from problem
    return tree


def names(text: str) -> list[str]:
    """The names in a formula, each once, in their order."""
    return list(dict.fromkeys(_names(parse(text)))) if text else []


def evaluate(text: str, lookup: Lookup) -> float | None:
    """The value of a formula; None where a name has none, or something is divided by 0."""
    return _value(parse(text), lookup) if text else None


def divisions(text: str) -> Iterator[tuple[list[str], list[str]]]:
    """For each division, the names above and below the line."""
    for node in ast.walk(parse(text)) if text else ():
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            yield list(_names(node.left)), list(_names(node.right))


def _refuse_others(tree: ast.expr) -> None:
    if isinstance(tree, ast.BinOp) and type(tree.op) in _OPERATORS:
        _refuse_others(tree.left)
        _refuse_others(tree.right)
    elif isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
        _refuse_others(tree.operand)
    elif isinstance(tree, ast.Constant):
        if isinstance(tree.value, bool) or not isinstance(tree.value, (int, float)):
            raise ValueError(f"{tree.value!r} is no number")
        if not math.isfinite(tree.value):  # OverflowError for whole numbers of 400 digits
            raise ValueError(f"{tree.value!r} is too large")
    elif not _name(tree):
        raise ValueError(f"{type(tree).__name__} is no arithmetic")


def _name(tree: ast.expr) -> str:
    """`gpu.launches` of its tree; empty where it is something else."""
    if isinstance(tree, ast.Name):
        return tree.id
    if isinstance(tree, ast.Attribute) and (base := _name(tree.value)):
        return f"{base}.{tree.attr}"
    return ""


def _names(tree: ast.expr) -> Iterator[str]:
    if found := _name(tree):
        yield found
    elif isinstance(tree, ast.BinOp):
        yield from _names(tree.left)
        yield from _names(tree.right)
    elif isinstance(tree, ast.UnaryOp):
        yield from _names(tree.operand)


def _value(tree: ast.expr, lookup: Lookup) -> float | None:
    if found := _name(tree):
        return lookup(found)
    if isinstance(tree, ast.UnaryOp):
        inner = _value(tree.operand, lookup)
        return None if inner is None else -inner
    if isinstance(tree, ast.BinOp):
        left, right = _value(tree.left, lookup), _value(tree.right, lookup)
        if left is None or right is None or (isinstance(tree.op, ast.Div) and right == 0.0):
            return None
        return _OPERATORS[type(tree.op)](left, right)
    return float(tree.value) if isinstance(tree, ast.Constant) else None  # type: ignore[arg-type]
