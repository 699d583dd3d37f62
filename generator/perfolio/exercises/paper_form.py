"""Items on paper: what a pen may write in is a drawn box, or a field of a PDF that is filled in.

In:  what a sheet shows of an item, and a pen: blank, with fields, or with an answer written.
Out: one block of HTML for a handout; and the answers of a filled PDF from the names of its fields.

Names of fields: `s1-wall` is one text, `s1-parts_0` the first of several, `s1-why_A` a box to tick.
A dot would split a field, and ids have no underscore.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from perfolio.exercises import html_form
from perfolio.exercises.model import Given, Json
from perfolio.exercises.option_items import list_ticked_letters

_FIELD = re.compile(r"(?P<item>[a-z0-9]+(?:-[a-z0-9]+)*)(?:_(?P<part>\d{1,3}|[A-Z]))?")
LEARNER = re.compile(r"learner_(?P<sheet>[A-Z2-7]{8})")
"""The field with the learner's name also says which sheet it is: names outlive every reader."""
_LINES = 4
_OFF = ("", "/Off")


@dataclass(frozen=True)
class Pen:
    """How answers are written: by hand, into fields, or as given."""

    fields: bool = False
    given: Given = ""

    def number(self, shown: Json, unit: str, part: object = "", called: str = "") -> str:
        """A box for a number with its unit behind it."""
        behind = f' <span class="unit">{escape(unit)}</span>' if unit else ""
        return f'<span class="answer">{self._box(shown, "number", part, called)}{behind}</span>'

    def letter(self, shown: Json, part: object, called: str) -> str:
        """A box for one sign."""
        return self._box(shown, "letter", part, called)

    def tick(self, shown: Json, option: Json) -> str:
        """A box to tick, with its option."""
        on = option["letter"] in list_ticked_letters({"given": self.given})
        called = f"{shown['ask']} {option['letter']}: {option['says']}"
        if self.fields:
            mark = " checked" if on else ""
            box = (
                f'<input type="checkbox" class="tick" value="on"{mark} '
                f"{_write_field_attributes(shown, option['letter'], called)}>"
            )
        else:
            box = f'<span class="tick">{"✕" if on else ""}</span>'
        says = html_form.render_sentence(option["says"])
        words = f"<b>{option['letter']}</b> {says}"
        label = f"<strong>{words}</strong>" if on else words
        return f'<div class="option">{box} <span>{label}</span></div>'

    def lines(self, shown: Json) -> str:
        """Room for some lines."""
        if self.fields:
            attributes = _write_field_attributes(shown, "", shown["ask"])
            return f'<textarea class="lines" {attributes}></textarea>'
        if self.given:
            answer = html_form.render_sentence(self._get_answer(""))
            return f'<div class="lines written">{answer}</div>'
        return f'<div class="lines">{_LINES * "<span></span>"}</div>'

    def _box(self, shown: Json, kind: str, part: object, called: str) -> str:
        answer = escape(self._get_answer(part))
        if self.fields:
            named = _write_field_attributes(shown, part, f"{shown['ask']} {called}".strip())
            return f'<input type="text" class="{kind}" value="{answer}" {named}>'
        return f'<span class="{kind}">{answer}</span>'

    def _get_answer(self, part: object) -> str:
        if isinstance(self.given, str):
            return self.given
        place = part if isinstance(part, int) else 0
        return self.given[place] if place < len(self.given) else ""


def render_block(shown: Json, body: Iterable[str]) -> str:
    """An item that no page break divides, with its question and points."""
    amount = html_form.format_points(shown["points"])
    points = f' <span class="points">{amount}</span>' if amount else ""
    lines = [
        f'<div class="item" id="{shown["id"]}">',
        f'<p class="ask">{points}{html_form.render_sentence(shown["ask"])}</p>',
        *body,
        "</div>",
    ]
    return "\n".join(lines)


def render_tick_boxes(shown: Json, pen: Pen, *, one: bool = False) -> list[str]:
    """The options of an item, a line each."""
    note = '<p class="note">Tick one.</p>' if one else '<p class="note">Tick all that hold.</p>'
    return [note, *(pen.tick(shown, each) for each in shown["options"])]


def render_letter_boxes(shown: Json, pen: Pen, says: Sequence[str]) -> list[str]:
    """A line per thing, with a box for a sign before it."""
    return [
        f'<div class="option">{pen.letter(shown, n, each)} '
        f"<span>{html_form.render_sentence(each)}</span></div>"
        for n, each in enumerate(says)
    ]


def name_learner_field(sheet: str) -> str:
    """The name of the field for the learner's name."""
    return f"learner_{sheet}"


def parse_field_answers(fields: Mapping[str, str]) -> dict[str, Json]:
    """Answers by item, from the values of a PDF's fields: texts, lists of texts, letters ticked."""
    texts: dict[str, str] = {}
    parts: dict[str, dict[int, str]] = {}
    letters: dict[str, list[str]] = {}
    for name, value in sorted(fields.items()):
        field = _FIELD.fullmatch(name)
        if field is None:
            continue
        of, part = field["item"], field["part"]
        if part is None:
            texts[of] = value
        elif part.isdecimal():
            parts.setdefault(of, {})[int(part)] = value
        else:
            letters.setdefault(of, []).extend([] if value in _OFF else [part])
    answers: dict[str, Any] = {**texts, **letters}
    answers |= {of: [by[n] for n in sorted(by)] for of, by in parts.items()}
    return {of: {"given": given} for of, given in answers.items() if given}


def _write_field_attributes(shown: Json, part: object, called: str) -> str:
    name = f"{shown['id']}_{part}" if part != "" else shown["id"]
    return f'name="{name}" title="{escape(html_form.shorten_label(called))}"'
