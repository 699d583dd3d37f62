"""A command to run: `command`, and what its output `shows`, which is told after the attempt.

No points: the questions behind it ask for what the output says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from perfolio.exercises import html_form
from perfolio.exercises.item_context import ItemContext
from perfolio.exercises.model import Given, GradedAnswer, Json, KeyedItem
from perfolio.exercises.paper_form import Pen, render_block
from perfolio.exercises.platform_items import NoteTask
from perfolio.exercises.strict_fields import StrictFields

POINTS = 0.0
NEEDS = ()


@dataclass(frozen=True)
class CommandLine:
    """One line, and sentences with values of the run that its output has too."""

    command: str
    shows: tuple[str, ...]


def load(fields: StrictFields) -> CommandLine:
    """A line of the command line of Perfolio; `perfolio worksheet check` parses it."""
    command = CommandLine(fields.text("command"), fields.texts("shows"))
    if not command.command.startswith("perfolio ") or "\n" in command.command:
        raise fields.refuse("command must be one line that begins with perfolio")
    return command


def key(context: ItemContext) -> KeyedItem:
    """What the output shows stands in the explanation."""
    own: CommandLine = context.item.own
    explanation = " ".join(
        filter(None, map(context.fill_known, (*own.shows, context.item.explain)))
    )
    return KeyedItem({"command": own.command}, {"explain": explanation})


def html(shown: Json) -> str:
    """The command, to be copied."""
    line = f'<pre class="pf-command"><code>{html_form.escape_code(shown["command"])}</code></pre>'
    return html_form.render_item(shown, [line])


def paper(shown: Json, pen: Pen) -> str:
    """The command, to be typed."""
    del pen
    return render_block(
        shown,
        [f'<pre class="command"><code>{html_form.escape_code(shown["command"])}</code></pre>'],
    )


def solve(key: Mapping[str, Any]) -> Given:
    """Nothing is asked."""
    del key
    return ""


def quiz(shown: Json, key: Mapping[str, Any]) -> NoteTask:
    """The command, to read."""
    del key
    return NoteTask((shown["command"],))


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> GradedAnswer:
    """Nothing to grade."""
    del key, given
    return GradedAnswer(0.0, "blank")
