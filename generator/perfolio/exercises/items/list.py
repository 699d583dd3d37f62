"""The first few of many, in their order: `pick`, answered with letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from perfolio.exercises import html_form
from perfolio.exercises.item_context import ItemContext
from perfolio.exercises.model import Given, GradedAnswer, Json, KeyedItem
from perfolio.exercises.option_items import format_letter, order_by_seed
from perfolio.exercises.paper_form import Pen, render_block
from perfolio.exercises.platform_items import PlaceTask, make_place_task
from perfolio.exercises.row_choice import PickedRow, RowPick, pick_rows, read_pick
from perfolio.exercises.strict_fields import StrictFields
from perfolio.exercises.tolerance import READING

POINTS = 2.0
NEEDS = ("options", "places")
_OFFERED = 8


def load(fields: StrictFields) -> RowPick:
    """The table, the column that orders it, and how many are asked."""
    return read_pick(fields.inside("pick"), offers=_OFFERED)


def key(context: ItemContext) -> KeyedItem:
    """The letters that each place takes: rows that are close may swap."""
    pick: RowPick = context.item.own
    rows = pick_rows(pick, context.run)
    order = order_by_seed(rows, *context.seed)
    letters = {each.says: format_letter(n) for n, each in enumerate(order)}
    options = [{"letter": letters[each.says], "says": each.says} for each in order]
    places = [_find_close_letters(rows, n, letters) for n in range(min(pick.take, len(rows)))]
    source = {
        "metric": pick.metric,
        "column": pick.by,
        "sql": context.run.result(pick.metric).metric.sql,
    }
    named = [{**each, "because": "", "code": ""} for each in options]
    return KeyedItem(
        {"options": options, "take": len(places)},
        {"options": named, "places": places, "source": source},
    )


def html(shown: Json) -> str:
    """The lettered list, and a list to choose from per place."""
    letters = [each["letter"] for each in shown["options"]]
    fields = [
        f"<label>{n + 1}. {html_form.render_select(shown, n, letters)}</label>"
        for n in range(shown["take"])
    ]
    return html_form.render_item(
        shown, [html_form.render_letter_list(shown["options"]), f"<p>{' '.join(fields)}</p>"]
    )


def paper(shown: Json, pen: Pen) -> str:
    """The lettered list, and a box per place."""
    boxes = " ".join(
        f'<span class="answer">{n + 1}. {pen.letter(shown, n, f"place {n + 1}")}</span>'
        for n in range(shown["take"])
    )
    return render_block(
        shown, [html_form.render_letter_list(shown["options"]), f'<p class="row">{boxes}</p>']
    )


def solve(key: Mapping[str, Any]) -> Given:
    """A letter for each place, none of them twice."""
    used: list[str] = []
    for place in key["places"]:
        used.append(next((each for each in place if each not in used), place[0]))
    return used


def quiz(shown: Json, key: Mapping[str, Any]) -> PlaceTask:
    """A place each."""
    return make_place_task(
        [f"{n + 1}." for n in range(shown["take"])], key["options"], key["places"]
    )


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> GradedAnswer:
    """A letter in its place earns its share, elsewhere half of it; each letter counts once."""
    letters = [str(each).strip().upper() for each in given.get("given") or ()]
    places: Sequence[Sequence[str]] = key["places"]
    if not any(letters):
        return GradedAnswer(0.0, "blank")
    listed = {each for place in places for each in place}
    share, used = 0.0, set()
    for place, each in zip(places, letters, strict=False):
        if each and each not in used:
            share += 1.0 if each in place else 0.5 if each in listed else 0.0
        used.add(each)
    share /= len(places)
    code = "right" if share == 1.0 else "part" if share else "wrong"
    return GradedAnswer(float(key["points"]) * share, code)


def _find_close_letters(
    rows: Sequence[PickedRow], place: int, letters: Mapping[str, str]
) -> list[str]:
    value = rows[place].value
    near = (each for each in rows if abs(each.value - value) <= READING * abs(value))
    return [letters[each.says] for each in near]
