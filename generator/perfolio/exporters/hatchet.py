"""A GraphFrame of Hatchet of any run, whatever tool recorded it.

Nodes are the calling contexts of all entry points, numbered as in the profile. A column without
`(inc)` holds what arises at the node itself, so that its sum over nodes is the run's total; one
with `(inc)` holds all below. `time` is the run's CPU or elapsed time, in seconds; other measures
have their names.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from perfolio.common.errors import UsageError
from perfolio.common.extra_packages import make_install_command
from perfolio.exporters.call_tree import CallTree, read_call_tree

if TYPE_CHECKING:  # takes a second, and is an extra
    from hatchet import GraphFrame

TIME = "time"
INCLUSIVE = " (inc)"
OF_FUNCTION = " (function)"
"""What a function costs with its loops and lines, as Hatchet's own reader has it as exclusive."""
_TIMES = ("cpu_time", "elapsed_time")
_ENDINGS = {"own": "", "function": OF_FUNCTION, "execution": INCLUSIVE}


class MissingHatchetError(UsageError):
    """There is no Hatchet here."""


def graphframe(store: Path, run: str | None = None, *, by_thread: bool = False) -> GraphFrame:
    """The GraphFrame of a run; with `by_thread`, with rows for each rank and thread."""
    return build_graphframe(
        read_call_tree(Path(store), run, by_thread=by_thread), by_thread=by_thread
    )


def make_document(store: Path, run: str | None = None) -> dict[str, Any]:
    """What `GraphFrame.from_json` reads as that GraphFrame: it takes no Hatchet to write."""
    tree = read_call_tree(Path(store), run)
    rows, names = _make_rows(tree, by_thread=False)
    exclusive, inclusive = _split_columns(names)
    return {
        "graph": _make_graphs(tree),
        "dataframe": [{"node": context, **row} for (context, _), row in rows.items()],
        "dataframe_indices": ["node"],
        "exclusive_metrics": exclusive,
        "inclusive_metrics": inclusive,
    }


def build_graphframe(tree: CallTree, *, by_thread: bool = False) -> GraphFrame:
    """The GraphFrame of a call tree. Raises MissingHatchetError."""
    modules = _import_hatchet()
    nodes, roots = _make_nodes(tree, modules)
    rows, names = _make_rows(tree, by_thread=by_thread)
    data = [
        {"node": nodes[context], **({"profile": profile} if by_thread else {}), **row}
        for (context, profile), row in rows.items()
    ]
    index = ["node", "rank", "thread", "profile"] if by_thread else ["node"]
    frame = modules["pd"].DataFrame(data).set_index(index)
    exclusive, inclusive = _split_columns(names)
    metadata = {"run": tree.run, "tool": tree.tool, "title": tree.title, "totals": tree.totals}
    default = f"{TIME}{INCLUSIVE}" if f"{TIME}{INCLUSIVE}" in inclusive else inclusive[0]
    graph_frame: GraphFrame = modules["GraphFrame"](
        modules["Graph"](roots), frame, exclusive, inclusive, default, metadata=metadata
    )
    return graph_frame


def _import_hatchet() -> dict[str, Any]:
    try:
        import pandas as pd
        from hatchet import GraphFrame
        from hatchet.frame import Frame
        from hatchet.graph import Graph
        from hatchet.node import Node
    except ImportError as problem:
        raise MissingHatchetError(
            "a GraphFrame needs Hatchet", hint=make_install_command("hatchet")
        ) from problem
    return {"pd": pd, "GraphFrame": GraphFrame, "Frame": Frame, "Graph": Graph, "Node": Node}


def _make_nodes(tree: CallTree, modules: dict[str, Any]) -> tuple[dict[int, Any], list[Any]]:
    """Nodes by context, and those of entry points."""
    nodes: dict[int, Any] = {}
    roots = []
    for each in tree.nodes:
        parent = nodes.get(each.parent)
        frame = modules["Frame"]({"name": each.name, "type": each.kind})
        depth = 0 if parent is None else parent._depth + 1  # noqa: SLF001 - as Hatchet's readers do
        node = modules["Node"](frame, parent=parent, hnid=each.context, depth=depth)
        nodes[each.context] = node
        if parent is None:
            roots.append(node)
        else:
            parent.add_child(node)
    return nodes, roots


def _make_graphs(tree: CallTree) -> list[dict[str, Any]]:
    """A graph for each entry point: of each context its frame, and the contexts below it."""
    graphs: dict[int, dict[str, Any]] = {}
    above: dict[int, int] = {}
    for each in tree.nodes:
        root = above.get(each.parent, each.context)
        above[each.context] = root
        own: dict[str, Any] = {"data": {"name": each.name, "type": each.kind}, "children": []}
        graph = graphs.setdefault(root, {})
        graph[str(each.context)] = own
        if root != each.context:
            graph[str(each.parent)]["children"].append(each.context)
    return list(graphs.values())


def _make_rows(
    tree: CallTree, *, by_thread: bool
) -> tuple[dict[tuple[int, int], dict[str, Any]], list[str]]:
    """A row for each context, or for each context of each thread that has a cost there."""
    by_context: dict[tuple[int, int], dict[str, Any]] = {}
    if not by_thread:
        by_context = {(each.context, 0): {} for each in tree.nodes}
    names: dict[str, None] = {}
    for amount in tree.amounts:
        row = by_context.setdefault((amount.context, amount.profile), {})
        name = _name_measure(tree, amount.measure) + _ENDINGS[amount.scope]
        names[name] = None
        row[name] = amount.value
        if by_thread:
            row["rank"], row["thread"] = amount.rank or 0, amount.thread or 0
    about = {
        each.context: {
            "name": each.name,
            "type": each.kind,
            "file": each.file,
            "line": each.line,
            "module": each.module,
        }
        for each in tree.nodes
    }
    nothing = dict.fromkeys(names, 0.0)
    rows = {key: {**about[key[0]], **nothing, **row} for key, row in by_context.items()}
    return rows, list(names)


def _split_columns(names: list[str]) -> tuple[list[str], list[str]]:
    """Columns that add up to the total, and columns that hold all below."""
    exclusive = [name for name in names if not name.endswith((INCLUSIVE, OF_FUNCTION))]
    return exclusive, [name for name in names if name.endswith(INCLUSIVE)]


def _name_measure(tree: CallTree, measure: str) -> str:
    """What Hatchet calls a measure: the time of host threads is `time`."""
    return TIME if measure == tree.host and measure in _TIMES else measure
