"""What an exercise is, and what it becomes on one run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal

from perfolio.common.errors import ContentError

Json = dict[str, Any]
"""Plain JSON: what pages, files and the browser get."""
Given = str | list[str]
"""An answer as typed: a text, letters ticked, or the fields of an item in their order."""
Kind = Literal["practice", "graded"]
ANY = "any"
"""The run of an exercise that is checked on whatever runs there are."""
Source = Literal["metric", "expression", "finding", "setting", "hardware", "given", "absent"]


class NotAskedError(ContentError):
    """A question that cannot be asked of this run: why, and how to collect what it needs."""

    def __init__(self, reason: str, *, collect: str = "", refused: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.collect = collect
        self.refused = refused
        """Whether everything was measured, and the question has no one answer there."""


@dataclass(frozen=True)
class Answer:
    """Where a value comes from. Nobody types one, except `given`, which the sheet prints."""

    source: Source
    name: str
    """Metric, expression, code of a finding, key of a setting, column of the hardware; of `absent`
    the reason why no reader takes it."""
    column: str = ""
    """Of a table metric; of a finding the field: `value`, `estimate.factor`..."""
    row: int | None = None
    where: Mapping[str, str | float] = field(default_factory=dict)
    value: float | None = None
    """Of `given`."""
    total: bool = False
    """Whether all rows that `where` names are added up."""
    collect: Mapping[str, str] = field(default_factory=dict)
    """Of `absent` the commands that record it, by what they are for (see `collecting`)."""
    otherwise: Answer | None = None
    """What answers where the run lacks this one."""


@dataclass(frozen=True)
class WrongAnswer:
    """A known mistake: the value that it gives is computed like the answer."""

    code: str
    answer: Answer
    says: str


@dataclass(frozen=True)
class ExerciseStep:
    """A part of an exercise; `minutes` is what it takes, and only steps have any."""

    id: str
    title: str
    minutes: float


@dataclass(frozen=True)
class QuestionGap:
    """Why an item is not asked of this run: printed in its place."""

    reason: str
    collect: str = ""
    refused: bool = False
    ask: str = ""
    """The question, with its values."""


@dataclass(frozen=True)
class ItemAbsence:
    """Why an item is not asked: of any run, or of those of which `when` holds."""

    when: str
    reason: str
    collect: Mapping[str, str]
    """Commands by what they are for (see `collecting`)."""


@dataclass(frozen=True)
class Item:
    """One question, or something to do, as its author wrote it."""

    id: str
    type: str
    step: str
    tests: tuple[str, ...]
    """Objectives, by their keys in the front matter."""
    ask: str
    points: float
    hints: tuple[str, ...]
    explain: str
    follows: tuple[str, ...]
    """Items whose answers this one is computed from: its expressions name them, `-` as `_`."""
    own: Any
    """What the type's module made of its own keys."""
    where: str
    """`exercise.md:31: item s1-wall`, for messages."""
    absent: ItemAbsence | None = None
    """Set where no run can be asked it, or not every run."""


@dataclass(frozen=True)
class Prose:
    """Markdown with expressions between items; it belongs to the step of the item behind it."""

    text: str
    line: int
    """Of its first word."""


@dataclass(frozen=True)
class Exercise:
    """One exercise.md."""

    slug: str
    title: str
    kind: Kind
    run: str
    """Slug of the sample run that it is checked on; offered for every run that meets `needs`."""
    needs: tuple[str, ...]
    before: str
    objectives: Mapping[str, str]
    prerequisites: tuple[str, ...]
    partial: bool
    """Whether it is made of whatever a run can answer, and shows why the rest is not asked."""
    vary: Json
    overlay: Json
    steps: tuple[ExerciseStep, ...]
    body: tuple[Prose | Item, ...]
    path: Path
    digest: str
    """Of the file's text."""

    @property
    def items(self) -> tuple[Item, ...]:
        """The items in their order."""
        return tuple(part for part in self.body if isinstance(part, Item))


def walk_texts(value: object) -> Iterator[str]:
    """All texts in what a type made of its keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from walk_texts(each)
    elif is_dataclass(value):
        for one in fields(value):
            yield from walk_texts(getattr(value, one.name))


@dataclass(frozen=True)
class SolvedValue:
    """A value of a run with the interval that it was measured in, and where it is from."""

    value: float
    unit: str
    low: float | None = None
    high: float | None = None
    computed: bool = False
    """Whether a learner has to compute it, instead of reading it off."""
    source: Json = field(default_factory=dict)
    """What the key stores: metric, column, row, expression, sql."""


@dataclass(frozen=True)
class KeyedItem:
    """An item on one run: what the sheet shows, and what only the key holds; both plain JSON."""

    shown: Json
    key: Json
    dropped: tuple[str, ...] = ()
    """Distractors and options that this run has no use for, each with the reason."""


@dataclass(frozen=True)
class Question:
    """An item of a sheet: asked, or a gap."""

    item: Item
    keyed: KeyedItem | None
    """What the sheet shows and what the key holds, where it is asked."""
    gap: QuestionGap | None = None


@dataclass(frozen=True)
class Sheet:
    """An exercise made from one run."""

    exercise: Exercise
    run: Json
    """Slug and digest."""
    variant: str
    id: str
    body: tuple[Prose | Question, ...]
    learner: str = ""
    """To whom it was given, where that is known: the key alone says it."""

    @property
    def questions(self) -> tuple[Question, ...]:
        """All items, asked or not."""
        return tuple(part for part in self.body if isinstance(part, Question))

    @property
    def answerable(self) -> tuple[Question, ...]:
        """The items that this run can answer."""
        return tuple(each for each in self.questions if each.keyed is not None)

    @property
    def points(self) -> float:
        """Of what is asked."""
        return sum(each.item.points for each in self.answerable)

    @property
    def minutes(self) -> float:
        """Of the steps in which something is asked."""
        return sum(each.minutes for each in self.steps)

    @property
    def steps(self) -> tuple[ExerciseStep, ...]:
        """The steps in which something is asked, each with the share of its minutes.

        These are whole, so that what a page prints adds up.
        """
        return tuple(
            ExerciseStep(
                step.id,
                step.title,
                _round_minutes(step.minutes * _compute_share(self.questions, step.id)),
            )
            for step in self.exercise.steps
            if _compute_share(self.questions, step.id) > 0.0
        )


def _round_minutes(minutes: float) -> float:
    return max(1.0, float(round(minutes)))


def _compute_share(questions: Sequence[Question], step: str) -> float:
    """How much of a step is asked, by points; all of it where none of its items has any."""
    inside = [each for each in questions if each.item.step == step]
    total = sum(each.item.points for each in inside)
    if not total:
        return 1.0 if any(each.keyed for each in inside) else 0.0
    return sum(each.item.points for each in inside if each.keyed) / total


@dataclass(frozen=True)
class GradedAnswer:
    """What an answer earns: `points`, a code for statistics, and words for the learner."""

    points: float
    code: str
    feedback: str = ""
    parts: tuple[str, ...] = ()
    """The codes of the cells of a table, in their order."""
