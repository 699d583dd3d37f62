"""A number that is asked: read from an item, and made a key on one run.

In:  `answer`, `unit`, `tolerance` and `wrong` of an item, of a table's column or of a pair.
Out: `AuthoredNumber`, and from it and a run the JSON of its key and what the sheet shows. Where it
     follows from earlier items, the key has that as a tree: `["/", {"item": "s1-busy"}, 89.6]`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from perfolio.audit.expression import Columns, Lookup, evaluate, list_names, parse_formula
from perfolio.common.errors import ContentError
from perfolio.exercises.answer_values import compute_answer, find_known_answer, make_lookup
from perfolio.exercises.distractors import list_mistakes, select_distinct_mistakes
from perfolio.exercises.item_context import ItemContext
from perfolio.exercises.model import Answer, Json, NotAskedError, SolvedValue, WrongAnswer
from perfolio.exercises.number_keys import make_quantity_key
from perfolio.exercises.number_parser import find_base_unit
from perfolio.exercises.strict_fields import StrictFields, read_answer_chain, read_wrong
from perfolio.exercises.tolerance import choose_tolerance, compute_interval

_MICRO = re.compile(r"^u(?=s|B)")
_SIGNS: Mapping[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


@dataclass(frozen=True)
class AuthoredNumber:
    """What an author says of a number."""

    answer: Answer
    unit: str
    """As the sheet prints it: `ms`, `%`, or a name of `UNITS`; empty: the metric's own."""
    tolerance: Any
    wrong: tuple[WrongAnswer, ...]


def read_unit(fields: StrictFields) -> str:
    """The `unit` of a number, which has to be one."""
    unit = fields.text("unit", "")
    if unit and find_base_unit(unit) is None:
        raise fields.refuse(f"unknown unit {unit!r}")
    return unit


def read_number(fields: StrictFields) -> AuthoredNumber:
    """The keys of a number."""
    return AuthoredNumber(
        read_answer_chain(fields),
        read_unit(fields),
        fields.any("tolerance", None),
        read_wrong(fields),
    )


def make_number_key(
    number: AuthoredNumber, context: ItemContext, points: float
) -> tuple[Json, SolvedValue, list[str]]:
    """The key of a number, its value, and the distractors that were dropped."""
    spelled = find_base_unit(number.unit) if number.unit else None
    base = spelled[0] if spelled else ""
    number = replace(
        number, answer=find_known_answer(number.answer, context.run, base, context.earlier)
    )
    right = compute_answer(number.answer, context.run, base, context.earlier)
    printed = (number.unit, spelled[1]) if spelled else _find_own_unit(right.unit)
    share = choose_tolerance(number.tolerance, right)
    ends = compute_interval(right, share)
    mistakes, dropped = list_mistakes(number.answer, right, number.wrong, context.run)
    wrong, close = select_distinct_mistakes(
        [replace(m, says=context.fill_known(m.says)) for m in mistakes], ends, share, right.unit
    )
    key = make_quantity_key(right, ends, share, _format_unit(printed))
    key |= {"points": points, "wrong": wrong, "source": right.source}
    tree = None
    if number.answer.source == "expression":
        known = make_lookup(context.run, context.earlier)
        tree = follow_tree(number.answer.name, context.ids, known, context.run.column)
    if tree is not None:
        key |= {"follow": tree, "follow_within": share}
    return key, right, [*dropped, *close]


def _find_own_unit(unit: str) -> tuple[str, float]:
    known = find_base_unit(unit)
    if known is None or unit in ("text", "id"):
        raise ContentError(f"a value in {unit!r} is no number to ask for")
    return unit, known[1]


def _format_unit(printed: tuple[str, float]) -> tuple[str, float]:
    """The symbol of a unit as the sheet prints it: `µs` also where the author typed `us`."""
    from perfolio.common.units import UNITS

    unit, factor = printed
    return (UNITS[unit].symbol if unit in UNITS else _MICRO.sub("µ", unit)), factor


def require_nonzero(value: float, title: str) -> float:
    """A value to divide by. Raises NotAskedError for 0."""
    if value == 0.0:
        raise NotAskedError(f"{title} is 0 in this run", refused=True)
    return value


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
