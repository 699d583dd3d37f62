"""The file of the tree of causes: what 100 % may be, and the nodes below it.

In:  `causes.yaml`.
Out: `CauseFile`: wholes and nodes, each parent before its children. ContentError names what is
     faulty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import field, structs

from perfolio.common.content_files import reload_when_edited
from perfolio.common.errors import ContentError
from perfolio.findings.model.change_effect import CellFilter
from perfolio.findings.model.content_entries import read_file
from perfolio.findings.model.rule import Conditions, ContentEntry, Wordings

FILE = Path(__file__).parent / "causes.yaml"
ROOT = "run"


class WholeBar(ContentEntry, frozen=True, kw_only=True):
    """How the summary divides a whole."""

    title: Wordings
    of: Wordings
    """What 100 % is."""
    table: str
    name: str
    """The column that names a part."""


class WholeEntry(ContentEntry, frozen=True, kw_only=True):
    """A time or cost that every share of a tree may be a share of."""

    key: str
    when: Conditions
    amount: str
    unit: str
    of: Wordings
    less: str = ""
    """A formula: what is no part of it, where that is measured."""
    bar: WholeBar


class PlacesTable(ContentEntry, frozen=True, kw_only=True):
    """A table that shows where something is seen, its columns, and the one that orders it."""

    metric: str
    columns: tuple[str, ...]
    order: str = ""
    when: Conditions = Conditions()


class UnknownPart(ContentEntry, frozen=True, kw_only=True):
    """What cannot be told of a node, and a metric whose command would collect it."""

    says: str
    collect: str
    """A metric: its command is of the vendor of the run's GPU."""


class CauseNode(ContentEntry, frozen=True, kw_only=True):
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
    places: tuple[PlacesTable, ...] = ()
    unknown: Mapping[str, UnknownPart] = field(default_factory=dict)
    view: bool = False
    rest: bool = False
    same: bool = False
    at_least: bool = False
    """Whether its amount is a lower bound, so that its siblings leave at most the rest."""
    outside: bool = False
    """Whether it concerns time on the clock and no part of a whole of costs."""
    cells: CellFilter | None = None
    """Where it is in the ledger; None of a view, and of what the ledger does not tell."""


class CauseFile(ContentEntry, frozen=True, kw_only=True):
    """What the file holds."""

    wholes: tuple[WholeEntry, ...]
    nodes: tuple[CauseNode, ...]


@reload_when_edited(FILE)
def load_causes(path: Path) -> CauseFile:
    """The wholes and the nodes of the file. ContentError where one is faulty."""
    found = read_file(path, CauseFile)
    seen: set[str] = set()
    for node in found.nodes:
        is_root = node.key == ROOT and not seen
        if node.key in seen or not (is_root or node.parent in seen):
            raise ContentError(
                f"{path}: node {node.key}: twice, or its parent does not stand before it"
            )
        seen.add(node.key)
    return structs.replace(found, nodes=tuple(_limit_to_parents(found.nodes)))


def _limit_to_parents(nodes: Iterable[CauseNode]) -> Iterator[CauseNode]:
    """Nodes with the cells that are those of their parents, too."""
    cells: dict[str, CellFilter | None] = {}
    for node in nodes:
        own, above = node.cells, cells.get(node.parent)
        cells[node.key] = own & above if own and above else own
        yield structs.replace(node, cells=cells[node.key])
