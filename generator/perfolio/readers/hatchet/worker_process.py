"""The process beside: `perfolio.readers.hatchet.worker` runs this file, which imports Hatchet.

In:  the name of a form, a file or folder that was checked, a folder for the results, and bounds of
     memory [B] and processor time [s].
Out: `places.arrow`, `amounts.arrow`, `edges.arrow` and `told.json` in the folder.

It knows nothing of the rest of Perfolio. What fails ends it, with the reason on standard error.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

RECURSION = 6_000
"""Calls of Python within each other: Hatchet takes several for each level of a tree."""
NO_CONTEXT = -1
"""The place of records of Caliper that are in no region."""


def main() -> None:
    """Read with Hatchet, and write what it gives as tables of Arrow."""
    form, path, folder, memory, seconds = sys.argv[1:6]
    resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.setrecursionlimit(RECURSION)
    from hatchet import GraphFrame

    frame, told, edges = _READERS[form](GraphFrame, path)
    _write_results(frame, told, edges, Path(folder))


def _read_cali(frame: Any, path: str) -> tuple[Any, dict[str, Any], list[Any]]:
    """Caliper's records, with units of its attributes, and what is in no region."""
    import caliperreader

    _show_counts(caliperreader.metadatadb.Attribute)
    reader = caliperreader.CaliperReader()
    reader.read(path)
    found = frame.from_caliperreader(reader, native=True)
    outside: dict[str, dict[str, float]] = {}
    for record in reader.records:
        if "path" in record:
            continue
        rank = str(record.get("mpi.rank", ""))
        for name, value in record.items():
            if reader.attribute(name).is_value() and name != "mpi.rank":
                sums = outside.setdefault(rank, {})
                sums[name] = sums.get(name, 0.0) + float(value)
    units = {}
    for name in reader.attributes():
        attribute = reader.attribute(name)
        unit = attribute.get("time.unit") or attribute.get("attribute.unit")
        if unit:
            units[name] = str(unit)
    known = {key: str(value) for key, value in reader.globals.items()}
    return found, {"outside": outside, "units": units, "globals": known}, []


def _show_counts(attribute: Any) -> None:
    """Show what Caliper hides of a mean: the sum, and of how many it is."""
    is_hidden = attribute.is_hidden
    attribute.is_hidden = lambda self: (
        is_hidden(self) and not self.name().startswith(("avg.sum#", "avg.count#"))
    )


def _read_timemory(frame: Any, path: str) -> tuple[Any, dict[str, Any], list[Any]]:
    with Path(path).open(encoding="utf-8") as file:
        document = json.load(file)
    units = {
        str(each.get("properties", {}).get("id", name)).lower(): each.get("unit_repr")
        for name, each in document["timemory"].items()
    }
    return frame.from_timemory(path), {"units": units}, []


def _read_cprofile(frame: Any, path: str) -> tuple[Any, dict[str, Any], list[Any]]:
    """Functions as Hatchet has them, with the time of each call, which it leaves out."""
    import pstats

    edges = [
        (caller, called, float(times[3]))
        for called, stats in pstats.Stats(path).stats.items()  # type: ignore[attr-defined]
        for caller, times in stats[4].items()
    ]
    found = frame.from_cprofile(path)
    data = found.dataframe
    keys = zip(data["file"], data["line"], data["name"], strict=True)
    nodes = dict(zip(keys, data.index, strict=True))
    return found, {}, [(nodes[a], nodes[b], w) for a, b, w in edges if a in nodes and b in nodes]


def _read_dot(frame: Any, path: str) -> tuple[Any, dict[str, Any], list[Any]]:
    """Functions as Hatchet has them, with the share of each call, which it leaves out."""
    import pydot

    found = frame.from_gprof_dot(path)
    nodes = {node.frame["name"]: node for node in found.graph.traverse()}
    edges = []
    for graph in pydot.graph_from_dot_file(path, encoding="utf-8") or []:
        for edge in graph.get_edges():
            share = str(edge.get("label") or "").strip('"').split("%")[0]
            ends = [
                nodes[str(each).strip('"')] for each in (edge.get_source(), edge.get_destination())
            ]
            edges.append((*ends, float(share or 0.0)))
    return found, {}, edges


