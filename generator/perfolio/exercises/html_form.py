"""HTML of items: native inputs with visible labels, readable without scripts and in any reader.

In:  what a sheet shows of an item (plain JSON), whose words are not trusted. Out: one block of
     HTML without an empty line, so that Markdown takes it as it is.

Hooks for scripts: `data-item`, `data-type` and `data-points` on each item; inputs are named
`<item>` or `<item>.<n>`; `.pf-feedback` is where the result goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from perfolio.common.escaping import to_plain_line
from perfolio.exercises.model import Json

LABEL_LIMIT = 96
_CODE = re.compile(r"`([^`]+)`")
_LONGEST = 4_000


def render_sentence(text: object) -> str:
    """A sentence: words between backticks are code, the rest is plain."""
    parts = _CODE.split(to_plain_line(text, _LONGEST))
    return "".join(
        f"<code>{_escape_text(part)}</code>" if n % 2 else _escape_text(part)
        for n, part in enumerate(parts)
    )


def _escape_text(text: str) -> str:
    """Escaped, also against Markdown readers that look into HTML blocks."""
    return escape(text).replace("{", "&#123;").replace("}", "&#125;")


def escape_attribute(text: object) -> str:
    """The value of an attribute, between double quotes."""
    return _escape_text(shorten_label(text))


def escape_code(text: object) -> str:
    """A line of code, escaped."""
    return _escape_text(to_plain_line(text, _LONGEST))


def shorten_label(text: object) -> str:
    """A name on one line; the middle of a long one is left out, as both ends tell it apart."""
    line = to_plain_line(text, _LONGEST)
    if len(line) <= LABEL_LIMIT:
        return line
    head = (LABEL_LIMIT - 1) * 2 // 3
    return f"{line[:head].rstrip()}…{line[len(line) - (LABEL_LIMIT - 1 - head) :].lstrip()}"


def format_points(points: float) -> str:
    """`2 points`; nothing for what has none."""
    if not points:
        return ""
    return f"{points:g} point{'s' if points != 1 else ''}"


def render_item(shown: Json, body: Iterable[str], *, group: bool = True) -> str:
    """An item with its question; `group` for several inputs, which a fieldset holds together.

    One input alone gets the question as its label.
    """
    amount = format_points(shown["points"])
    points = f' <span class="pf-points">({amount})</span>' if amount else ""
    ask = render_sentence(shown["ask"])
    head = (
        f"<legend>{ask}{points}</legend>"
        if group
        else f'<p><label for="{make_input_id(shown)}">{ask}</label>{points}</p>'
    )
    tag = "fieldset" if group else "div"
    hooks = f'data-item="{shown["id"]}" data-type="{shown["type"]}"'
    lines = [
        f'<{tag} class="pf-item" id="{shown["id"]}" {hooks} data-points="{shown["points"]:g}">',
        head,
        *body,
        *(_render_hint(n, hint, len(shown["hints"])) for n, hint in enumerate(shown["hints"], 1)),
        '<p class="pf-feedback" role="status"></p>',
        f"</{tag}>",
    ]
    return "\n".join(lines)


def _render_hint(number: int, hint: str, count: int) -> str:
    name = f"Hint {number}" if count > 1 else "Hint"
    return (
        f'<details class="pf-hint" data-hint="{number}"><summary>{name}</summary>'
        f"<p>{render_sentence(hint)}</p></details>"
    )


def make_input_id(shown: Json, part: object = "") -> str:
    """The identifier of an input of an item."""
    return f"{shown['id']}-{part}" if part != "" else f"{shown['id']}-answer"


def make_input_name(shown: Json, part: object = "") -> str:
    """The name under which an input's answer is kept."""
    return f"{shown['id']}.{part}" if part != "" else str(shown["id"])


def render_number_input(shown: Json, unit: str, part: object = "", labelled: str = "") -> str:
    """A field for a number with its unit behind it; `labelled` are the ids of its headers."""
    by = f' aria-labelledby="{labelled}"' if labelled else ""
    behind = f' <span class="pf-unit">{escape(unit)}</span>' if unit else ""
    return (
        f'<input type="text" inputmode="decimal" autocomplete="off" size="12" '
        f'id="{make_input_id(shown, part)}" name="{make_input_name(shown, part)}"{by}>{behind}'
    )


def render_option_inputs(shown: Json, kind: str, options: Sequence[Json]) -> list[str]:
    """Radio buttons or check boxes, one a line, with letters."""
    return [
        f'<div class="pf-option"><label><input type="{kind}" name="{make_input_name(shown)}" '
        f'value="{each["letter"]}"> <b>{each["letter"]}</b> {render_sentence(each["says"])}'
        f"</label></div>"
        for each in options
    ]


def render_select(shown: Json, part: object, values: Sequence[str], labelled: str = "") -> str:
    """A list to choose one of; nothing is chosen at first."""
    by = f' aria-labelledby="{labelled}"' if labelled else ""
    options = "".join(f'<option value="{each}">{each}</option>' for each in values)
    return (
        f'<select id="{make_input_id(shown, part)}" name="{make_input_name(shown, part)}"{by}>'
        f'<option value=""></option>{options}</select>'
    )


def render_letter_list(options: Sequence[Json]) -> str:
    """What the letters stand for."""
    entries = "".join(
        f"<li><b>{each['letter']}</b> {render_sentence(each['says'])}</li>" for each in options
    )
    return f'<ul class="pf-letters">{entries}</ul>'
