"""exercise.md to an `Exercise`: front matter, Markdown with expressions, items as fenced YAML.

In:  a folder with exercise.md. Out: `Exercise`. ContentError names the file, the item and the line.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

from perfolio.common.content_files import reload_when_edited
from perfolio.common.errors import ContentError, InputError
from perfolio.common.toml_files import TomlError, read_text
from perfolio.exercises.author_prose import ProseError, check_prose
from perfolio.exercises.items import load_item_type
from perfolio.exercises.model import (
    ANY,
    Exercise,
    ExerciseStep,
    Item,
    ItemAbsence,
    Kind,
    Prose,
    walk_texts,
)
from perfolio.exercises.strict_fields import StrictFields, read_collect
from perfolio.exercises.text_expressions import ExpressionError, parse_calls
from perfolio.exercises.untrusted_yaml import load_foreign_yaml

FILE = "exercise.md"
SHIPPED = Path(__file__).parent / "shipped"
_FRONT = re.compile(r"\A---\n(?P<yaml>.*?\n)---\n", re.DOTALL)
_KEY = re.compile(r"^([a-z]+):", re.MULTILINE)
_FENCE = re.compile(r"^```item[ \t]*\n(?P<yaml>.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_KINDS = ("practice", "graded")
_LONGEST = 200_000
_MOST_EXPRESSIONS = 1_000
"""Each may read a whole table of the run."""


@reload_when_edited(SHIPPED / FILE)
def load_exercise(path: Path) -> Exercise:
    """The exercise at `path`, an exercise.md; its folder's name is its slug."""
    text = _read_exercise(path)
    front = _FRONT.match(text)
    if front is None:
        raise ContentError(f"{path}: begins with no front matter", hint="--- YAML ---")
    lines = {key[1]: text.count("\n", 0, key.start()) + 1 for key in _KEY.finditer(front[0])}
    fields = StrictFields(load_foreign_yaml(front["yaml"], str(path), 1), str(path), lines)
    steps = tuple(_read_step(each) for each in fields.each("steps"))
    exercise = Exercise(
        slug=_read_slug(path, fields),
        title=fields.text("title"),
        kind=_read_kind(fields),
        run=fields.text("run", ANY),
        needs=fields.texts("needs"),
        before=fields.text("before", ""),
        objectives=fields.named_texts("objectives"),
        prerequisites=fields.texts("prerequisites"),
        partial=fields.flag("partial"),
        vary=fields.mapping("vary"),
        overlay=fields.mapping("overlay"),
        steps=steps,
        body=tuple(_read_body(text, front.end(), path)),
        path=path,
        digest=hashlib.sha256(text.encode()).hexdigest(),
    )
    fields.done()
    _check_references(exercise)
    return exercise


def _read_exercise(path: Path) -> str:
    try:
        text = read_text(path)
    except TomlError as problem:
        raise InputError(f"{path}: {problem}") from problem
    if len(text) > _LONGEST:
        raise ContentError(f"{path}: longer than {_LONGEST:,} characters")
    if text.count("{{") > _MOST_EXPRESSIONS:
        raise ContentError(f"{path}: more than {_MOST_EXPRESSIONS:,} expressions")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _read_slug(path: Path, fields: StrictFields) -> str:
    slug = path.parent.name
    if not _ID.fullmatch(slug):
        raise fields.refuse(f"its folder {slug!r} is no slug: use a-z, 0-9 and -")
    return slug


def _read_kind(fields: StrictFields) -> Kind:
    kind = fields.text("kind", "practice")
    if kind not in _KINDS:
        raise fields.refuse(f"kind must be one of {', '.join(_KINDS)}", "kind")
    return cast(Kind, kind)


def _read_step(fields: StrictFields) -> ExerciseStep:
    step = ExerciseStep(fields.text("id"), fields.text("title"), fields.number("minutes"))
    fields.done()
    if step.minutes <= 0.0:
        raise fields.refuse("minutes must be above 0")
    return step


