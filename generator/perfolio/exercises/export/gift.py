"""GIFT, a plain text for quizzes: numbers, ticks and pairs; the rest is left out.

In:  sheets. Out: one file, and the names of items that GIFT has no form for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from perfolio.common.escaping import to_plain_line
from perfolio.exercises.export import Entry, Exported, all_of, category
from perfolio.exercises.model import Sheet
from perfolio.exercises.platform_items import Numerical, Places, Task, Ticks

_SPECIAL = re.compile(r"([\\~=#{}:])")
_LONGEST = 4_000


def gift(sheets: Sequence[Sheet]) -> Exported:
    """The questions of all sheets."""
    lines: list[str] = []
    left_out: list[str] = []
    written = 0
    for sheet, found in all_of(sheets):
        lines += [f"$CATEGORY: $course$/top/{_line(category(sheet))}", ""]
        for entry in found:
            answers = _answers(entry.task)
            if answers is None:
                left_out.append(entry.name)
                continue
            lines += [_question(entry, answers), ""]
            written += 1
    return Exported("\n".join(lines), written, tuple(left_out))


def _question(entry: Entry, answers: list[str]) -> str:
    task = entry.task
    unit = f" In {task.unit}." if isinstance(task, Numerical) and task.unit else ""
    hash_ = "#" if isinstance(task, Numerical) else ""
    explain = entry.key.get("explain", "")
    inside = [*answers, *([f"####{_safe(explain)}"] if explain else [])]
    body = "\n".join(f"\t{each}" for each in inside)
    head = f"// {_line(entry.id)}\n::{_safe(entry.name)}::[plain]"
    return f"{head}{_safe(entry.shown['ask'] + unit)}{{{hash_}\n{body}\n}}"


def _answers(task: Task) -> list[str] | None:
    if isinstance(task, Numerical):
        return [
            f"=%{each.share * 100:g}%{each.value:.12g}:{each.within:.12g}{_because(each.says)}"
            for each in task.numbers
        ]
    if isinstance(task, Ticks):
        return [
            f"{_mark(each.share, task)}{_safe(each.says)}{_because(each.because)}"
            for each in task.options
        ]
    if isinstance(task, Places) and all(len(right) == 1 for _, right in task.stems):
        used = {right[0] for _, right in task.stems}
        pairs = [f"={_safe(stem)} -> {_safe(task.choices[one])}" for stem, (one,) in task.stems]
        others = (each for n, each in enumerate(task.choices) if n not in used)
        return [*pairs, *(f"= -> {_safe(each)}" for each in others)]
    return None


def _mark(share: float, task: Ticks) -> str:
    if task.single:
        return "=" if share == 1.0 and _rights(task) == 1 else f"~%{share * 100:g}%"
    percent = f"{share * 100.0:.5f}".rstrip("0").rstrip(".")
    return f"~%{percent}%"


def _rights(task: Ticks) -> int:
    return sum(each.share == 1.0 for each in task.options)


def _because(says: str) -> str:
    return f"#{_safe(says)}" if says else ""


def _safe(text: object) -> str:
    """One line in which nothing has a meaning of its own."""
    return _SPECIAL.sub(r"\\\1", _line(text).replace("->", "→"))


def _line(text: object) -> str:
    return " ".join(to_plain_line(text, _LONGEST).split())
