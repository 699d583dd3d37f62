"""The file of the tree of causes: what 100 % may be, and the nodes below it.

In:  `causes.yaml`.
Out: `Causes`: wholes and nodes, each parent before its children. ContentError names what is faulty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import field, structs

from perfolio.common.content_files import until_edited
from perfolio.common.errors import ContentError
from perfolio.findings.model.change_effect import Where
from perfolio.findings.model.content_entries import read_file
from perfolio.findings.model.rule import Conditions, Entry, Wordings

FILE = Path(__file__).parent / "causes.yaml"
ROOT = "run"


class Bar(Entry, frozen=True, kw_only=True):
    """How the summary divides a whole."""

    title: Wordings
    of: Wordings
    """What 100 % is."""
    table: str
    name: str
    """The column that names a part."""


class Whole(Entry, frozen=True, kw_only=True):
    """A time or cost that every share of a tree may be a share of."""

    key: str
    when: Conditions
    amount: str
    unit: str
    of: Wordings
    less: str = ""
    """A formula: what is no part of it, where that is measured."""
    bar: Bar


class Places(Entry, frozen=True, kw_only=True):
    """A table that shows where something is seen, its columns, and the one that orders it."""

    metric: str
    columns: tuple[str, ...]
    order: str = ""
    when: Conditions = Conditions()


class Unknown(Entry, frozen=True, kw_only=True):
    """What cannot be told of a node, and a metric whose command would collect it."""

    says: str
    collect: str
    """A metric: its command is of the vendor of the run's GPU."""


class Node(Entry, frozen=True, kw_only=True):
    """A cause, as causes.yaml describes it."""

    key: str
    parent: str = ""
    title: Wordings
    says: Wordings
    amount: Mapping[str, Wordings] = field(default_factory=dict)
    """Formulas by whole, the best one first."""
    most: Mapping[str, str] = field(default_factory=dict)
    """Formulas by whole of the upper end of an amount that is sampled."""
    when: Conditions = Conditions()
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


class Causes(Entry, frozen=True, kw_only=True):
    """What the file holds."""

    wholes: tuple[Whole, ...]
    nodes: tuple[Node, ...]


@until_edited(FILE)
def load_causes(path: Path) -> Causes:
    """The wholes and the nodes of the file. ContentError where one is faulty."""
    found = read_file(path, Causes)
    seen: set[str] = set()
    for node in found.nodes:
        is_root = node.key == ROOT and not seen
        if node.key in seen or not (is_root or node.parent in seen):
            raise ContentError(
                f"{path}: node {node.key}: twice, or its parent does not stand before it"
            )
        seen.add(node.key)
    return structs.replace(found, nodes=tuple(_within_parents(found.nodes)))


def _within_parents(nodes: Iterable[Node]) -> Iterator[Node]:
    """Nodes with the cells that are those of their parents, too."""
    cells: dict[str, Where | None] = {}
    for node in nodes:
        own, above = node.cells, cells.get(node.parent)
        cells[node.key] = own & above if own and above else own
        yield structs.replace(node, cells=cells[node.key])
