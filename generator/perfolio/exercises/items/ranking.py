"""An order: `options` with an `answer` each, or `pick`; the learner numbers them, 1 the largest."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from perfolio.common.errors import ContentError
from perfolio.exercises import html_form
from perfolio.exercises.answer_values import compute_answer, find_known_answer
from perfolio.exercises.item_context import ItemContext
from perfolio.exercises.model import Answer, Given, GradedAnswer, Json, KeyedItem, NotAskedError
from perfolio.exercises.number_items import read_unit
from perfolio.exercises.number_parser import find_base_unit
from perfolio.exercises.option_items import make_lettered_key, require_two_options
from perfolio.exercises.paper_form import Pen, render_block, render_letter_boxes
from perfolio.exercises.platform_items import PlaceTask
from perfolio.exercises.row_choice import RowPick, pick_rows, read_pick
from perfolio.exercises.strict_fields import StrictFields, read_answer_chain
from perfolio.exercises.tolerance import COMPUTING

POINTS = 3.0
NEEDS = ("options", "values")
_RANK = re.compile("[0-9]{1,2}")


@dataclass(frozen=True)
class RankedOptions:
    """Things with a value each, all in one unit."""

    options: tuple[tuple[str, Answer], ...]
    unit: str


def load(fields: StrictFields) -> RankedOptions | RowPick:
    """What is ranked, and by what."""
    if "pick" in fields:
        return read_pick(fields.inside("pick"))
    options = []
    for each in fields.each("options"):
        options.append((each.text("says"), read_answer_chain(each)))
        each.done()
    return RankedOptions(tuple(options), read_unit(fields))


def key(context: ItemContext) -> KeyedItem:
    """The values in the order of the letters."""
    known, dropped = _list_valued_options(context)
    require_two_options(known, dropped)
    made = make_lettered_key(known, context)
    values = [each["value"] for each in made.key["options"]]
    if not _find_distinct_pairs(values):
        raise NotAskedError("its values are too close to rank", refused=True)
    return KeyedItem(made.shown, {"options": made.key["options"], "values": values}, tuple(dropped))


def html(shown: Json) -> str:
    """A number from 1 on for each."""
    ranks = [str(n) for n in range(1, len(shown["options"]) + 1)]
    return html_form.render_item(
        shown,
        [
            f'<div class="pf-option"><label>{html_form.render_select(shown, n, ranks)} '
            f"{html_form.render_sentence(each['says'])}</label></div>"
            for n, each in enumerate(shown["options"])
        ],
    )


def paper(shown: Json, pen: Pen) -> str:
    """A box for a rank before each."""
    note = f'<p class="note">Write ranks: 1 is the largest of {len(shown["options"])}.</p>'
    return render_block(
        shown, [note, *render_letter_boxes(shown, pen, [each["says"] for each in shown["options"]])]
    )


def solve(key: Mapping[str, Any]) -> Given:
    """Ranks by value."""
    places = range(len(key["values"]))
    order = sorted(places, key=lambda place: -key["values"][place])
    return [str(order.index(place) + 1) for place in places]


def quiz(shown: Json, key: Mapping[str, Any]) -> PlaceTask:
    """A rank each: of close ones, any that they may have."""
    del shown
    values, count = key["values"], len(key["values"])
    apart = {pair for a, b in _find_distinct_pairs(values) for pair in ((a, b), (b, a))}
    stems = []
    for n, each in enumerate(key["options"]):
        above = sum((n, m) in apart and values[m] > values[n] for m in range(count))
        below = sum((n, m) in apart and values[m] < values[n] for m in range(count))
        stems.append((each["says"], tuple(range(above, count - below))))
    return PlaceTask(tuple(stems), tuple(str(n + 1) for n in range(count)))


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> GradedAnswer:
    """By the pairs in the right order; pairs that are close count either way."""
    answers = [str(each).strip() for each in given.get("given") or ()]
    ranks = [int(each) if _RANK.fullmatch(each) else 0 for each in answers]
    if not any(ranks):
        return GradedAnswer(0.0, "blank")
    if len(ranks) != len(key["values"]) or sorted(ranks) != list(range(1, len(ranks) + 1)):
        return GradedAnswer(0.0, "no-order")
    pairs = _find_distinct_pairs(key["values"])
    concordant = sum(
        (ranks[a] < ranks[b]) == (key["values"][a] > key["values"][b]) for a, b in pairs
    )
    share = max(0.0, 2.0 * concordant / max(1, len(pairs)) - 1.0)
    code = "right" if share == 1.0 else "part" if share else "wrong"
    return GradedAnswer(float(key["points"]) * share, code)


def _find_distinct_pairs(values: Sequence[float]) -> list[tuple[int, int]]:
    """The places of pairs that are told apart."""
    return [
        (a, b)
        for a, b in combinations(range(len(values)), 2)
        if abs(values[a] - values[b]) > COMPUTING * max(abs(values[a]), abs(values[b]))
    ]


def _list_valued_options(context: ItemContext) -> tuple[list[Json], list[str]]:
    own, common = context.item.own, {"right": False, "because": "", "code": ""}
    if isinstance(own, RowPick):
        if own.smallest:
            raise ContentError("a ranking begins with the largest")
        rows = pick_rows(own, context.run)[: own.take]
        return [{"says": each.says, "value": each.value, **common} for each in rows], []
    known, dropped = [], []
    unit = find_base_unit(own.unit)[0] if own.unit else ""  # type: ignore[index]
    for says, answer in own.options:
        try:
            known_answer = find_known_answer(answer, context.run, unit)
            value = compute_answer(known_answer, context.run, unit).value
            text = context.say(says)
        except NotAskedError as gap:
            dropped.append(f"{context.fill_known(says)}: {gap.reason}")
        else:
            known.append({"says": text, "value": value, **common})
    return known, dropped
