"""How far the variants of an exercise lie apart: numbers of their keys, letters, classes.

In:  sheets of one exercise, in the order of their variants. Out: `VariantSpread`, and problems.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from perfolio.exercises.model import Sheet

ALIKE = 5
"""Of so many numbers of two neighbours one may be the same, else one helps the other: none of two,
one of three to seven."""
_APART = 2.0
"""Numbers differ where they lie further from each other than so many tolerances."""

Numbers = Mapping[str, tuple[float, float]]
"""Values with their tolerances, by item."""


@dataclass(frozen=True)
class VariantSpread:
    """What variants have in common, and what not."""

    variants: int
    least: float
    """The smallest share of numbers that differ between two neighbours."""
    mean: float
    """The mean share over any two variants."""
    alike: tuple[str, ...]
    """Items whose numbers differ between fewer than half of all pairs."""
    letters: Mapping[str, Mapping[str, int]]
    """How often each letter is right, by item: of `choice` and `bins`."""
    edges: Mapping[str, int]
    """How many variants lie so near an edge that both classes are right, by item."""


def compute_spread(sheets: Sequence[Sheet]) -> VariantSpread:
    """The spread of at least two variants."""
    numbers = [list_numbers(sheet) for sheet in sheets]
    shares = [compute_differing_share(*pair) for pair in pairwise(numbers)]
    pairs = list(combinations(numbers, 2))
    met = Counter(
        name for pair in pairs for name, differs in _compare_numbers(*pair).items() if differs
    )
    every = dict.fromkeys(name for each in numbers for name in each)
    return VariantSpread(
        variants=len(sheets),
        least=min(shares),
        mean=sum(compute_differing_share(*pair) for pair in pairs) / len(pairs),
        alike=tuple(name for name in every if met[name] < len(pairs) / 2),
        letters=_count_letters(sheets),
        edges=_count_edges(sheets),
    )


def find_variant_problems(sheets: Sequence[Sheet]) -> Iterator[str]:
    """What makes variants useless: questions that are not asked, numbers that do not differ."""
    for sheet in sheets:
        for each in sheet.questions:
            if each.gap is not None and each.item.points:
                yield f"{each.item.where}: not asked in variant {sheet.variant}: {each.gap.reason}"
    for one, other in pairwise(sheets):
        differing = _compare_numbers(list_numbers(one), list_numbers(other))
        same = [name for name, differs in differing.items() if not differs]
        if len(same) > round(len(differing) / ALIKE):
            yield (
                f"{one.exercise.path}: {len(same)} of {len(differing)} numbers of variants "
                f"{one.variant} and {other.variant} are the same: {', '.join(same)}"
            )


def list_numbers(sheet: Sheet) -> Numbers:
    """The first right value of each number, and of each number of a table, with its tolerance."""
    numbers = {}
    for each in sheet.answerable:
        key = each.keyed.key if each.keyed else {}
        cells = [key] if "accept" in key else key.get("cells", [])
        for place, cell in enumerate(cells):
            right = cell["accept"][0]
            name = each.item.id if "accept" in key else f"{each.item.id}.{place + 1}"
            numbers[name] = right["value"], (right["high"] - right["low"]) / 2.0
    return numbers


def compute_differing_share(one: Numbers, other: Numbers) -> float:
    """The share of the numbers of two sheets that differ; 1 where neither asks for any."""
    differing = _compare_numbers(one, other)
    return sum(differing.values()) / len(differing) if differing else 1.0


def _compare_numbers(one: Numbers, other: Numbers) -> dict[str, bool]:
    return {
        name: abs(one[name][0] - other[name][0]) > _APART * max(one[name][1], other[name][1])
        for name in one
        if name in other
    }


def _count_letters(sheets: Sequence[Sheet]) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = {}
    for item, right in _list_right_letters(sheets, "choice", "bins"):
        counts.setdefault(item, Counter()).update(right)
    return counts


def _count_edges(sheets: Sequence[Sheet]) -> Counter[str]:
    return Counter(item for item, right in _list_right_letters(sheets, "bins") if len(right) > 1)


def _list_right_letters(sheets: Sequence[Sheet], *types: str) -> Iterator[tuple[str, list[str]]]:
    """The right letters of items of these types, sheet by sheet."""
    for sheet in sheets:
        for each in sheet.answerable:
            if each.item.type in types and each.keyed:
                yield each.item.id, each.keyed.key["right"]
