"""What is not measured, and how to get it: `metrics`, whose reasons the run gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perfolio.exercises import html_form
from perfolio.exercises.item_context import ItemContext
from perfolio.exercises.model import Given, GradedAnswer, Json, KeyedItem, NotAskedError
from perfolio.exercises.paper_form import Pen, render_block
from perfolio.exercises.platform_items import NoteTask
from perfolio.exercises.strict_fields import StrictFields

POINTS = 0.0
NEEDS = ()


def load(fields: StrictFields) -> tuple[str, ...]:
    """Metrics that a learner may miss."""
    metrics = fields.texts("metrics")
    if not metrics:
        raise fields.refuse("lacks metrics")
    return metrics


def key(context: ItemContext) -> KeyedItem:
    """The reason and the command of each that is missing; an empty list where none is."""
    rows = []
    for name in context.item.own:
        try:
            context.run.result(name)
        except NotAskedError as gap:
            rows.append({"reason": gap.reason, "collect": gap.collect})
    return KeyedItem({"rows": rows}, {})


def html(shown: Json) -> str:
    """A box to open."""
    rows = [
        f"<li>{html_form.render_sentence(row['reason'])}"
        + (f" <code>{html_form.render_sentence(row['collect'])}</code>" if row["collect"] else "")
        + "</li>"
        for row in shown["rows"]
    ] or ["<li>Nothing of this is missing in this run.</li>"]
    hooks = f'data-item="{shown["id"]}" data-type="{shown["type"]}" data-points="0"'
    return "\n".join(
        [
            f'<details class="pf-trouble" id="{shown["id"]}" {hooks}>',
            f"<summary>{html_form.render_sentence(shown['ask'])}</summary>",
            "<ul>",
            *rows,
            "</ul>",
            "</details>",
        ]
    )


def paper(shown: Json, pen: Pen) -> str:
    """A box with reasons and commands."""
    rows = "".join(
        f"<li>{html_form.render_sentence(row['reason'])} "
        f"<code>{html_form.render_sentence(row['collect'])}</code></li>"
        for row in shown["rows"]
    )
    reasons = f"<ul>{rows}</ul>" if rows else "<p>Nothing of this is missing in this run.</p>"
    del pen
    return render_block(shown, [reasons])


def solve(key: Mapping[str, Any]) -> Given:
    """Nothing is asked."""
    del key
    return ""


def quiz(shown: Json, key: Mapping[str, Any]) -> NoteTask:
    """What is missing, to read."""
    del key
    return NoteTask(tuple(f"{row['reason']} {row['collect']}".strip() for row in shown["rows"]))


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> GradedAnswer:
    """Nothing to grade."""
    del key, given
    return GradedAnswer(0.0, "blank")
