"""Figures of the house by name, their budgets, and what is wrong with a figure."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.house import names

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "generator" / "perfolio"


@cache
def tracked_files() -> tuple[str, ...]:
    """Paths of the files that git keeps; none where this is no checkout."""
    found = subprocess.run(
        ("git", "-C", str(ROOT), "ls-files", "-z"), capture_output=True, text=True, check=False
    )
    return tuple(filter(None, found.stdout.split("\0")))


@cache
def _settings() -> dict[str, object]:
    found: dict[str, object] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return found


def _contracts() -> list[dict[str, object]]:
    tool = _settings()["tool"]
    assert isinstance(tool, dict)
    return list(tool["importlinter"]["contracts"])


def layers() -> float:
    """Lines of the contract of layers."""
    (contract,) = (one for one in _contracts() if one["type"] == "layers" and one.get("exhaustive"))
    found = contract["layers"]
    assert isinstance(found, list)
    return len(found)


def ignored_imports() -> float:
    """Imports that a contract does not look at."""
    lists = [one.get("ignore_imports", []) for one in _contracts()]
    return sum(len(each) for each in lists if isinstance(each, list))


def top_modules() -> float:
    """Modules that lie loose in the package."""
    return len(list(PACKAGE.glob("*.py")))


def rooms() -> float:
    """Folders of the package."""
    return sum(1 for one in PACKAGE.iterdir() if (one / "__init__.py").is_file())


def files() -> float:
    """Files that git keeps."""
    return len(tracked_files())


def metric_files() -> float:
    """Files of metrics, with the code that evaluates them."""
    return sum(1 for one in tracked_files() if one.startswith("generator/perfolio/metrics/"))


def test_files() -> float:
    """Files of tests."""
    return sum(1 for one in tracked_files() if one.startswith("tests/"))


def doc_words() -> float:
    """Words of all files below docs that git keeps."""
    paths = (ROOT / one for one in tracked_files() if one.startswith("docs/"))
    return sum(len(path.read_text("utf-8", "replace").split()) for path in paths if path.is_file())


def architecture_words() -> float:
    """Words of docs/architecture.md."""
    return len((ROOT / "docs" / "architecture.md").read_text("utf-8").split())


def median_module() -> float:
    """Lines of a module, the median."""
    return median(len(one.read_text("utf-8").splitlines()) for one in PACKAGE.rglob("*.py"))


FIGURES: dict[str, Callable[[], float]] = {
    "layers": layers,
    "ignored imports": ignored_imports,
    "modules at the top": top_modules,
    "rooms": rooms,
    "functions of one word [%]": lambda: names.one_word_functions(PACKAGE),
    "functions that begin with a verb [%]": lambda: names.verb_first_functions(PACKAGE),
    "classes of one word [%]": lambda: names.one_word_classes(PACKAGE),
    "classes with the name of another [%]": lambda: names.ambiguous_classes(PACKAGE),
    "modules with the name of another [%]": lambda: names.ambiguous_modules(PACKAGE),
    "lines of a module, median": median_module,
    "files": files,
    "files of metrics": metric_files,
    "files of tests": test_files,
    "words of docs": doc_words,
    "words of architecture.md": architecture_words,
}

ADDITIONS = {
    "rule": r"generator/(?:perfolio/)?findings/rules/[A-Z]\w*-[^/]*\.md",
    "chart": r"generator/(?:perfolio/)?charts/gallery/\w+\.py",
    "page": r"generator/(?:perfolio/)?pages/templates/.*\.md\.j2",
    "exercise": r"generator/.*(?:worksheets/exercises|exercises/shipped)/.*/exercise\.md",
}
"""What an addition adds: the paths of its file."""


def addition_costs(kind: str, most: int = 10) -> list[int]:
    """Files that each of the last commits touched that added one of a kind, the latest first."""
    command = ("git", "-C", str(ROOT), "log", "--no-renames", "--format=%x01", "--name-status")
    log = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    pattern = re.compile(ADDITIONS[kind])
    found = []
    for commit in log.split("\x01"):
        rows = [line.split("\t") for line in commit.splitlines() if "\t" in line]
        added = [path for state, path in rows if state == "A" and pattern.fullmatch(path)]
        if len(added) == 1:
            found.append(len(rows))
    return found[:most]


FILE = Path(__file__).with_name("budgets.toml")


class Budget(NamedTuple):
    """What a figure may be."""

    limit: float
    target: float
    slack: float
    more: bool
    """Whether more is better."""

    def complaint(self, value: float) -> str:
        """What is wrong with a value; nothing where it keeps a tight budget."""
        worse = self.limit - value if self.more else value - self.limit
        if worse > 0:
            return f"{value:,.1f} is worse than its budget of {self.limit:,.0f}"
        is_done = value >= self.target if self.more else value <= self.target
        if -worse > self.slack and not (is_done and self.limit == self.target):
            return f"{value:,.1f} is far better than {self.limit:,.0f}: tighten {FILE.name}"
        return ""


def load_budgets() -> dict[str, Budget]:
    """The budget of each figure."""
    found = tomllib.loads(FILE.read_text("utf-8"))
    return {
        name: Budget(one["limit"], one["target"], one.get("slack", 0), one.get("more", False))
        for name, one in found.items()
    }