_READERS: dict[str, Callable[[Any, str], tuple[Any, dict[str, Any], list[Any]]]] = {
    "DATABASE": lambda frame, path: (frame.from_hpctoolkit(path), {}, []),
    "CALI": _read_cali,
    "TIMEMORY": _read_timemory,
    "CPROFILE": _read_cprofile,
    "PYINSTRUMENT": lambda frame, path: (frame.from_pyinstrument(path), {}, []),
    "TAU": lambda frame, path: (frame.from_tau(path), {}, []),
    "DOT": _read_dot,
}


def _write_results(frame: Any, told: dict[str, Any], edges: list[Any], folder: Path) -> None:
    data = frame.dataframe.reset_index()
    # Hatchet takes a function that calls itself for none of the roots.
    nodes = list(_walk_nodes([*frame.graph.roots, *data["node"]]))
    numbers = {id(node): number for number, node in enumerate(nodes)}
    data["place"] = [numbers.get(id(node), NO_CONTEXT) for node in data["node"]]
    _save_table(_make_places(nodes, data, numbers), folder / "places.arrow")
    metrics = [*frame.exc_metrics, *frame.inc_metrics]
    columns = {"place": pa.array(data["place"], pa.int64())}
    for name in ("rank", "thread"):
        if name in data:
            columns[name] = pa.array(data[name].astype(str), pa.string())
    for name in dict.fromkeys(metrics):
        columns[f"metric {name}"] = pa.array(data[name].astype("float64"), pa.float64())
    _save_table(pa.table(columns), folder / "amounts.arrow")
    called = [(numbers[id(a)], numbers[id(b)], weight) for a, b, weight in edges]
    names = ("caller", "called", "amount")
    schema = pa.schema([(names[0], pa.int64()), (names[1], pa.int64()), (names[2], pa.float64())])
    rows = [dict(zip(names, each, strict=True)) for each in called]
    _save_table(pa.Table.from_pylist(rows, schema=schema), folder / "edges.arrow")
    (folder / "told.json").write_text(json.dumps(told), "utf-8")


def _walk_nodes(roots: list[Any]) -> Iterator[Any]:
    """All nodes, each once, after the first one that calls it."""
    waiting, seen = list(reversed(roots)), set()
    while waiting:
        node = waiting.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            waiting.extend(reversed(node.children))


def _make_places(nodes: list[Any], data: Any, numbers: dict[int, int]) -> pa.Table:
    """A row for each node, by number, with what its first row says of it."""
    first = data.drop_duplicates("place").set_index("place")
    rows = []
    for node in nodes:
        number = numbers[id(node)]
        row = first.loc[number].to_dict() if number in first.index else {}
        above = [numbers[id(parent)] for parent in node.parents if id(parent) in numbers]
        rows.append(
            {
                "parent": min([each for each in above if each < number], default=-1),
                "kind": str(row.get("type", node.frame.get("type", ""))),
                "name": str(row.get("name", node.frame.get("name", ""))),
                "module": _to_text(row.get("module")),
                "file": _to_text(row.get("file")),
                "line": _parse_line_number(row.get("line")),
            }
        )
    texts = [(name, pa.string()) for name in ("kind", "name", "module", "file")]
    schema = pa.schema([("parent", pa.int64()), *texts, ("line", pa.int64())])
    return pa.Table.from_pylist(rows, schema=schema)


def _to_text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _parse_line_number(value: object) -> int:
    digits = str(value).partition(".")[0]
    return int(digits) if digits.isdigit() else 0


def _save_table(table: pa.Table, path: Path) -> None:
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


if __name__ == "__main__":
    main()
