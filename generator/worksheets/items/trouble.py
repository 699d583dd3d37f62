"""What is not measured, and how to get it: `metrics`, whose reasons the run gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.worksheets import markup
from generator.worksheets.fields import Fields
from generator.worksheets.making import Making
from generator.worksheets.model import Graded, Json, Keyed, NotAskedError

POINTS = 0.0


def load(fields: Fields) -> tuple[str, ...]:
    """Metrics that a learner may miss."""
    found = fields.texts("metrics")
    if not found:
        raise fields.refuse("lacks metrics")
    return found


def key(making: Making) -> Keyed:
    """The reason and the command of each that is missing; an empty list where none is."""
    rows = []
    for name in making.item.own:
        try:
            making.run.result(name)
        except NotAskedError as gap:
            rows.append({"reason": gap.reason, "collect": gap.collect})
    return Keyed({"rows": rows}, {})


def html(shown: Json) -> str:
    """A box to open."""
    rows = [
        f"<li>{markup.words(row['reason'])}"
        + (f" <code>{markup.words(row['collect'])}</code>" if row["collect"] else "")
        + "</li>"
        for row in shown["rows"]
    ] or ["<li>Nothing of this is missing in this run.</li>"]
    hooks = f'data-item="{shown["id"]}" data-type="{shown["type"]}" data-points="0"'
    return "\n".join(
        [
            f'<details class="pf-trouble" id="{shown["id"]}" {hooks}>',
            f"<summary>{markup.words(shown['ask'])}</summary>",
            "<ul>",
            *rows,
            "</ul>",
            "</details>",
        ]
    )


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> Graded:
    """Nothing to grade."""
    del key, given
    return Graded(0.0, "blank")
