"""What a learner's own earlier numbers give: an expression as a tree of JSON.

In:  an expression with names of earlier items, and what its other names are worth on the run.
Out: `["/", {"item": "s1-busy"}, 89.6]`; None where it follows from no item.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from perfolio.audit.expression import Columns, Lookup, evaluate, list_names, parse_formula
from perfolio.common.errors import ContentError

_SIGNS: Mapping[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


def follow_tree(text: str, items: Mapping[str, str], known: Lookup, columns: Columns) -> Any:
    """The tree of `text`; `items` are the ids by the names that stand for them in it.

    `known` and `columns` give what all other names stand for.
    """
    if not set(items) & set(list_names(text, functions=True)):
        return None
    return _build_tree(parse_formula(text, functions=True), items, known, columns)


def _build_tree(tree: ast.expr, items: Mapping[str, str], known: Lookup, columns: Columns) -> Any:
    if isinstance(tree, ast.Name) and tree.id in items:
        return {"item": items[tree.id]}
    text = ast.unparse(tree)
    if not set(items) & set(list_names(text, functions=True)):
        return evaluate(text, known, columns)
    if isinstance(tree, ast.BinOp):
        sides = (_build_tree(each, items, known, columns) for each in (tree.left, tree.right))
        return [_SIGNS[type(tree.op)], *sides]
    if isinstance(tree, ast.UnaryOp):
        return ["-", 0.0, _build_tree(tree.operand, items, known, columns)]
    raise ContentError(f"{text!r}: no function of what a learner answered")
