"""What a learner's own earlier numbers give: an expression as a tree of JSON.

In:  an expression with names of earlier items, and what its other names are worth on the run.
Out: `["/", {"item": "s1-busy"}, 89.6]`; None where it follows from no item.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from generator.audit.expression import evaluate, names, parse
from generator.errors import ContentError
from generator.worksheets.run import Run

_SIGNS: Mapping[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


def follow_tree(text: str, items: Mapping[str, str], run: Run) -> Any:
    """The tree of `text`; `items` are the ids by the names that stand for them in it."""
    if not set(items) & set(names(text, functions=True)):
        return None
    return _tree(parse(text, functions=True), items, run)


def _tree(tree: ast.expr, items: Mapping[str, str], run: Run) -> Any:
    if isinstance(tree, ast.Name) and tree.id in items:
        return {"item": items[tree.id]}
    text = ast.unparse(tree)
    if not set(items) & set(names(text, functions=True)):
        value = evaluate(text, run.value, run.column)
        if value is None:
            raise run.lacks(names(text, functions=True))
        return value
    if isinstance(tree, ast.BinOp):
        return [
            _SIGNS[type(tree.op)],
            *(_tree(each, items, run) for each in (tree.left, tree.right)),
        ]
    if isinstance(tree, ast.UnaryOp):
        return ["-", 0.0, _tree(tree.operand, items, run)]
    raise ContentError(f"{text!r}: no function of what a learner answered")
