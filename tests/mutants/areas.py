"""What is mutated, and which tests concern it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from perfolio.metrics.catalog import load_files
from tests.mutants.changes import Change, Mutator, python_changes, query_changes, rule_changes

_MUTATORS: dict[str, Mutator] = {
    ".sql": query_changes,
    ".py": python_changes,
    ".md": rule_changes,
}


@dataclass(frozen=True)
class Area:
    """Files of one kind, and the tests that should notice a change of them."""

    name: str
    share: int
    """How many mutants of all, as a weight."""
    patterns: tuple[str, ...]
    tests: Callable[[Sequence[Path]], list[str]]
    """Arguments of pytest, by the files that are changed; tests that fail soonest first."""


@dataclass(frozen=True)
class Mutant:
    """One change of one file, by its path in the tree."""

    area: Area
    path: Path
    change: Change


def _own_cases(paths: Sequence[Path]) -> list[str]:
    asked = {path.parts[-2:] for path in paths}
    metrics = [f"[{name}" for name, path in load_files().items() if path.parts[-2:] in asked]
    names = [f"test_metric{name}: or rows{name}] or said{name}]" for name in metrics]
    return ["tests/metrics/test_cases.py", "-k", " or ".join(names)]


def _findings(_paths: Sequence[Path]) -> list[str]:
    first = ["test_rules", "test_evaluate", "test_verdict", "test_causes"]
    return [*(f"tests/findings/{name}.py" for name in first), "tests/findings", "-m", "not real"]


def _readers(_paths: Sequence[Path]) -> list[str]:
    derived = "--deselect=tests/store/test_derived_tables.py"  # reads no file of a profile
    past = [f"tests/regressions/test_{name}.py" for name in ("costly_inputs", "damaged_databases")]
    return ["tests/readers", *past, "tests/store", derived, "-m", "not real"]


_FINDINGS = "generator/perfolio/findings"
AREAS = (
    Area("metrics", 59, ("generator/perfolio/metrics/*/*.sql",), _own_cases),
    Area("findings", 23, (f"{_FINDINGS}/*.py", f"{_FINDINGS}/rules/*.md"), _findings),
    Area("readers", 9, ("generator/perfolio/readers/hpctoolkit/*.py",), _readers),
)


def drawn(tree: Path, count: int, seed: int, areas: tuple[Area, ...] = AREAS) -> list[Mutant]:
    """So many mutants of the files of a tree, each of another file while there are more."""
    whole = sum(area.share for area in areas)
    return [
        mutant
        for area in areas
        for mutant in _of_area(tree, area, round(count * area.share / whole), seed)
    ]


def _of_area(tree: Path, area: Area, count: int, seed: int) -> Iterator[Mutant]:
    random = Random(f"{seed} {area.name}")
    paths = sorted(path for pattern in area.patterns for path in tree.glob(pattern))
    found = {path: _by_kind(path) for path in paths}
    mutable = [path for path in paths if found[path]]
    order: list[Path] = []
    for _ in range(count):
        order = order or random.sample(mutable, len(mutable))
        path = order.pop()
        kinds = found[path]
        change = random.choice(kinds[random.choice(sorted(kinds))])
        yield Mutant(area, path.relative_to(tree), change)


def _by_kind(path: Path) -> dict[str, list[Change]]:
    """Its changes by kind: each kind has the same chance, however often it can be made."""
    kinds: dict[str, list[Change]] = {}
    for change in _MUTATORS[path.suffix](path.read_text("utf-8")):
        kinds.setdefault(change.kind, []).append(change)
    return kinds
