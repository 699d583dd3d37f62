"""Things into fields: each of the `codes` of findings by impact and effort, or rows of a `pick`.

`edge` is the share of the time from which on an impact is high. Both come from the findings: the
bound of the estimate, and the effort that the rule names. Rows of a `pick` go to the finding whose
evidence names them, by the column `named`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from perfolio.common.units import format_threshold
from perfolio.exercises import html_form
from perfolio.exercises.item_context import ItemContext
from perfolio.exercises.model import Given, GradedAnswer, Json, KeyedItem, NotAskedError
from perfolio.exercises.option_items import format_letter
from perfolio.exercises.paper_form import Pen, render_block, render_letter_boxes
from perfolio.exercises.platform_items import PlaceTask, make_place_task
from perfolio.exercises.row_choice import RowPick, pick_rows, read_pick
from perfolio.exercises.run_view import make_column_error
from perfolio.exercises.strict_fields import StrictFields
from perfolio.exercises.tolerance import COMPUTING

POINTS = 4.0
NEEDS = ("places",)
NO_FINDING = "No finding names it"
_LOW_EFFORT = ("hours", "days")
_MOST = 8


@dataclass(frozen=True)
class ImpactMatrix:
    """Which findings, and where the edge of high impact is."""

    codes: tuple[str, ...]
    edge: float


@dataclass(frozen=True)
class NamedRows:
    """Rows of a table, and the column with the names that evidence has."""

    pick: RowPick
    column: str


def load(fields: StrictFields) -> ImpactMatrix | NamedRows:
    """Without codes, all that fired and have an estimate."""
    if "pick" in fields:
        return NamedRows(read_pick(fields.inside("pick")), fields.text("named"))
    edge = fields.number("edge", 0.1)
    if not 0.0 < edge < 1.0:
        raise fields.refuse("edge must lie between 0 and 1")
    return ImpactMatrix(fields.texts("codes"), edge)


def key(context: ItemContext) -> KeyedItem:
    """The fields that each finding may be in: near the edge, two."""
    own: ImpactMatrix | NamedRows = context.item.own
    if isinstance(own, NamedRows):
        return _make_named_key(own, context)
    chosen = [
        item
        for item in context.run.findings["findings"]
        if item["status"] == "fired"
        and item["estimate"]
        and (not own.codes or item["code"] in own.codes)
    ][:_MOST]
    if len(chosen) < 2:
        raise NotAskedError("fewer than two findings of this run have an estimate and an effort")
    quadrants = [_find_quadrants(item, own.edge) for item in chosen]
    edge = format_threshold(own.edge, "ratio")
    options = [
        {"letter": letter, "says": f"impact {impact} {edge}, effort {effort}"}
        for letter, (impact, effort) in zip("ABCD", _list_fields(), strict=True)
    ]
    shown = {
        "options": options,
        "rows": [item["title"] for item in chosen],
    }
    return KeyedItem(
        shown, {"places": quadrants, "source": {"finding": [i["code"] for i in chosen]}}
    )


def html(shown: Json) -> str:
    """A list to choose a field from, per finding."""
    letters = [each["letter"] for each in shown["options"]]
    rows = [
        f'<div class="pf-option"><label>{html_form.render_select(shown, n, letters)} '
        f"{html_form.render_sentence(title)}</label></div>"
        for n, title in enumerate(shown["rows"])
    ]
    return html_form.render_item(shown, [html_form.render_letter_list(shown["options"]), *rows])


def paper(shown: Json, pen: Pen) -> str:
    """What the letters mean, and a box for one per finding."""
    return render_block(
        shown,
        [
            html_form.render_letter_list(shown["options"]),
            *render_letter_boxes(shown, pen, shown["rows"]),
        ],
    )


def solve(key: Mapping[str, Any]) -> Given:
    """The first field that each finding may be in."""
    return [str(place[0]) for place in key["places"]]


def quiz(shown: Json, key: Mapping[str, Any]) -> PlaceTask:
    """A field for each finding."""
    return make_place_task(shown["rows"], shown["options"], key["places"])


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> GradedAnswer:
    """Each finding for itself."""
    letters = [str(each).strip().upper() for each in given.get("given") or ()]
    if not any(letters):
        return GradedAnswer(0.0, "blank")
    places = key["places"]
    right = sum(each in place for each, place in zip(letters, places, strict=False))
    code = "right" if right == len(places) else "part" if right else "wrong"
    return GradedAnswer(float(key["points"]) * right / len(places), code)


def _make_named_key(own: NamedRows, context: ItemContext) -> KeyedItem:
    """The findings that name each row; several may, and then each of them is right."""
    result = context.run.result(own.pick.metric)
    if own.column not in {column.name for column in result.metric.columns}:
        raise make_column_error(own.pick.metric, own.column)
    rows = pick_rows(own.pick, context.run)[: own.pick.take]
    names = [str(result.records()[row.row][own.column]) for row in rows]
    fired = [item for item in context.run.findings["findings"] if item["status"] == "fired"]
    cells = {item["code"]: list(_walk_texts(item.get("evidence"))) for item in fired}
    by = [[code for code, texts in cells.items() if any(name in each for each in texts)]
          for name in names]  # fmt: skip
    naming = [item for item in fired if any(item["code"] in codes for codes in by)]
    if not naming:
        raise NotAskedError("no finding of this run names one of these")
    letters = {item["code"]: format_letter(n) for n, item in enumerate(naming)}
    options = [{"letter": letters[item["code"]], "says": item["title"]} for item in naming]
    options.append({"letter": format_letter(len(naming)), "says": NO_FINDING})
    places = [[letters[code] for code in codes] for codes in by]
    none = [options[-1]["letter"]]
    return KeyedItem(
        {"options": options, "rows": [row.says for row in rows]},
        {"places": [each or none for each in places], "source": {"finding": [*letters]}},
    )


def _walk_texts(evidence: object) -> Iterator[str]:
    """All texts of what a finding shows."""
    if isinstance(evidence, str):
        yield evidence
    elif isinstance(evidence, Mapping):
        yield from _walk_texts(list(evidence.values()))
    elif isinstance(evidence, Sequence):
        for each in evidence:
            yield from _walk_texts(each)


def _list_fields() -> tuple[tuple[str, str], ...]:
    low, high = "hours or days", "weeks or months"
    return (
        ("at least", low),
        ("at least", high),
        ("below", low),
        ("below", high),
    )


def _find_quadrants(item: Mapping[str, Any], edge: float) -> list[str]:
    share, column = float(item["estimate"]["reduction"]), item["effort"] not in _LOW_EFFORT
    slack = COMPUTING * edge
    rows = [row for row, near in enumerate((share >= edge - slack, share < edge + slack)) if near]
    return ["ABCD"[2 * row + column] for row in rows]
