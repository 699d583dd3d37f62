"""Moodle XML: every type of item has its question type.

In:  sheets. Out: one file for *Question bank, Import, Moodle XML*; a category for each sheet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import singledispatch
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from perfolio.common.escaping import to_plain_line
from perfolio.exercises.export import QuizEntry, QuizFile, list_sheet_entries, name_category
from perfolio.exercises.html_form import render_sentence
from perfolio.exercises.model import Sheet
from perfolio.exercises.platform_items import (
    AcceptedNumber,
    GridTask,
    NoteTask,
    NumericalTask,
    PlaceTask,
    Task,
    TickTask,
    WordTask,
)

_LONGEST = 4_000
_PENALTY = "0.3333333"
_FOR_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FOR_CLOZE = re.compile(r"([}#])")
_LOOK_ALIKES = str.maketrans(
    {"<": "‹", ">": "›", "&": "+", '"': "”", "'": "’", "~": "∼", "\\": "∖", "`": None}
)
"""Moodle reads entities of an answer in a text before it shows it as HTML, and of backslashes takes
away those before } and # alone: for all other signs that mean something, others stand."""


def make_moodle_file(sheets: Sequence[Sheet]) -> QuizFile:
    """The questions of all sheets."""
    quiz = Element("quiz")
    written = 0
    for sheet, entries in list_sheet_entries(sheets):
        into = SubElement(quiz, "question", type="category")
        _add_text(SubElement(into, "category"), f"$course$/top/{name_category(sheet)}")
        for entry in entries:
            _write_entry(quiz, entry)
            written += 1
    indent(quiz)
    text = tostring(quiz, encoding="unicode")
    return QuizFile(f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n', written, ())


def _write_entry(quiz: Element, entry: QuizEntry) -> None:
    task = entry.task
    kind, body, parts = _make_question(task)
    one = SubElement(quiz, "question", type=kind)
    _add_text(SubElement(one, "name"), entry.name)
    ask = f"<p>{render_sentence(entry.shown['ask'])}</p>{body}"
    _add_html(one, "questiontext", ask)
    _add_html(one, "generalfeedback", f"<p>{render_sentence(entry.key.get('explain', ''))}</p>")
    if kind != "cloze":
        SubElement(one, "defaultgrade").text = _format_figure(float(entry.key["points"]))
    SubElement(one, "penalty").text = _PENALTY
    SubElement(one, "hidden").text = "0"
    SubElement(one, "idnumber").text = entry.id
    one.extend(parts)
    for hint in entry.shown["hints"] if kind not in ("essay", "description") else ():
        _add_html(one, "hint", f"<p>{render_sentence(hint)}</p>")


@singledispatch
def _make_question(task: Task) -> tuple[str, str, list[Element]]:
    """The type of a question, what stands below its words, and its own elements."""
    raise TypeError(type(task))


@_make_question.register
def _make_numerical(task: NumericalTask) -> tuple[str, str, list[Element]]:
    parts = []
    for number in task.numbers:
        one = _make_answer(_format_figure(number.value), number.share, number.says)
        SubElement(one, "tolerance").text = _format_figure(number.within)
        parts.append(one)
    if task.unit:
        units = Element("units")
        for name, multiplier in {task.unit: 1.0, **task.units}.items():
            unit = SubElement(units, "unit")
            SubElement(unit, "multiplier").text = _format_figure(multiplier)
            SubElement(unit, "unit_name").text = name
        parts.append(units)
    optional = {"unitgradingtype": "0", "unitpenalty": "0", "showunits": "0", "unitsleft": "0"}
    parts += [_make_element(name, value if task.unit or name != "showunits" else "3")
              for name, value in optional.items()]  # fmt: skip
    return "numerical", f"<p>In {render_sentence(task.unit)}.</p>" if task.unit else "", parts


@_make_question.register
def _make_multichoice(task: TickTask) -> tuple[str, str, list[Element]]:
    parts = [
        _make_element("single", str(task.single).lower()),
        _make_element("shuffleanswers", "true"),
        _make_element("answernumbering", "ABCD"),
    ]
    parts += [
        _make_answer(render_sentence(each.says), each.share, each.because, form="html")
        for each in task.options
    ]
    return "multichoice", "", parts


@_make_question.register
def _make_matching(task: PlaceTask) -> tuple[str, str, list[Element]]:
    if any(len(right) > 1 for _, right in task.stems):
        return (
            "cloze",
            "".join(map(_write_cloze_place, task.stems, [task.choices] * len(task.stems))),
            [],
        )
    parts = [_make_element("shuffleanswers", "true")]
    for stem, (right,) in task.stems:
        parts.append(_make_pair(render_sentence(stem), task.choices[right]))
    used = {right for _, (right,) in task.stems}
    others = (each for n, each in enumerate(task.choices) if n not in used)
    parts += [_make_pair("", each) for each in others]
    return "matching", "", parts


@_make_question.register
def _make_cloze_table(task: GridTask) -> tuple[str, str, list[Element]]:
    head = "".join(f"<th>{render_sentence(each)}</th>" for each in task.head)
    rows = "".join(f"<tr>{''.join(map(_write_cell, row))}</tr>" for row in task.rows)
    return "cloze", f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>", []


@_make_question.register
def _make_essay(task: WordTask) -> tuple[str, str, list[Element]]:
    notes = Element("graderinfo", format="html")
    _add_text(notes, "".join(f"<p>{render_sentence(each)}</p>" for each in task.notes))
    parts = [
        _make_element("responseformat", "editor"),
        _make_element("responserequired", "1"),
        _make_element("responsefieldlines", "10"),
        _make_element("attachments", "0"),
        notes,
    ]
    return "essay", "", parts


@_make_question.register
def _make_description(task: NoteTask) -> tuple[str, str, list[Element]]:
    lines = "".join(f"<li>{render_sentence(each)}</li>" for each in task.lines)
    return "description", f"<ul>{lines}</ul>" if lines else "", []


def _write_cloze_place(stem: tuple[str, tuple[int, ...]], choices: Sequence[str]) -> str:
    says, right = stem
    options = "~".join(
        f"{'=' if n in right else ''}{_escape_cloze(each)}" for n, each in enumerate(choices)
    )
    return f"<p>{render_sentence(says)} {{1:MULTICHOICE:{options}}}</p>"


def _write_cell(cell: str | NumericalTask) -> str:
    if isinstance(cell, str):
        return f"<td>{render_sentence(cell)}</td>"
    answers = "~".join(map(_write_cloze_number, cell.numbers))
    return f"<td>{{1:NUMERICAL:{answers}}} {render_sentence(cell.unit)}</td>"


def _write_cloze_number(number: AcceptedNumber) -> str:
    says = f"#{_escape_cloze(number.says)}" if number.says else ""
    mark = f"%{number.share * 100:g}%"
    return f"{mark}{_format_figure(number.value)}:{_format_figure(number.within)}{says}"


def _escape_cloze(text: str) -> str:
    """Words of an answer in a cloze question: nothing of them ends the answer or is markup."""
    line = _FOR_CLOZE.sub(r"\\\1", to_plain_line(text, _LONGEST).translate(_LOOK_ALIKES))
    return f"\u00a0{line}" if line[:1] in ("=", "%") else line


def _make_answer(says: str, share: float, because: str, *, form: str = "") -> Element:
    one = Element(
        "answer", {"fraction": _format_fraction(share), **({"format": form} if form else {})}
    )
    _add_text(one, says)
    _add_html(one, "feedback", f"<p>{render_sentence(because)}</p>" if because else "")
    return one


def _format_fraction(share: float) -> str:
    """A share in per cent, with the five decimals by which Moodle knows thirds."""
    return f"{share * 100.0:.5f}".rstrip("0").rstrip(".")


def _make_pair(stem: str, choice: str) -> Element:
    one = Element("subquestion", format="html")
    _add_text(one, stem)
    _add_text(SubElement(one, "answer"), choice)
    return one


def _format_figure(value: float) -> str:
    return f"{value:.12g}"


def _make_element(name: str, value: str) -> Element:
    one = Element(name)
    one.text = value
    return one


def _add_html(parent: Element, name: str, html: str) -> None:
    _add_text(SubElement(parent, name, format="html"), html)


def _add_text(parent: Element, text: str) -> None:
    SubElement(parent, "text").text = _FOR_XML.sub("", text)
