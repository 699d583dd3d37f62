"""Sheets as handouts: one page each, to print, to fill in, or with its key.

In:  sheets with their runs. Out: files by path below `public/` and `instructor/`: never is one in
     the other, and of a graded sheet nothing that tells an answer is in `public/`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

import markdown

from perfolio.common.errors import UsageError
from perfolio.exercises import key_explanation
from perfolio.exercises.export.gift import make_gift_file
from perfolio.exercises.export.moodle import make_moodle_file
from perfolio.exercises.html_form import format_points
from perfolio.exercises.items import load_item_type
from perfolio.exercises.key_documents import make_key_document
from perfolio.exercises.model import Json, Question, Sheet
from perfolio.exercises.paper_form import Pen, name_learner_field
from perfolio.exercises.run_view import Run
from perfolio.exercises.submissions import KEY_END
from perfolio.pages.exercise_pages import SheetPart, iter_sheet_parts
from perfolio.pages.pdf_printing import to_pdf
from perfolio.pages.report_view import Report
from perfolio.pages.template_environment import render

EXTENSIONS = ["attr_list", "def_list", "fenced_code", "md_in_html", "sane_lists", "tables"]
"""Of Markdown on paper."""

Audience = Literal["learner", "instructor", "self"]
AUDIENCES: tuple[Audience, ...] = ("learner", "instructor", "self")
PAPERS: Mapping[str, str] = {"a4": "A4", "letter": "Letter"}
FORMATS = ("html", "pdf", "moodle", "gift")
PUBLIC, INSTRUCTOR = "public", "instructor"
_CSS = Path(__file__).parent / "templates" / "worksheet" / "handout.css"
_SHEET = Path(__file__).parents[1] / "site" / "theme" / "assets" / "perfolio" / "sheet.js"
_LINK = re.compile(r'<a href="(?!https?://)[^"]*">(.*?)</a>', re.DOTALL)


@dataclass(frozen=True)
class HandoutStyle:
    """How a sheet is shown."""

    paper: str = "A4"
    browser: bool = False
    """Inputs of a browser, instead of boxes or fields of a PDF."""
    fields: bool = False
    key: bool = False

    def draw(self, question: Question) -> str:
        """An item that is asked."""
        keyed = question.keyed
        if keyed is None:
            return ""
        module = load_item_type(question.item.type)
        if self.browser:
            return module.html(keyed.shown)
        given = module.solve(keyed.key) if self.key else ""
        return module.paper(keyed.shown, Pen(fields=self.fields, given=given))

    def name_field(self, sheet: Sheet) -> str:
        """Where the learner's name goes."""
        if self.browser:
            return '<input type="text" autocomplete="name">'
        if self.fields:
            return f'<input type="text" name="{name_learner_field(sheet.id)}" title="Name">'
        return '<span class="line"></span>'


@dataclass(frozen=True)
class RunSheet:
    """A sheet with the run that it was made from."""

    sheet: Sheet
    run: Run


@dataclass(frozen=True)
class HandoutOptions:
    """What is to be made of sheets."""

    audience: Audience = "instructor"
    paper: str = "a4"
    formats: tuple[str, ...] = ("html", "pdf")


def make_handout_files(
    sheets: Sequence[RunSheet],
    wish: HandoutOptions,
    done: Callable[[], None] = lambda: None,
    *,
    data: Sequence[str] = (),
) -> dict[str, str | bytes]:
    """All files of sheets by path; `done` is called after each sheet.

    `data` are databases that lie beside the list of what is handed out.
    """
    if wish.audience == "self":
        _refuse_graded(sheets)
    files: dict[str, str | bytes] = {}
    listed: dict[str, dict[str, str]] = {}
    for made in sheets:
        slug = made.sheet.exercise.slug
        public = dict(_make_public_files(made, wish))
        files |= {f"{PUBLIC}/{name}": content for name, (content, _) in public.items()}
        listed[slug] = {name: says for name, (_, says) in public.items()}
        if wish.audience == "instructor":
            files |= {
                f"{INSTRUCTOR}/{name}": text for name, text in _make_instructor_files(made, wish)
            }
        done()
    index = render(
        "worksheet/handouts.html.j2",
        css=read_handout_css(),
        sheets=[made.sheet for made in sheets],
        files=listed,
        data=data,
    )
    return {f"{PUBLIC}/index.html": index, **files}


