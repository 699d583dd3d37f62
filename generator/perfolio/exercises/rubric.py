"""Open answers to be graded by a person: a table to fill in, and the points that it came back with.

In:  graded sheets; rubric.csv with points typed in. Out: its rows; sheets with these points.

Points belong to an answer as it was when somebody read it: `answer` is a digest of its text, and
points for another answer are refused instead of being given to it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence

from perfolio.common.errors import InputError
from perfolio.exercises.key_explanation import format_given_answer
from perfolio.exercises.model import GradedAnswer
from perfolio.exercises.submissions import GradedSheet

FILE = "rubric.csv"
COLUMNS = ("learner", "sheet", "exercise", "item", "answer", "line", "says", "most", "given",
           "points")  # fmt: skip
Row = Mapping[str, str]
_Place = tuple[str, str, str]
"""Sheet, item, digest of learner and answer."""
Scores = Mapping[_Place, Mapping[int, float]]
"""Points by answer and line of the rubric."""


def list_rubric_rows(marked: Sequence[GradedSheet], scores: Scores) -> list[Row]:
    """A row per line of the rubric of each open answer, with the points that are known."""
    return [row for one in marked for row in _list_rows(one, scores)]


def read_scores(rows: Sequence[Row], where: str) -> dict[_Place, dict[int, float]]:
    """The points of rows that have any, by answer and line."""
    scores: dict[_Place, dict[int, float]] = {}
    for number, row in enumerate(rows, 2):
        text = row["points"].strip().replace(",", ".")
        if not text:
            continue
        place, line = (row["sheet"], row["item"], row["answer"]), row["line"]
        points = _parse_points(text)
        if points is None or not line.isdecimal():
            raise InputError(f"{where}:{number}: item {row['item']}: points must be a number")
        scores.setdefault(place, {})[int(line)] = points
    return scores


def apply_scores(marked: Sequence[GradedSheet], scores: Scores, where: str) -> list[GradedSheet]:
    """Sheets with the points that a person gave. InputError for points that fit no answer."""
    left = set(scores)
    scored = []
    for one in marked:
        graded = {}
        for item in _list_open_items(one):
            place = _locate_answer(one, item)
            if place in scores:
                left.discard(place)
                graded[item] = _grade_item(one, item, scores[place], where)
        scored.append(one.scored(graded))
    if left:
        sheet, item, answer = min(left)
        raise InputError(
            f"{where}: item {item} of sheet {sheet}: no answer {answer} was handed in",
            hint="it may have changed since: empty its points",
        )
    return scored


def _grade_item(
    one: GradedSheet, item: str, lines: Mapping[int, float], where: str
) -> GradedAnswer:
    key = one.key["items"][item]
    rubric = key["rubric"]
    for line, points in lines.items():
        if not 1 <= line <= len(rubric) or not 0.0 <= points <= rubric[line - 1]["points"]:
            raise InputError(
                f"{where}: item {item} of sheet {one.sheet}: {points:g} points for line {line}"
            )
    if len(lines) < len(rubric):
        return one.graded[item]
    points = min(sum(lines.values()), float(key["points"]))
    code = "right" if points == key["points"] else "part" if points else "wrong"
    return GradedAnswer(points, code)


def _list_rows(one: GradedSheet, scores: Scores) -> Iterator[Row]:
    for item in _list_open_items(one):
        place = _locate_answer(one, item)
        for line, criterion in enumerate(one.key["items"][item]["rubric"], 1):
            points = scores.get(place, {}).get(line)
            yield {
                "learner": one.learner, "sheet": one.sheet, "exercise": one.exercise, "item": item,
                "answer": place[2], "line": str(line), "says": criterion["says"],
                "most": f"{criterion['points']:g}", "given": format_given_answer(one.given(item)),
                "points": "" if points is None else f"{points:g}",
            }  # fmt: skip


def _list_open_items(one: GradedSheet) -> Iterator[str]:
    """The items that a person grades and the learner answered."""
    for item, key in one.key["items"].items():
        if "rubric" in key and format_given_answer(one.given(item)).strip():
            yield item


def _locate_answer(one: GradedSheet, item: str) -> _Place:
    text = "\0".join((one.learner, format_given_answer(one.given(item))))
    return one.sheet, item, hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]


def _parse_points(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
