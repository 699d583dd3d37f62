"""GIFT, a plain text for quizzes: numbers, ticks and pairs; the rest is left out.

In:  sheets. Out: one file, and the names of items that GIFT has no form for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from perfolio.common.escaping import to_plain_line
from perfolio.exercises.export import QuizEntry, QuizFile, list_sheet_entries, name_category
from perfolio.exercises.model import Sheet
from perfolio.exercises.platform_items import NumericalTask, PlaceTask, Task, TickTask

_SPECIAL = re.compile(r"([\\~=#{}:])")
_LONGEST = 4_000


def make_gift_file(sheets: Sequence[Sheet]) -> QuizFile:
    """The questions of all sheets."""
    lines: list[str] = []
    left_out: list[str] = []
    written = 0
    for sheet, entries in list_sheet_entries(sheets):
        lines += [f"$CATEGORY: $course$/top/{_format_line(name_category(sheet))}", ""]
        for entry in entries:
            answers = _write_answers(entry.task)
            if answers is None:
                left_out.append(entry.name)
                continue
            lines += [_write_question(entry, answers), ""]
            written += 1
    return QuizFile("\n".join(lines), written, tuple(left_out))


def _write_question(entry: QuizEntry, answers: list[str]) -> str:
    task = entry.task
    unit = f" In {task.unit}." if isinstance(task, NumericalTask) and task.unit else ""
    hash_ = "#" if isinstance(task, NumericalTask) else ""
    explain = entry.key.get("explain", "")
    inside = [*answers, *([f"####{_escape_text(explain)}"] if explain else [])]
    body = "\n".join(f"\t{each}" for each in inside)
    head = f"// {_format_line(entry.id)}\n::{_escape_text(entry.name)}::[plain]"
    return f"{head}{_escape_text(entry.shown['ask'] + unit)}{{{hash_}\n{body}\n}}"


def _write_answers(task: Task) -> list[str] | None:
    if isinstance(task, NumericalTask):
        return [
            f"=%{each.share * 100:g}%{each.value:.12g}:{each.within:.12g}"
            f"{_format_feedback(each.says)}"
            for each in task.numbers
        ]
    if isinstance(task, TickTask):
        return [
            f"{_format_mark(each.share, task)}{_escape_text(each.says)}"
            f"{_format_feedback(each.because)}"
            for each in task.options
        ]
    if isinstance(task, PlaceTask) and all(len(right) == 1 for _, right in task.stems):
        used = {right[0] for _, right in task.stems}
        pairs = [
            f"={_escape_text(stem)} -> {_escape_text(task.choices[one])}"
            for stem, (one,) in task.stems
        ]
        others = (each for n, each in enumerate(task.choices) if n not in used)
        return [*pairs, *(f"= -> {_escape_text(each)}" for each in others)]
    return None


def _format_mark(share: float, task: TickTask) -> str:
    if task.single:
        return "=" if share == 1.0 and _count_rights(task) == 1 else f"~%{share * 100:g}%"
    percent = f"{share * 100.0:.5f}".rstrip("0").rstrip(".")
    return f"~%{percent}%"


def _count_rights(task: TickTask) -> int:
    return sum(each.share == 1.0 for each in task.options)


def _format_feedback(says: str) -> str:
    return f"#{_escape_text(says)}" if says else ""


def _escape_text(text: object) -> str:
    """One line in which nothing has a meaning of its own."""
    return _SPECIAL.sub(r"\\\1", _format_line(text).replace("->", "→"))


def _format_line(text: object) -> str:
    return " ".join(to_plain_line(text, _LONGEST).split())