def write_quizzes(sheets: Sequence[Sheet], wish: HandoutOptions) -> dict[str, str | bytes]:
    """Files for learning platforms, with a category for each sheet: they hold the keys."""
    if wish.audience != "instructor":
        return {}
    made = {"moodle": ("moodle.xml", make_moodle_file), "gift": ("quiz.gift", make_gift_file)}
    chosen = [made[each] for each in wish.formats if each in made]
    return {f"{INSTRUCTOR}/{name}": write(sheets).text for name, write in chosen}


def render_handout(made: RunSheet, how: HandoutStyle) -> str:
    """A sheet as one page of HTML."""
    sheet = made.sheet
    keyed = _describe_keys(sheet) if how.key else {}
    return render(
        "worksheet/handout.html.j2",
        sheet=sheet,
        facts=made.run.facts,
        simulated=Report(made.run.metrics, made.run.findings, charts={}).simulated,
        handout=how,
        css=read_handout_css(),
        script=_read_script() if how.browser else "",
        parts=[_as_html(part) for part in iter_sheet_parts(sheet, made.run, how.draw)],
        keyed=keyed,
        queries=_list_queries(sheet) if how.key else {},
    )


@cache
def read_handout_css() -> str:
    """The style of handouts, which each carries."""
    return _CSS.read_text(encoding="utf-8")


@cache
def _read_script() -> str:
    """What keeps, saves and loads answers on a page, as on the pages of a report."""
    return _SHEET.read_text(encoding="utf-8")


def _make_public_files(
    made: RunSheet, wish: HandoutOptions
) -> Iterator[tuple[str, tuple[str | bytes, str]]]:
    """Files for learners: name, content, and what the list calls them."""
    slug, paper = made.sheet.exercise.slug, PAPERS[wish.paper]
    if "html" in wish.formats:
        yield f"{slug}.html", (render_handout(made, HandoutStyle(paper, browser=True)), "page")
    if "pdf" in wish.formats:
        fillable = HandoutStyle(paper, fields=True)
        yield f"{slug}.pdf", (to_pdf(render_handout(made, fillable), fields=True), "PDF to fill in")
        blank = render_handout(made, HandoutStyle(paper))
        yield f"{slug}-blank.pdf", (to_pdf(blank, fields=False), "PDF to print")
    if wish.audience == "self":
        for name, content in _make_key_files(made, wish):
            yield name, (content, "key")


def _make_instructor_files(
    made: RunSheet, wish: HandoutOptions
) -> Iterator[tuple[str, str | bytes]]:
    document = json.dumps(
        make_key_document(made.sheet), indent=1, ensure_ascii=False, allow_nan=False
    )
    yield f"{made.sheet.exercise.slug}{KEY_END}", f"{document}\n"
    yield from _make_key_files(made, wish)


def _make_key_files(made: RunSheet, wish: HandoutOptions) -> Iterator[tuple[str, str | bytes]]:
    html = render_handout(made, HandoutStyle(PAPERS[wish.paper], key=True))
    name = f"{made.sheet.exercise.slug}-key"
    if "html" in wish.formats:
        yield f"{name}.html", html
    if "pdf" in wish.formats:
        yield f"{name}.pdf", to_pdf(html, fields=False)


def _refuse_graded(sheets: Sequence[RunSheet]) -> None:
    for made in sheets:
        if made.sheet.exercise.kind == "graded":
            raise UsageError(
                f"{made.sheet.exercise.slug} is graded: its key is for instructors only",
                hint="use --audience instructor",
            )


def _as_html(part: SheetPart) -> SheetPart:
    """A part whose Markdown is HTML; links into the report lead nowhere on paper."""
    if not part.prose:
        return part
    html = markdown.markdown(part.prose, extensions=EXTENSIONS)
    return replace(part, prose=_LINK.sub(r"\1", html))


def _describe_keys(sheet: Sheet) -> dict[str, Json]:
    """What the key says of each item."""
    keys: dict[str, Json] = {}
    for question in sheet.answerable:
        key: dict[str, Any] = question.keyed.key if question.keyed else {}
        keys[question.item.id] = {
            "points": format_points(question.item.points),
            "right": key_explanation.format_right_answer(key),
            "notes": key_explanation.list_instructor_notes(key),
            "explain": key["explain"],
            "source": key_explanation.describe_source(key),
        }
    return keys


def _list_queries(sheet: Sheet) -> dict[str, str]:
    queries: dict[str, str] = {}
    for question in sheet.answerable:
        queries |= key_explanation.list_queries(question.keyed.key) if question.keyed else {}
    return queries