def _read_body(text: str, start: int, path: Path) -> Iterator[Prose | Item]:
    """Prose and items in turn."""
    at = start
    for fence in _FENCE.finditer(text, start):
        yield from _read_prose(text, at, fence.start(), path)
        line = text.count("\n", 0, fence.start()) + 1
        yield _read_item(load_foreign_yaml(fence["yaml"], str(path), line), f"{path}:{line}")
        at = fence.end()
    if "```item" in text[at:]:
        line = text.count("\n", 0, text.index("```item", at)) + 1
        raise ContentError(f"{path}:{line}: an item without an end", hint="close it with ```")
    yield from _read_prose(text, at, len(text), path)


def _read_prose(text: str, start: int, end: int, path: Path) -> Iterator[Prose]:
    words = text[start:end].lstrip("\n")
    line = text.count("\n", 0, end - len(words)) + 1
    words = words.rstrip("\n")
    if not words.strip():
        return
    try:
        check_prose(words)
    except (ExpressionError, ProseError) as problem:
        line += words.count("\n", 0, problem.offset)
        raise ContentError(f"{path}:{line}: {problem}") from problem
    yield Prose(words, line)


def _read_item(values: object, place: str) -> Item:
    named = values.get("id") if isinstance(values, Mapping) else None
    where = f"{place}: item {named}" if named else f"{place}: item"
    fields = StrictFields(values, where)
    name = fields.text("type")
    try:
        module = load_item_type(name)
    except ContentError as problem:
        raise fields.refuse(str(problem)) from problem
    absent = _read_absence(fields)
    item = Item(
        id=fields.text("id"),
        type=name,
        step=fields.text("step"),
        tests=fields.texts("tests"),
        ask=fields.text("ask"),
        points=fields.number("points", module.POINTS),
        hints=fields.texts("hints"),
        explain=fields.text("explain", ""),
        follows=fields.texts("follows"),
        own=module.load(fields) if absent is None or absent.when else None,
        where=where,
        absent=absent,
    )
    fields.done()
    if not _ID.fullmatch(item.id):
        raise fields.refuse("id must be of a-z, 0-9 and -")
    _check_expressions(item, fields)
    if item.points < 0.0 or (item.points == 0.0) != (module.POINTS == 0.0):
        raise fields.refuse(
            f"points of type {name} {'are 0' if not module.POINTS else 'must be above 0'}"
        )
    return item


def _check_expressions(item: Item, fields: StrictFields) -> None:
    for text in walk_texts((item.ask, item.hints, item.explain, item.own)):
        try:
            parse_calls(text)
        except ExpressionError as problem:
            raise fields.refuse(str(problem)) from problem


def _read_absence(fields: StrictFields) -> ItemAbsence | None:
    """Why an item is not asked of any run, or of some, and how to get what it needs."""
    if "absent" not in fields:
        return None
    absent = fields.inside("absent")
    absence = ItemAbsence(absent.text("when", ""), absent.text("reason"), read_collect(absent))
    absent.done()
    return absence


def _check_references(exercise: Exercise) -> None:
    """Refuse what names a step, an objective or an item that is not there."""
    steps = [step.id for step in exercise.steps]
    if not exercise.items:
        raise ContentError(f"{exercise.path}: has no item")
    if len(set(steps)) < len(steps):
        raise ContentError(f"{exercise.path}: two steps of one id")
    seen: list[Item] = []
    for item in exercise.items:
        for problem in _find_misfits(item, exercise, steps, seen):
            raise ContentError(f"{item.where}: {problem}")
        seen.append(item)


def _find_misfits(
    item: Item, exercise: Exercise, steps: Sequence[str], seen: Sequence[Item]
) -> Iterator[str]:
    """What an item names that is not there, or not yet."""
    known = {each.id for each in seen}
    for name in (each for each in item.tests if each not in exercise.objectives):
        yield f"there is no objective {name}"
    for name in (each for each in item.follows if each not in known):
        yield f"follows {name}, which is not before it"
    if item.id in known:
        yield "a second item of this id"
    if item.step not in steps:
        yield f"there is no step {item.step}"
    elif seen and steps.index(item.step) < steps.index(seen[-1].step):
        yield f"step {item.step} was over: items stand in the order of the steps"
