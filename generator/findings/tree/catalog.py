"""The file of the tree of causes: what 100 % may be, and the nodes below it.

In:  `causes.yaml`.
Out: `Whole`s and `Node`s, each parent before its children. ContentError names what is faulty.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from generator.content import load_yaml, until_edited
from generator.errors import ContentError
from generator.findings.terms.conditions import conditions_of, parse_condition
from generator.findings.terms.effect import Where
from generator.findings.terms.model import Condition

FILE = Path(__file__).parent / "causes.yaml"
ROOT = "run"
_KEYS = frozenset(
    {"key", "parent", "when", "title", "says", "amount", "places", "unknown", "view", "rest"}
    | {"same", "most", "at_least", "outside", "cells"}
)


@dataclass(frozen=True)
class Whole:
    """A time or cost that every share of a tree may be a share of."""

    key: str
    when: Condition
    amount: str
    unit: str
    of: tuple[str, ...]
    less: str = ""
    """A formula: what is no part of it, where that is measured."""


@dataclass(frozen=True)
class Words:
    """A text with fields, and what must hold for it."""

    text: str
    when: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class Places:
    """A table that shows where something is seen, its columns, and the one that orders it."""

    metric: str
    columns: tuple[str, ...]
    order: str = ""
    when: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class Unknown:
    """What cannot be told of a node, and a metric whose command would collect it."""

    says: str
    collect: str
    """A metric: its command is of the vendor of the run's GPU."""


@dataclass(frozen=True)
class Node:
    """A cause, as causes.yaml describes it."""

    key: str
    parent: str
    title: tuple[Words, ...]
    says: tuple[Words, ...]
    amounts: Mapping[str, tuple[Words, ...]] = field(default_factory=dict)
    """Formulas by whole, the best one first."""
    most: Mapping[str, str] = field(default_factory=dict)
    """Formulas by whole of the upper end of an amount that is sampled."""
    when: tuple[Condition, ...] = ()
    places: tuple[Places, ...] = ()
    unknown: Mapping[str, Unknown] = field(default_factory=dict)
    view: bool = False
    rest: bool = False
    same: bool = False
    at_least: bool = False
    """Whether its amount is a lower bound, so that its siblings leave at most the rest."""
    outside: bool = False
    """Whether it concerns time on the clock and no part of a whole of costs."""
    cells: Where | None = None
    """Where it is in the ledger; None of a view, and of what the ledger does not tell."""


@until_edited(FILE)
def load_causes(path: Path) -> tuple[tuple[Whole, ...], tuple[Node, ...]]:
    """The wholes and the nodes of the file. ContentError where one is faulty."""
    try:
        page: Any = load_yaml(path.read_text(encoding="utf-8"))
        wholes = tuple(_whole(entry) for entry in page["wholes"])
        nodes = tuple(_node(entry) for entry in page["nodes"])
        _check(nodes)
        nodes = _within_parents(nodes)
    except (yaml.YAMLError, KeyError, TypeError, AttributeError, ContentError) as error:
        raise ContentError(f"{path}: {error}") from error
    return wholes, nodes


def _within_parents(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Nodes with the cells that are those of their parents, too."""
    found: dict[str, Node] = {}
    for node in nodes:
        above = found.get(node.parent)
        cells = above.cells if above and above.cells and node.cells else None
        found[node.key] = replace(node, cells=node.cells & cells) if node.cells and cells else node
    return tuple(found.values())


def _check(nodes: tuple[Node, ...]) -> None:
    seen: set[str] = set()
    for node in nodes:
        is_root = node.key == ROOT and not seen
        if node.key in seen or not (is_root or node.parent in seen):
            raise ContentError(f"node {node.key}: twice, or its parent does not stand before it")
        seen.add(node.key)


def _whole(entry: Mapping[str, Any]) -> Whole:
    return Whole(
        key=entry["key"],
        when=parse_condition(entry["when"]),
        amount=entry["amount"],
        unit=entry["unit"],
        of=tuple(entry["of"]),
        less=entry.get("less", ""),
    )


def _node(entry: Mapping[str, Any]) -> Node:
    if unknown := sorted(set(entry) - _KEYS):
        raise ContentError(f"node {entry['key']}: unknown {unknown}")
    return Node(
        key=entry["key"],
        parent=entry.get("parent", ""),
        title=tuple(_words(text) for text in entry["title"]),
        says=tuple(_words(text) for text in entry["says"]),
        amounts={
            whole: tuple(_words(formula) for formula in listed)
            for whole, listed in entry.get("amount", {}).items()
        },
        most=dict(entry.get("most", {})),
        when=conditions_of(entry),
        places=tuple(_places(each) for each in entry.get("places", ())),
        unknown={whole: Unknown(**each) for whole, each in entry.get("unknown", {}).items()},
        view=bool(entry.get("view", False)),
        rest=bool(entry.get("rest", False)),
        same=bool(entry.get("same", False)),
        at_least=bool(entry.get("at_least", False)),
        outside=bool(entry.get("outside", False)),
        cells=_cells(entry["cells"]) if "cells" in entry else None,
    )


def _cells(entry: Mapping[str, Any]) -> Where:
    return Where(**{column: frozenset(texts) for column, texts in entry.items()})


def _words(entry: str | Mapping[str, Any]) -> Words:
    if isinstance(entry, str):
        return Words(" ".join(entry.split()))
    return Words(" ".join(entry["say"].split()), conditions_of(entry))


def _places(entry: Mapping[str, Any]) -> Places:
    columns, order = tuple(entry["columns"]), entry.get("order", "")
    return Places(entry["metric"], columns, order, conditions_of(entry))
