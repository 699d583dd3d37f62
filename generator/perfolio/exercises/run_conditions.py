"""Conditions over a run: `time.wall > cpu.time and finding.D8.fired == 1`.

In:  a text with comparisons of formulas, `and`, `or`, `not`, and names compared with texts.
Out: whether it holds; None where the run does not say.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping

from perfolio.audit.expression import evaluate, list_names
from perfolio.common.errors import ContentError, UsageError
from perfolio.exercises.run_view import Run

_COMPARES: Mapping[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


def evaluate_condition(text: str, run: Run) -> bool | None:
    """Whether a condition holds. Raises ContentError where it is none."""
    try:
        return _evaluate_tree(ast.parse(text.strip(), mode="eval").body, run)
    except (SyntaxError, ValueError, UsageError, RecursionError) as problem:
        raise ContentError(f"{text!r} is no condition: {problem}") from problem


def list_condition_names(text: str) -> list[str]:
    """The names that a condition is about."""
    return list(dict.fromkeys(name for each in list_compared_names(text) for name in each))


def list_compared_names(text: str) -> list[list[str]]:
    """The names of each comparison in a condition."""
    tree = ast.parse(text.strip(), mode="eval").body if text else ast.Constant(None)
    return [
        [
            name
            for side in (node.left, *node.comparators)
            if not _get_text(side)
            for name in list_names(ast.unparse(side), functions=True)
        ]
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
    ]


def _evaluate_tree(tree: ast.expr, run: Run) -> bool | None:
    if isinstance(tree, ast.BoolOp):
        parts = [_evaluate_tree(each, run) for each in tree.values]
        if None in parts:
            return None
        return all(parts) if isinstance(tree.op, ast.And) else any(parts)
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        inner = _evaluate_tree(tree.operand, run)
        return None if inner is None else not inner
    if isinstance(tree, ast.Compare):
        return _compare_sides(tree, run)
    raise ValueError("it compares nothing")


def _compare_sides(tree: ast.Compare, run: Run) -> bool | None:
    sides = [tree.left, *tree.comparators]
    for left, right, compare in zip(sides, sides[1:], tree.ops, strict=False):
        if type(compare) not in _COMPARES:
            raise ValueError("compare with <, <=, >, >=, == or !=")
        truth = _compare_pair(left, right, _COMPARES[type(compare)], run)
        if not truth:
            return truth
    return True


def _compare_pair(
    left: ast.expr, right: ast.expr, compare: Callable[[float, float], bool], run: Run
) -> bool | None:
    words = _get_text(right)
    if words:
        recorded = run.text(ast.unparse(left))
        if compare not in (operator.eq, operator.ne):
            raise ValueError("a text is equal or it is not")
        return None if recorded is None else (recorded == words) == (compare is operator.eq)
    one, other = (evaluate(ast.unparse(each), run.value, run.column) for each in (left, right))
    return None if one is None or other is None else compare(one, other)


def _get_text(tree: ast.expr) -> str:
    return tree.value if isinstance(tree, ast.Constant) and isinstance(tree.value, str) else ""
