"""Options to tick: made with letters, and graded.

In:  options with conditions, or rows of a table. Out: lettered options, and which are right. Their
     order depends on the sheet, so that the right letter is evenly spread.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any, TypeVar

from perfolio.common.errors import ContentError
from perfolio.exercises.item_context import ItemContext
from perfolio.exercises.model import GradedAnswer, Json, KeyedItem, NotAskedError
from perfolio.exercises.run_conditions import evaluate_condition, list_condition_names
from perfolio.exercises.run_view import Run
from perfolio.exercises.strict_fields import StrictFields

_ON_ANY_RUN = {"true": True, "false": False}
MOST_OPTIONS = len(ascii_uppercase)
_T = TypeVar("_T")


@dataclass(frozen=True)
class AnswerOption:
    """What may be ticked, the condition under which it is right, and what to say if it is not.

    A condition is `true` or `false` where it is about no run.
    """

    says: str
    right: str
    because: str = ""
    code: str = ""


def read_options(fields: StrictFields) -> tuple[AnswerOption, ...]:
    """The `options` of an item."""
    options = []
    for each in fields.each("options"):
        options.append(
            AnswerOption(
                each.text("says"),
                _read_condition(each),
                each.text("because", ""),
                each.text("code", ""),
            )
        )
        each.done()
    if len(options) < 2:
        raise fields.refuse("options must be at least two")
    return tuple(options)


def _read_condition(fields: StrictFields) -> str:
    """A condition; true or false for what holds of every run, or of none."""
    condition = fields.any("right")
    return str(condition).lower() if isinstance(condition, bool) else fields.text("right")


def decide_options(
    options: Sequence[AnswerOption], context: ItemContext
) -> tuple[list[Json], list[str]]:
    """The options of which the run says whether they are right, and why others are not offered."""
    known: list[Json] = []
    dropped = []
    for option in options:
        right = _ON_ANY_RUN.get(option.right)
        try:
            right = _is_right(option, context.run) if right is None else right
            says = context.say(option.says)
        except NotAskedError as gap:
            dropped.append(f"{context.fill_known(option.says)}: not offered: {gap.reason}")
            continue
        known.append(
            {"says": says, "right": right, "when": option.right,
             "because": context.fill_known(option.because), "code": option.code}
        )  # fmt: skip
    if dropped and all(each["when"] in _ON_ANY_RUN for each in known):
        raise NotAskedError(f"too few options can be judged here: {'; '.join(dropped)}")
    return known, dropped


def _is_right(option: AnswerOption, run: Run) -> bool:
    """Whether its condition holds. NotAskedError where the run does not say."""
    right = evaluate_condition(option.right, run)
    if right is None:
        raise run.lacks(list_condition_names(option.right))
    return right


def make_lettered_key(
    options: Sequence[Json], context: ItemContext, *, shuffle: bool = True
) -> KeyedItem:
    """Options with letters, in the sheet's own order; the key alone knows which are right."""
    ordered = order_by_seed(options, *context.seed) if shuffle else list(options)
    named = [{**each, "letter": format_letter(n)} for n, each in enumerate(ordered)]
    shown = [{"letter": each["letter"], "says": each["says"]} for each in named]
    right = [each["letter"] for each in named if each["right"]]
    return KeyedItem({"options": shown}, {"options": named, "right": right})


def require_two_options(known: Sequence[Json], dropped: Sequence[str]) -> None:
    """Refuse a choice of fewer than two."""
    if len(known) < 2:
        raise NotAskedError(f"too few options can be judged here: {'; '.join(dropped)}")


def list_ticked_letters(given: Mapping[str, Any]) -> list[str]:
    """The letters of an answer, each once, in capitals."""
    letters = given.get("given") or []
    parts = letters.replace(",", " ").split() if isinstance(letters, str) else letters
    return list(dict.fromkeys(str(each).strip().upper() for each in parts if str(each).strip()))


def find_option(key: Mapping[str, Any], letter_: str) -> Mapping[str, Any] | None:
    """The option of a letter; None where the sheet has none."""
    return next((each for each in key["options"] if each["letter"] == letter_), None)


def grade_one(key: Mapping[str, Any], given: Mapping[str, Any]) -> GradedAnswer:
    """One tick: right, or wrong with the option's own words; two earn nothing."""
    chosen = list_ticked_letters(given)
    if not chosen:
        return GradedAnswer(0.0, "blank")
    if len(chosen) > 1:
        return GradedAnswer(0.0, "two-ticks")
    option = find_option(key, chosen[0])
    if option is None:
        return GradedAnswer(0.0, "unreadable")
    if chosen[0] in key["right"]:
        return GradedAnswer(float(key["points"]), "right")
    return GradedAnswer(0.0, option.get("code") or "wrong", option.get("because") or "")


def order_by_seed(values: Sequence[_T], *seed: str) -> list[_T]:
    """`values` in an order that `seed` alone decides."""

    def place(index: int) -> bytes:
        return hashlib.sha256("\0".join((*seed, str(index))).encode()).digest()

    return [values[index] for index in sorted(range(len(values)), key=place)]


def format_letter(index: int) -> str:
    """A for 0. Raises ContentError beyond Z."""
    if index >= MOST_OPTIONS:
        raise ContentError(f"more than {MOST_OPTIONS} options")
    return ascii_uppercase[index]
