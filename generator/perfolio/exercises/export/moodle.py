"""Moodle XML: every type of item has its question type.

In:  sheets. Out: one file for *Question bank, Import, Moodle XML*; a category for each sheet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import singledispatch
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from perfolio.common.escaping import to_plain_line
from perfolio.exercises.export import Entry, Exported, all_of, category
from perfolio.exercises.html_form import words
from perfolio.exercises.model import Sheet
from perfolio.exercises.platform_items import (
    Grid,
    Note,
    Number,
    Numerical,
    Places,
    Task,
    Ticks,
    Words,
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


def moodle(sheets: Sequence[Sheet]) -> Exported:
    """The questions of all sheets."""
    quiz = Element("quiz")
    written = 0
    for sheet, found in all_of(sheets):
        into = SubElement(quiz, "question", type="category")
        _text(SubElement(into, "category"), f"$course$/top/{category(sheet)}")
        for entry in found:
            _write(quiz, entry)
            written += 1
    indent(quiz)
    text = tostring(quiz, encoding="unicode")
    return Exported(f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n', written, ())


def _write(quiz: Element, entry: Entry) -> None:
    task = entry.task
    kind, body, parts = _question(task)
    one = SubElement(quiz, "question", type=kind)
    _text(SubElement(one, "name"), entry.name)
    ask = f"<p>{words(entry.shown['ask'])}</p>{body}"
    _html(one, "questiontext", ask)
    _html(one, "generalfeedback", f"<p>{words(entry.key.get('explain', ''))}</p>")
    if kind != "cloze":
        SubElement(one, "defaultgrade").text = _figure(float(entry.key["points"]))
    SubElement(one, "penalty").text = _PENALTY
    SubElement(one, "hidden").text = "0"
    SubElement(one, "idnumber").text = entry.id
    one.extend(parts)
    for hint in entry.shown["hints"] if kind not in ("essay", "description") else ():
        _html(one, "hint", f"<p>{words(hint)}</p>")


@singledispatch
def _question(task: Task) -> tuple[str, str, list[Element]]:
    """The type of a question, what stands below its words, and its own elements."""
    raise TypeError(type(task))


@_question.register
def _numerical(task: Numerical) -> tuple[str, str, list[Element]]:
    parts = []
    for number in task.numbers:
        one = _answer(_figure(number.value), number.share, number.says)
        SubElement(one, "tolerance").text = _figure(number.within)
        parts.append(one)
    if task.unit:
        units = Element("units")
        for name, multiplier in {task.unit: 1.0, **task.units}.items():
            unit = SubElement(units, "unit")
            SubElement(unit, "multiplier").text = _figure(multiplier)
            SubElement(unit, "unit_name").text = name
        parts.append(units)
    optional = {"unitgradingtype": "0", "unitpenalty": "0", "showunits": "0", "unitsleft": "0"}
    parts += [_plain(name, value if task.unit or name != "showunits" else "3")
              for name, value in optional.items()]  # fmt: skip
    return "numerical", f"<p>In {words(task.unit)}.</p>" if task.unit else "", parts


@_question.register
def _ticks(task: Ticks) -> tuple[str, str, list[Element]]:
    parts = [_plain("single", str(task.single).lower()), _plain("shuffleanswers", "true"),
             _plain("answernumbering", "ABCD")]  # fmt: skip
    parts += [
        _answer(words(each.says), each.share, each.because, form="html") for each in task.options
    ]
    return "multichoice", "", parts


@_question.register
def _places(task: Places) -> tuple[str, str, list[Element]]:
    if any(len(right) > 1 for _, right in task.stems):
        return "cloze", "".join(map(_place, task.stems, [task.choices] * len(task.stems))), []
    parts = [_plain("shuffleanswers", "true")]
    for stem, (right,) in task.stems:
        parts.append(_pair(words(stem), task.choices[right]))
    used = {right for _, (right,) in task.stems}
    others = (each for n, each in enumerate(task.choices) if n not in used)
    parts += [_pair("", each) for each in others]
    return "matching", "", parts


@_question.register
def _grid(task: Grid) -> tuple[str, str, list[Element]]:
    head = "".join(f"<th>{words(each)}</th>" for each in task.head)
    rows = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in task.rows)
    return "cloze", f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>", []


@_question.register
def _words(task: Words) -> tuple[str, str, list[Element]]:
    notes = Element("graderinfo", format="html")
    _text(notes, "".join(f"<p>{words(each)}</p>" for each in task.notes))
    parts = [_plain("responseformat", "editor"), _plain("responserequired", "1"),
             _plain("responsefieldlines", "10"), _plain("attachments", "0"), notes]  # fmt: skip
    return "essay", "", parts


@_question.register
def _note(task: Note) -> tuple[str, str, list[Element]]:
    lines = "".join(f"<li>{words(each)}</li>" for each in task.lines)
    return "description", f"<ul>{lines}</ul>" if lines else "", []


def _place(stem: tuple[str, tuple[int, ...]], choices: Sequence[str]) -> str:
    says, right = stem
    options = "~".join(
        f"{'=' if n in right else ''}{_cloze(each)}" for n, each in enumerate(choices)
    )
    return f"<p>{words(says)} {{1:MULTICHOICE:{options}}}</p>"


def _cell(cell: str | Numerical) -> str:
    if isinstance(cell, str):
        return f"<td>{words(cell)}</td>"
    answers = "~".join(map(_cloze_number, cell.numbers))
    return f"<td>{{1:NUMERICAL:{answers}}} {words(cell.unit)}</td>"


def _cloze_number(number: Number) -> str:
    says = f"#{_cloze(number.says)}" if number.says else ""
    mark = f"%{number.share * 100:g}%"
    return f"{mark}{_figure(number.value)}:{_figure(number.within)}{says}"


def _cloze(text: str) -> str:
    """Words of an answer in a cloze question: nothing of them ends the answer or is markup."""
    line = _FOR_CLOZE.sub(r"\\\1", to_plain_line(text, _LONGEST).translate(_LOOK_ALIKES))
    return f"\u00a0{line}" if line[:1] in ("=", "%") else line


def _answer(says: str, share: float, because: str, *, form: str = "") -> Element:
    one = Element("answer", {"fraction": _fraction(share), **({"format": form} if form else {})})
    _text(one, says)
    _html(one, "feedback", f"<p>{words(because)}</p>" if because else "")
    return one


def _fraction(share: float) -> str:
    """A share in per cent, with the five decimals by which Moodle knows thirds."""
    return f"{share * 100.0:.5f}".rstrip("0").rstrip(".")


def _pair(stem: str, choice: str) -> Element:
    one = Element("subquestion", format="html")
    _text(one, stem)
    _text(SubElement(one, "answer"), choice)
    return one


def _figure(value: float) -> str:
    return f"{value:.12g}"


def _plain(name: str, value: str) -> Element:
    one = Element(name)
    one.text = value
    return one


def _html(parent: Element, name: str, html: str) -> None:
    _text(SubElement(parent, name, format="html"), html)


def _text(parent: Element, text: str) -> None:
    SubElement(parent, "text").text = _FOR_XML.sub("", text)
