"""Draws mutants, tries each, and prints which survived: see the package."""

from __future__ import annotations

import argparse
import difflib
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from tests.mutants.areas import AREAS, Area, Mutant, drawn
from tests.mutants.trees import changed, copied, failing

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Exit code 1 where the tests fail without a mutation: they would kill each mutant."""
    arguments = _arguments()
    areas = tuple(area for area in AREAS if area.name in arguments.area)
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        tree = copied(arguments.tree, Path(folder))
        mutants = drawn(tree, arguments.count, arguments.seed, areas)
        if problem := _unmutated(tree, mutants):
            print(f"The tests fail without any mutation: {problem}")
            return 1
        survivors = [mutant for mutant in mutants if not _killed(tree, mutant)]
        for mutant in survivors:
            print(_difference(tree, mutant))
    print(_table(mutants, survivors))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("--count", type=int, default=91, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1, help="another one draws others")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout to copy")
    names = [area.name for area in AREAS]
    parser.add_argument("--area", action="append", choices=names, help="only this one; repeatable")
    arguments = parser.parse_args()
    arguments.area = arguments.area or names
    return arguments


def _unmutated(tree: Path, mutants: Sequence[Mutant]) -> str:
    """The first failure of the tests that will run, without a mutation."""
    paths: dict[Area, list[Path]] = defaultdict(list)
    for mutant in mutants:
        paths[mutant.area].append(mutant.path)
    return next(filter(None, (failing(tree, area.tests(paths[area])) for area in paths)), "")


def _killed(tree: Path, mutant: Mutant) -> bool:
    path = tree / mutant.path
    with changed(path, mutant.change):
        failure = failing(tree, mutant.area.tests([path]))
    line = path.read_text("utf-8").count("\n", 0, mutant.change.start) + 1
    told = f"killed by {failure}" if failure else "SURVIVED"
    print(f"{mutant.path}:{line}: {mutant.change.kind}: {told}", flush=True)
    return bool(failure)


def _difference(tree: Path, mutant: Mutant) -> str:
    text = (tree / mutant.path).read_text("utf-8")
    name = str(mutant.path)
    lines = difflib.unified_diff(
        text.splitlines(), mutant.change.applied(text).splitlines(), name, name, n=2, lineterm=""
    )
    return "\n".join(["", *lines])


def _table(mutants: Sequence[Mutant], survivors: Sequence[Mutant]) -> str:
    tried = Counter(mutant.area.name for mutant in mutants)
    survived = Counter(mutant.area.name for mutant in survivors)
    rows = [f"{name:10}{tried[name] - survived[name]:>8}{tried[name]:>8}" for name in tried]
    return "\n".join(["", f"{'area':10}{'killed':>8}{'of':>8}", *rows])


if __name__ == "__main__":
    sys.exit(main())
