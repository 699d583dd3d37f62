"""meta.db: properties, identifier names, metrics, strings, modules, files, functions, tree.

Sections stand in the order in which hpcprof writes them. The file is made in memory: its
size is that of the tree and of the names, not that of the values.
"""

from __future__ import annotations

from pathlib import Path

from perfolio.readers.hpctoolkit import format_layouts as lay
from perfolio.writers.hpctoolkit.context_order import Topology
from perfolio.writers.hpctoolkit.context_records import ArrayPointers, pack_context_section
from perfolio.writers.hpctoolkit.format_output import (
    WORD,
    OutputSection,
    Records,
    StringPool,
    align_offset,
    compute_header_size,
    make_records,
    open_output,
    pack_record,
)
from perfolio.writers.hpctoolkit.metric_numbers import MetricNumbering
from perfolio.writers.hpctoolkit.model import SCOPES, Database

NO_DESCRIPTION = "TODO database description"
"""What hpcprof writes where it has nothing to say."""
POINT, EXECUTION, TRANSITIVE, CUSTOM = 1, 2, 3, 0
SCOPE_TYPES = {
    "point": POINT,
    "function": TRANSITIVE,
    "lex_aware": CUSTOM,
    "execution": EXECUTION,
}
FUNCTION_BIT, NO_BIT = 0, 255
"""Bit of a context's `propagation` that scope function follows; the others follow none."""
COMBINE = {name: number for number, name in lay.COMBINE.items()}
KIND = b"meta"


class _MetaBody:
    """The sections as they are appended, each with its place."""

    def __init__(self) -> None:
        self.data = bytearray(compute_header_size(KIND))
        self.sections: dict[str, OutputSection] = {}

    def begin(self) -> int:
        """Where the next section starts."""
        self.data += bytes(align_offset(len(self.data)) - len(self.data))
        return len(self.data)

    def add(self, name: str, data: bytes | bytearray) -> None:
        """Append a section that was made for the place `begin` gave."""
        self.sections[name] = OutputSection(len(self.data), len(data))
        self.data += data


def write_meta(
    path: Path, database: Database, topology: Topology, numbers: MetricNumbering
) -> None:
    """Write meta.db. Raises ValueError for what the format cannot hold."""
    body = _MetaBody()
    body.add("General", _pack_general(database, body.begin()))
    body.add("IdNames", _pack_identifier_names(database.identifier_kinds, body.begin()))
    body.add("Metrics", _pack_metrics(numbers, body.begin()))
    start = body.begin()
    strings = StringPool(start)
    modules, files, functions = _pack_tables(database, strings)
    entries = [strings.place(e.name or lay.ENTRY_POINTS[e.kind]) for e in database.entry_points]
    body.add("Strings", strings.data)
    module_at = _add_table(body, "Modules", lay.MODULE, modules)
    file_at = _add_table(body, "Files", lay.FILE, files)
    for row, function in zip(functions, database.functions, strict=True):
        row["pModule"] = _locate_row(module_at, lay.MODULE, function.module)
        row["pFile"] = _locate_row(file_at, lay.FILE, function.file)
    function_at = _add_table(body, "Functions", lay.FUNCTION, functions)
    pointers = ArrayPointers(function_at, file_at, module_at, entries)
    body.add("Context", pack_context_section(database, topology, pointers, body.begin()))
    with open_output(path, KIND) as out:
        out.append(memoryview(body.data))
        out.align(WORD)
        out.finish([body.sections[name] for name in lay.SECTIONS[KIND]])


def _pack_general(database: Database, start: int) -> bytes:
    strings = StringPool(start + lay.GENERAL.size)
    fields = {
        "pTitle": strings.place(database.title),
        "pDescription": strings.place(database.description or NO_DESCRIPTION),
    }
    return pack_record(lay.GENERAL, fields) + strings.data


def _pack_identifier_names(kinds: tuple[str, ...], start: int) -> bytes:
    if len(kinds) > 255 or len(set(kinds)) != len(kinds):
        raise ValueError("kinds of identifiers are at most 255, each named once")
    head = align_offset(lay.ID_NAMES.size)
    names = start + head
    strings = StringPool(names + WORD * len(kinds))
    array = make_records(lay.POINTER, len(kinds))
    array["p"] = [strings.place(kind) for kind in kinds]
    fields = {"ppNames": names, "nKinds": len(kinds)}
    return pack_record(lay.ID_NAMES, fields, head) + array.tobytes() + strings.data


