"""What a figure is: computed here, and as Perfolio says it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isclose
from typing import Literal

from tests.recordings.product import Documents
from tests.recordings.seen import Seen, Unclear

__all__ = ["Figure", "Unclear", "Value", "alike", "alike_or_nothing", "at_most", "one_of", "scalar"]

Value = float | int | str | None | Mapping[str, float]


def alike(right: Value, said: Value) -> bool:
    """Whether two values are the same but for rounding."""
    if isinstance(right, Mapping) and isinstance(said, Mapping):
        return right.keys() == said.keys() and all(alike(right[key], said[key]) for key in right)
    if isinstance(right, float | int) and isinstance(said, float | int):
        return isclose(right, said, rel_tol=1e-6, abs_tol=2e-10)
    return right == said


def alike_or_nothing(right: Value, said: Value) -> bool:
    """The same, or nothing of it was measured and there is nothing."""
    return alike(right, said) or (said is None and right == 0)


def at_most(right: Value, said: Value) -> bool:
    """Whether what is said is within its bound, or nothing is said."""
    if said is None:
        return True
    return (
        isinstance(right, float | int)
        and isinstance(said, float | int)
        and said <= right * (1 + 1e-6) + 1e-10
    )


def one_of(right: Value, said: Value) -> bool:
    """Whether what is said is one of the words, or pairs of a word and a number, that are right."""
    if isinstance(right, str):
        return str(said) in right.split(" | ")
    return right == said


@dataclass(frozen=True)
class Figure:
    """A figure of a recording; a choice is more than sums of times."""

    name: str
    kind: Literal["sum", "choice", "bound"]
    right: Callable[[Seen], Value]
    """Raises Unclear."""
    said: Callable[[Documents], Value]
    holds: Callable[[Value, Value], bool] = alike


def scalar(
    name: str,
    right: Callable[[Seen], Value],
    kind: Literal["sum", "choice", "bound"] = "sum",
    holds: Callable[[Value, Value], bool] = alike,
) -> Figure:
    """A figure that is a metric of that name."""
    return Figure(name, kind, right, lambda documents: documents.value(name), holds)
