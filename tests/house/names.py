"""How names read: functions, classes and modules of the package, from the syntax trees alone."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

VERBS = frozenset((Path(__file__).with_name("verbs.txt")).read_text("utf-8").split())
"""What a function may begin with."""
DOORS = frozenset({"model", "reader", "catalog", "document_format"})
"""Names that modules of several packages may have: what each package has, under one name."""


class Names(NamedTuple):
    """Names of a tree, without underscores before them."""

    functions: list[str]
    """Without properties and methods of Python itself (`__len__`)."""
    classes: list[str]
    modules: list[str]


@cache
def names_of(package: Path) -> Names:
    """All names below a folder."""
    found = Names([], [], [])
    for path in sorted(package.rglob("*.py")):
        if path.stem not in {"__init__", "__main__", *DOORS}:
            found.modules.append(path.stem)
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                if not node.name.startswith("__") and not _is_property(node):
                    found.functions.append(node.name.strip("_"))
            elif isinstance(node, ast.ClassDef):
                found.classes.append(node.name.strip("_"))
    return found


def _is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    marks = {getattr(one, "id", getattr(one, "attr", "")) for one in node.decorator_list}
    return bool(marks & {"property", "cached_property"})


def share(names: Sequence[str], chosen: Iterable[str]) -> float:
    """The share of names that are chosen, in per cent."""
    return 100 * sum(1 for _ in chosen) / max(len(names), 1)


def one_word_functions(package: Path) -> float:
    """Functions whose name is one word [%]."""
    names = names_of(package).functions
    return share(names, (one for one in names if "_" not in one))


def verb_first_functions(package: Path) -> float:
    """Functions whose name begins with a verb [%]."""
    names = names_of(package).functions
    return share(names, (one for one in names if one.split("_")[0] in VERBS))


def one_word_classes(package: Path) -> float:
    """Classes whose name is one word [%]."""
    names = names_of(package).classes
    return share(names, (one for one in names if not re.search("[a-z][A-Z]", one)))


def ambiguous_classes(package: Path) -> float:
    """Classes whose name another one has, too [%]."""
    return _repeated(names_of(package).classes)


def ambiguous_modules(package: Path) -> float:
    """Modules whose name another one has, too, but for those that each package may have [%]."""
    return _repeated(names_of(package).modules)


def _repeated(names: Sequence[str]) -> float:
    often = Counter(names)
    return share(names, (one for one in names if often[one] > 1))
