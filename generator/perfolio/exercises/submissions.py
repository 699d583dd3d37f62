"""What learners hand in: a file each, JSON or a filled PDF, held against the keys that there are.

In:  files, and keys by their sheet. Out: `GradedSheet` in the order of learners, and a line for
     each file that cannot be graded. Anybody may have made a file: pypdf, which is imported when
     the first PDF is, reads it within bounds.
"""

from __future__ import annotations

import logging
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from perfolio.common.errors import InputError, OutputError
from perfolio.common.escaping import to_plain_line
from perfolio.common.extra_packages import make_install_command
from perfolio.exercises.grader import grade_sheet
from perfolio.exercises.key_documents import (
    ANSWERS,
    check_answers,
    read_answers,
    read_key,
    read_keys_document,
)
from perfolio.exercises.model import Given, GradedAnswer, Json
from perfolio.exercises.paper_form import LEARNER, parse_field_answers

KEY_END = ".key.json"
KEYS_FILE = "key.json"
"""The keys of all variants."""
_KINDS = (".json", ".pdf")
_NAME = 80
"""Characters of a learner's name that are kept."""
_LARGEST_PDF = 20_000_000
_MOST_FIELDS = 4_000
_DAMAGED = (
    ArithmeticError, AssertionError, AttributeError, LookupError, NotImplementedError, OSError,
    RecursionError, TypeError, ValueError, zlib.error,
)  # fmt: skip
"""What pypdf raises for bytes that are not what they say, besides its own errors."""


@dataclass(frozen=True)
class GradedSheet:
    """A sheet that a learner handed in, graded."""

    learner: str
    key: Json
    answers: Json
    graded: Mapping[str, GradedAnswer]

    @property
    def sheet(self) -> str:
        """Id of the sheet."""
        return str(self.key["sheet"])

    @property
    def exercise(self) -> str:
        """Slug of the exercise."""
        return str(self.key["exercise"])

    def given(self, item: str) -> Given:
        """What was answered, as typed."""
        answer: Given = (self.answers["items"].get(item) or {"given": ""})["given"]
        return answer

    def scored(self, graded: Mapping[str, GradedAnswer]) -> GradedSheet:
        """The same with other grades for some items."""
        return replace(self, graded={**self.graded, **graded})


def read_keys(folder: Path) -> dict[str, Json]:
    """All keys below a folder, by sheet."""
    if not folder.is_dir():
        raise InputError(f"{folder}: is no folder with keys", hint="perfolio worksheet build")
    keys = [read_key(path) for path in sorted(folder.rglob(f"*{KEY_END}"))]
    for path in sorted(folder.rglob(KEYS_FILE)):
        keys += read_keys_document(path)
    if not keys:
        raise InputError(
            f"{folder}: holds no key ({KEYS_FILE}, *{KEY_END})", hint="perfolio worksheet build"
        )
    return {key["sheet"]: key for key in keys}


def grade_submissions(
    paths: Sequence[Path], keys: Mapping[str, Json], done: Callable[[], None] = lambda: None
) -> tuple[list[GradedSheet], list[str]]:
    """The sheets of all files, and why some cannot be graded; `done` is called after each file."""
    marked: dict[tuple[str, str], tuple[GradedSheet, Path]] = {}
    problems = []
    for path in paths:
        try:
            one = _grade_file(path, keys)
        except InputError as problem:
            problems.append(str(problem))
        else:
            _, first = marked.setdefault((one.learner, one.sheet), (one, path))
            if first != path:
                problems.append(f"{path}: {one.learner} handed in sheet {one.sheet} twice: {first}")
        done()
    return [marked[each][0] for each in sorted(marked)], problems


def list_files(paths: Sequence[Path]) -> list[Path]:
    """The files themselves, and those of folders; InputError where there are none."""
    files: dict[Path, None] = {}
    for path in paths:
        inside = sorted(each for each in path.rglob("*") if each.suffix.lower() in _KINDS)
        if path.is_dir() and not inside:
            raise InputError(f"{path}: holds no .json and no .pdf")
        files |= dict.fromkeys(inside if path.is_dir() else [path])
    return list(files)


def _grade_file(path: Path, keys: Mapping[str, Json]) -> GradedSheet:
    answers = _from_pdf(path, keys) if path.suffix.lower() == ".pdf" else read_answers(path)
    key = _find_key(answers["sheet"], keys, path)
    if answers["exercise"] != key["exercise"]:
        raise InputError(f"{path}: sheet {key['sheet']} is of {key['exercise']}")
    try:
        graded = grade_sheet(key, answers)
    except InputError as problem:
        raise InputError(f"{path}: {problem}") from problem
    learner = to_plain_line(answers["learner"], _NAME).strip() or to_plain_line(path.stem, _NAME)
    return GradedSheet(learner, key, answers, graded)


def _from_pdf(path: Path, keys: Mapping[str, Json]) -> Json:
    """A filled PDF as the document that a browser would have saved."""
    fields = read_fields(path)
    named = [(match["sheet"], name) for name in fields if (match := LEARNER.fullmatch(name))]
    if len(named) != 1:
        raise InputError(f"{path}: its fields are not those of a sheet")
    sheet, name = named[0]
    key = _find_key(sheet, keys, path)
    items: dict[str, Any] = parse_field_answers(fields)
    document = {
        "schema": ANSWERS, "sheet": sheet, "exercise": key["exercise"], "variant": key["variant"],
        "learner": fields[name].strip(), "saved": "", "items": items,
    }  # fmt: skip
    return check_answers(document, str(path))


def _find_key(sheet: str, keys: Mapping[str, Json], path: Path) -> Json:
    if sheet not in keys:
        known = ", ".join(sorted(keys)[:5])
        raise InputError(f"{path}: there is no key of sheet {sheet}", hint=f"keys are of {known}")
    return keys[sheet]


def read_fields(path: Path) -> dict[str, str]:
    """The values of all fields with a name; a box that is ticked has the name of its state."""
    try:
        from pypdf import PdfReader
        from pypdf.errors import PyPdfError
    except ImportError as problem:
        raise OutputError(
            f"{path}: PDF cannot be read here: no pypdf", hint=make_install_command("handouts")
        ) from problem
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        if path.stat().st_size > _LARGEST_PDF:
            raise InputError(f"{path}: larger than {_LARGEST_PDF:,} bytes")
        with path.open("rb") as file:
            fields = PdfReader(file).get_fields() or {}
            values = {str(name): _format_value(field) for name, field in fields.items()}
    except (PyPdfError, *_DAMAGED) as problem:
        raise InputError(f"{path}: cannot be read as PDF: {problem}") from problem
    if not values:
        raise InputError(
            f"{path}: this PDF has no fields",
            hint="hand in the file that was filled in, not a print of it",
        )
    if len(values) > _MOST_FIELDS:
        raise InputError(f"{path}: more than {_MOST_FIELDS:,} fields")
    return values


def _format_value(field: Mapping[str, Any]) -> str:
    value = field.get("/V")
    return "" if value is None else str(value)