def _pack_metrics(numbers: MetricNumbering, start: int) -> bytes:
    """Head, scopes, metrics, their scopes, their statistics, and the names of all."""
    metrics = numbers.metrics
    head = align_offset(lay.METRICS.size)
    instances = sum(len(m.scopes) for m in metrics)
    statistics = sum(len(m.scopes) * len(m.statistics) for m in metrics)
    scope_at = start + head
    metric_at = scope_at + len(SCOPES) * lay.SCOPE.size
    instance_at = metric_at + len(metrics) * lay.METRIC.size
    statistic_at = instance_at + instances * lay.SCOPE_INST.size
    strings = StringPool(statistic_at + statistics * lay.SUMMARY.size)
    scopes = make_records(lay.SCOPE, len(SCOPES))
    scopes["pScopeName"] = [strings.place(name) for name in SCOPES]
    scopes["type"] = [SCOPE_TYPES[name] for name in SCOPES]
    scopes["propagationIndex"] = [
        FUNCTION_BIT if SCOPE_TYPES[name] == TRANSITIVE else NO_BIT for name in SCOPES
    ]
    places = {name: scope_at + i * lay.SCOPE.size for i, name in enumerate(SCOPES)}
    rows = make_records(lay.METRIC, len(metrics))
    instance_rows, statistic_rows = bytearray(), bytearray()
    for i, metric in enumerate(metrics):
        rows[i] = (
            strings.place(metric.name),
            instance_at + len(instance_rows),
            statistic_at + len(statistic_rows),
            len(metric.scopes),
            len(metric.scopes) * len(metric.statistics),
        )
        instance_rows += _pack_instances(numbers, i, places)
        statistic_rows += _pack_statistics(numbers, i, places, strings)
    fields = {
        "pMetrics": metric_at,
        "nMetrics": len(metrics),
        "szMetric": lay.METRIC.size,
        "szScopeInst": lay.SCOPE_INST.size,
        "szSummary": lay.SUMMARY.size,
        "pScopes": scope_at,
        "nScopes": len(SCOPES),
        "szScope": lay.SCOPE.size,
    }
    parts = (scopes.tobytes(), rows.tobytes(), instance_rows, statistic_rows, strings.data)
    return pack_record(lay.METRICS, fields, head) + b"".join(parts)


def _pack_instances(numbers: MetricNumbering, metric: int, places: dict[str, int]) -> bytes:
    scopes = numbers.metrics[metric].scopes
    rows = make_records(lay.SCOPE_INST, len(scopes))
    rows["pScope"] = [places[name] for name in scopes]
    rows["propMetricId"] = [numbers.propagated(metric, i) for i in range(len(scopes))]
    return rows.tobytes()


def _pack_statistics(
    numbers: MetricNumbering, metric: int, places: dict[str, int], strings: StringPool
) -> bytes:
    of = numbers.metrics[metric]
    rows = make_records(lay.SUMMARY, len(of.scopes) * len(of.statistics))
    for row, (scope, number) in zip(
        rows,
        ((s, n) for s in range(len(of.scopes)) for n in range(len(of.statistics))),
        strict=True,
    ):
        row["pScope"] = places[of.scopes[scope]]
        row["pFormula"] = strings.place(of.statistics[number].formula)
        row["combine"] = COMBINE[of.statistics[number].combine]
        row["statMetricId"] = numbers.statistic(metric, number, scope)
    return rows.tobytes()


def _pack_tables(database: Database, strings: StringPool) -> tuple[Records, Records, Records]:
    """Modules, files and functions, without the pointers from functions to the others."""
    modules = make_records(lay.MODULE, len(database.modules))
    modules["pPath"] = [strings.place(path) for path in database.modules]
    files = make_records(lay.FILE, len(database.files))
    files["pPath"] = [strings.place(file.path) for file in database.files]
    files["flags"] = [lay.COPIED if file.copied else 0 for file in database.files]
    functions = make_records(lay.FUNCTION, len(database.functions))
    named = database.functions
    functions["pName"] = [strings.place(f.name) if f.name else 0 for f in named]
    functions["offset"] = [f.offset if f.module >= 0 else 0 for f in named]
    functions["line"] = [f.line if f.file >= 0 else 0 for f in named]
    return modules, files, functions


def _add_table(body: _MetaBody, name: str, layout: lay.Layout, rows: Records) -> int:
    """Append a section with an array of structures; returns where the array starts."""
    head = align_offset(lay.MODULES.size)
    array = body.begin() + head
    fields = {"p": array, "n": len(rows), "sz": layout.size}
    body.add(name, pack_record(lay.MODULES, fields, head) + rows.tobytes())
    return array


def _locate_row(array: int, layout: lay.Layout, position: int) -> int:
    """Where the row of this position lies, 0 for none."""
    return array + position * layout.size if position >= 0 else 0
