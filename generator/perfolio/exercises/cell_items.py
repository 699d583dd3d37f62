"""Several numbers in one item: the cells of a table, a figure before and after.

In:  keys of cells in their order, and answers in the same order. Out: points, the codes of cells.

A cell may follow from others of its item: they are `#0`, `#1`... in its `follow`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from perfolio.exercises.model import GradedAnswer, Json
from perfolio.exercises.number_keys import format_key_value, grade_quantity, read_quantity

FULL = ("right", "follows")


def name_cell(index: int) -> str:
    """What a cell is called in `follow` of another cell."""
    return f"#{index}"


def split_points(cells: Sequence[Json], points: float) -> list[Json]:
    """Cells that share the points of their item."""
    return [{**cell, "points": points / len(cells)} for cell in cells]


def grade_cells(key: Mapping[str, Any], given: Mapping[str, Any]) -> GradedAnswer:
    """Each cell for itself; an empty one earns nothing and takes nothing."""
    cells = key["cells"]
    typed = given.get("given")
    texts = [str(each) for each in typed] if isinstance(typed, list) else []
    answers: list[Json] = [{"given": text} for text in texts[: len(cells)]]
    answers += [{"given": ""}] * (len(cells) - len(answers))
    earlier = dict(given.get("earlier") or {})
    for index, (cell, answer) in enumerate(zip(cells, answers, strict=True)):
        value = read_quantity(cell, answer)
        if value is not None:
            earlier[name_cell(index)] = value
    graded = [
        grade_quantity(cell, {**answer, "earlier": earlier})
        for cell, answer in zip(cells, answers, strict=True)
    ]
    return _combine_grades(graded, float(key["points"]))


def format_cells(key: Mapping[str, Any]) -> list[str]:
    """The values of all cells as they may be typed."""
    return [format_key_value(cell) for cell in key["cells"]]


def _combine_grades(graded: Sequence[GradedAnswer], points: float) -> GradedAnswer:
    codes = tuple(each.code for each in graded)
    earned = sum(each.points for each in graded)
    feedback = dict.fromkeys(each.feedback for each in graded if each.feedback)
    if all(code in FULL for code in codes):
        return GradedAnswer(points, "right", "", codes)
    if all(code == "blank" for code in codes):
        return GradedAnswer(0.0, "blank", "", codes)
    code = "part" if earned else next(code for code in codes if code != "blank")
    return GradedAnswer(earned, code, " ".join(feedback), codes)
