"""What a variant changes: values drawn by `vary`, put into the `overlay` of a scenario.

In:  an exercise, a seed, and the entries of the scenario of its run. Out: `Draw`s, and changes.
ContentError names the exercise and the entry.

Draws are spread evenly, each far from the one before: learners who sit side by side get answers
that differ, where chance alone would repeat some.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from perfolio.common.errors import ContentError
from perfolio.exercises.model import Exercise

Draw = Mapping[str, Any]
"""Values by name."""
RESET = "reset"
"""Key of a table in an overlay: the value that all entries of the scenario's table get first."""
_MOST = 10_000
_OF_RANGE = 3
"""Two ends, and the step."""
_NAME = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")
_SEEDS = 2**32


def draw_values(exercise: Exercise, count: int, seed: int) -> list[Draw]:
    """The values of `count` variants; the first ones stay when there are more."""
    values = {name: _list_values(exercise, name, choice) for name, choice in exercise.vary.items()}
    steps = dict(zip(values, _compute_strides(len(values)), strict=True))
    return [
        {
            name: _choose_value(
                values[name], _draw_fraction(exercise, seed, name) + n * steps[name]
            )
            for name in values
        }
        for n in range(count)
    ]


def compute_seed(exercise: Exercise, seed: int, variant: str) -> int:
    """The seed of a variant's simulation."""
    return int(_draw_fraction(exercise, seed, variant) * _SEEDS)


def make_overlay(exercise: Exercise, draw: Draw, base: Mapping[str, Any]) -> dict[str, Any]:
    """What is laid over the scenario with the entries `base`."""
    overlay: dict[str, Any] = {}
    for path, entry in exercise.overlay.items():
        at, table, names = overlay, base, str(path).split(".")
        for name in names[:-1]:
            at = at.setdefault(name, {})
            table = _get_table(table, name)
        at[names[-1]] = _fill_overlay(exercise, entry, draw, _get_table(table, names[-1]))
    return overlay


def _get_table(table: object, name: str) -> Mapping[str, Any]:
    inner = table.get(name) if isinstance(table, Mapping) else None
    return inner if isinstance(inner, Mapping) else {}


def _fill_overlay(exercise: Exercise, entry: object, draw: Draw, base: Mapping[str, Any]) -> Any:
    if isinstance(entry, Mapping):
        reset = dict.fromkeys(base, entry[RESET]) if RESET in entry else {}
        return reset | {
            str(_put_drawn(exercise, str(key), draw)): _fill_overlay(
                exercise, value, draw, _get_table(base, str(key))
            )
            for key, value in entry.items()
            if key != RESET
        }
    if isinstance(entry, list):
        return [_fill_overlay(exercise, each, draw, {}) for each in entry]
    return _put_drawn(exercise, entry, draw) if isinstance(entry, str) else entry


def _put_drawn(exercise: Exercise, text: str, draw: Draw) -> Any:
    """A text with what was drawn; the value itself where a name is all of the text."""
    for name in _NAME.findall(text):
        if name not in draw:
            raise ContentError(f"{exercise.path}: overlay: vary draws no {name}")
    alone = _NAME.fullmatch(text.strip())
    return draw[alone[1]] if alone else _NAME.sub(lambda match: str(draw[match[1]]), text)


def _list_values(exercise: Exercise, name: str, choice: object) -> Sequence[Any]:
    """All values that may be drawn under a name."""
    where = f"{exercise.path}: vary {name}"
    if (
        isinstance(choice, Mapping)
        and set(choice) == {"choose"}
        and isinstance(choice["choose"], list)
    ):
        if choice["choose"]:
            return choice["choose"]
    elif isinstance(choice, Mapping) and set(choice) == {"uniform", "step"}:
        return _list_range(where, choice["uniform"], choice["step"])
    raise ContentError(f"{where}: is neither {{choose: [...]}} nor {{uniform: [a, b], step: s}}")


def _list_range(where: str, ends: object, step: object) -> Sequence[float]:
    given = [*ends, step] if isinstance(ends, list) else [step]
    numbers = [each for each in given if isinstance(each, int | float)]
    if len(given) != _OF_RANGE or len(numbers) != _OF_RANGE:
        raise ContentError(f"{where}: uniform has two numbers, and step is one")
    low, high, by = numbers
    if not (low < high and 0 < by <= high - low and (high - low) / by <= _MOST):
        raise ContentError(f"{where}: uniform must rise, by at most {_MOST:,} steps")
    return [
        round(low + n * by, 10)
        for n in range(int((high - low) / by + 1.5))
        if low + n * by <= high + by / 1e6
    ]


def _compute_strides(count: int) -> list[float]:
    """Steps between neighbours that spread points evenly over as many dimensions."""
    ratio = 2.0
    for _ in range(40):
        ratio = (1.0 + ratio) ** (1.0 / (count + 1))
    return [ratio ** -(n + 1) for n in range(count)]


def _choose_value(values: Sequence[Any], place: float) -> Any:
    return values[int(place % 1.0 * len(values)) % len(values)]


def _draw_fraction(exercise: Exercise, seed: int, name: str) -> float:
    """A number from 0 to 1 that seed and name alone decide."""
    text = "\0".join((exercise.slug, str(seed), name)).encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:6]) / 2**48
