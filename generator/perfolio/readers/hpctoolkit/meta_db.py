"""meta.db without its context tree: title, metrics, modules, files, functions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from perfolio.readers.hpctoolkit import format_layouts as lay
from perfolio.readers.hpctoolkit.binary_file import Records, check_arrays
from perfolio.readers.hpctoolkit.file_header import DatabaseFile
from perfolio.readers.measures import find_measure, load_measures

MetricRow = tuple[int, str, str, str, str | None, str | None]
NO_DESCRIPTION = "TODO database description"
"""What hpcprof writes where it has nothing to say."""
STATISTIC_BASE = 1 << 16
"""Added to statMetricId, so that it cannot be taken for a propMetricId."""


@dataclass(frozen=True)
class StructureArray:
    """An array of structures to which others point."""

    offset: int
    count: int
    stride: int
    name: str

    def index(self, meta: DatabaseFile, pointers: npt.NDArray[np.uint64]) -> npt.NDArray[np.int32]:
        """Positions in the table for pointers into it; -1 for null pointers."""
        null = pointers == 0
        # The place of an empty table was not checked: it may be any number.
        start = self.offset if self.count else 0
        distance = pointers.astype(np.int64) - start
        stride = max(self.stride, 1)
        index = distance // stride
        wrong = ~null & ((distance % stride != 0) | (index < 0) | (index >= self.count))
        if wrong.any():
            bad = int(pointers[wrong][0])
            raise meta.file.error(bad, f"a pointer to {self.name} points elsewhere")
        return np.where(null, -1, index).astype(np.int32)


def read_title(meta: DatabaseFile) -> tuple[str, str]:
    """Title (the executable's name) and description of the database; empty where unknown."""
    head = meta.head("General", lay.GENERAL)
    description = meta.file.optional_string(head["pDescription"])
    return (
        meta.file.optional_string(head["pTitle"]),
        "" if description == NO_DESCRIPTION else description,
    )


def read_identifier_kinds(meta: DatabaseFile) -> tuple[str, ...]:
    """Names of the kinds of identifiers: NODE, RANK, THREAD, GPUSTREAM..."""
    head = meta.head("IdNames", lay.ID_NAMES)
    pointers = meta.file.records(lay.POINTER, head["ppNames"], head["nKinds"])["p"]
    return tuple(meta.file.string(int(p)) for p in pointers)


def read_metric_table(meta: DatabaseFile) -> pa.Table:
    """Rows (id, name, measure, scope, statistic, formula): metrics and their statistics."""
    head = meta.head("Metrics", lay.METRICS)
    scopes = meta.array("Metrics", lay.SCOPE, head["pScopes"], head["nScopes"], head["szScope"])
    names = [_read_scope_name(meta, scope) for scope in scopes]
    scope_table = StructureArray(
        head["pScopes"], head["nScopes"], head["szScope"], "a propagation scope"
    )
    metrics = meta.array(
        "Metrics", lay.METRIC, head["pMetrics"], head["nMetrics"], head["szMetric"]
    )
    written = _unify_names([meta.file.string(int(pointer)) for pointer in metrics["pName"]])
    found = _read_metric_rows(meta, head, metrics, written, ScopeNames(meta, scope_table, names))
    rows = [row for _, row in sorted(found, key=lambda one: one[0])]
    return _make_table(
        rows,
        ("id", pa.int32()),
        ("name", pa.string()),
        ("measure", pa.string()),
        ("scope", pa.string()),
        ("statistic", pa.string()),
        ("formula", pa.string()),
    )


def _read_scope_name(meta: DatabaseFile, scope: Any) -> str:
    """The name of a propagation scope; FormatError where its type says another."""
    name, kind = meta.file.string(int(scope["pScopeName"])), int(scope["type"])
    if any((name == other) != (kind == number) for number, other in lay.SCOPE_TYPES.items()):
        raise meta.file.error(
            int(scope["pScopeName"]), f"a propagation scope of type {kind} is named {name[:40]!r}"
        )
    return name


_VDSO, _VDSO_NAME = re.compile(r"(?:^|/)vdso/[0-9a-f]+\.vdso$"), "[vdso]"
"""The kernel's own page of code, which HPCToolkit keeps by its hash; and what Linux calls it."""

_UNITS = {" (s)": " (sec)", " (b)": " (B)"}


@dataclass(frozen=True)
class ScopeNames:
    """Names of propagation scopes by pointer."""

    meta: DatabaseFile
    table: StructureArray
    names: list[str]

    def of(self, pointers: npt.NDArray[np.uint64]) -> list[str]:
        """The names of the scopes at `pointers`, empty for null pointers."""
        return [self.names[i] if i >= 0 else "" for i in self.table.index(self.meta, pointers)]


def _read_metric_rows(
    meta: DatabaseFile, head: dict[str, int], metrics: Any, names: list[str], scopes: ScopeNames
) -> Iterator[tuple[int, MetricRow]]:
    """Rows of table metric, each with the position of its metric; statistics come last."""
    measures = [find_measure(name, load_measures(Path(__file__).parent)) for name in names]
    owners, insts = _collect_sub_arrays(
        meta, lay.SCOPE_INST, metrics, "ScopeInsts", head["szScopeInst"]
    )
    for owner, number, scope in zip(
        owners, insts["propMetricId"].tolist(), scopes.of(insts["pScope"]), strict=True
    ):
        yield owner, (number, names[owner], measures[owner], scope, None, None)
    owners, stats = _collect_sub_arrays(meta, lay.SUMMARY, metrics, "Summaries", head["szSummary"])
    for owner, number, scope, combine, pointer in zip(
        owners,
        stats["statMetricId"].tolist(),
        scopes.of(stats["pScope"]),
        stats["combine"].tolist(),
        stats["pFormula"].tolist(),
        strict=True,
    ):
        how, formula = lay.name_enum_value(lay.COMBINE, combine), meta.file.string(pointer)
        name, measure = names[owner], measures[owner]
        yield owner, (STATISTIC_BASE + number, name, measure, scope, how, formula)


def _collect_sub_arrays(
    meta: DatabaseFile, layout: lay.Layout, metrics: Any, what: str, stride: int
) -> tuple[list[int], Records]:
    """What the metrics' arrays hold together, and the position of the metric of each."""
    starts, counts = metrics[f"p{what}"], metrics[f"n{what}"].astype(np.int64)
    check_arrays(meta.file, starts, counts, layout, stride)
    owners: list[int] = np.repeat(np.arange(len(counts)), counts).tolist()
    return owners, meta.file.gathered(layout, starts, counts, stride)


def _unify_names(names: list[str]) -> list[str]:
    """One name for what versions of HPCToolkit write differently.

    PC samples are GINS in databases and GINST in its manual; seconds are (sec) and bytes (B) up to
    2024.01, and (s) and (b) in the GPU's metrics of newer ones. From 2025.1 on PC samples are
    GCYCLES: its manual ("PC Sampling within GPU Kernels") charges the period to GCYCLES for each
    sample, to GCYCLES:STL for a sample at which nothing was issued, and to GCYCLES:STL:<reason>,
    which is what GINS, GINS:STL_ANY and GINS:STL_<reason> are on NVIDIA's GPUs. On other vendors'
    GPUs a stall is another thing (of one pipeline) or counted otherwise, so the name stays; only
    NVIDIA's sampling lists GSAMP.
    """
    samples = any(name.startswith("GSAMP:") for name in names)
    renames = samples and not any(name.startswith("GINS") for name in names)
    return [_rename_pc_samples(name) if renames else _to_older_name(name) for name in names]


def _to_older_name(name: str) -> str:
    name = name.replace("GINST", "GINS", 1) if name.startswith("GINST") else name
    for newer, older in _UNITS.items():
        if name.endswith(newer):
            return name.removesuffix(newer) + older
    return name


def _rename_pc_samples(name: str) -> str:
    """GINS for GCYCLES, and its stalls; other names of cycles stay."""
    if name == "GCYCLES":
        return "GINS"
    if name == "GCYCLES:STL":
        return "GINS:STL_ANY"
    if name.startswith("GCYCLES:STL:"):
        return "GINS:STL_" + name.removeprefix("GCYCLES:STL:")
    return _to_older_name(name)


def find_array(meta: DatabaseFile, section: str, name: str) -> StructureArray:
    """Where the array of a section (Modules, Files, Functions) lies."""
    head = meta.head(section, lay.MODULES)
    return StructureArray(head["p"], head["n"], head["sz"], name)


def read_module_table(meta: DatabaseFile, place: StructureArray) -> pa.Table:
    """Rows (id, path)."""
    records = meta.array("Modules", lay.MODULE, place.offset, place.count, place.stride)
    paths = (meta.file.string(pointer) for pointer in records["pPath"].tolist())
    rows = [(i, _VDSO_NAME if _VDSO.search(path) else path) for i, path in enumerate(paths)]
    return _make_table(rows, ("id", pa.int32()), ("path", pa.string()))


def read_file_table(meta: DatabaseFile, place: StructureArray) -> pa.Table:
    """Rows (id, path, copied)."""
    records = meta.array("Files", lay.FILE, place.offset, place.count, place.stride)
    rows = [
        (i, meta.file.string(pointer), bool(flags & lay.COPIED))
        for i, (pointer, flags) in enumerate(
            zip(records["pPath"].tolist(), records["flags"].tolist(), strict=True)
        )
    ]
    return _make_table(rows, ("id", pa.int32()), ("path", pa.string()), ("copied", pa.bool_()))


def read_function_table(
    meta: DatabaseFile,
    place: StructureArray,
    modules: StructureArray,
    files: StructureArray,
    module_paths: list[str],
) -> pa.Table:
    """Rows (id, name, module, offset, file, line)."""
    records = meta.array("Functions", lay.FUNCTION, place.offset, place.count, place.stride)
    module = modules.index(meta, records["pModule"])
    file = files.index(meta, records["pFile"])
    bases = [path.rsplit("/", 1)[-1] for path in module_paths]
    names = [
        meta.file.string(pointer)
        if pointer
        else meta.file.spend(_name_anonymous(bases, m, offset), 0)
        for pointer, m, offset in zip(
            records["pName"].tolist(), module.tolist(), records["offset"].tolist(), strict=True
        )
    ]
    return pa.table(
        {
            "id": pa.array(np.arange(len(records), dtype=np.int32)),
            "name": pa.array(names, pa.string()),
            "module": mask_missing(module),
            "offset": pa.array(records["offset"].astype(np.uint64), mask=module < 0),
            "file": mask_missing(file),
            "line": pa.array(records["line"].astype(np.uint32), mask=file < 0),
        }
    )


def mask_missing(index: npt.NDArray[np.int32]) -> pa.Array:
    """Positions as an Arrow array in which -1 is null."""
    return pa.array(index, mask=index < 0)


def _name_anonymous(modules: list[str], module: int, offset: int) -> str:
    if module < 0:
        return "<anonymous function>"
    return f"<{modules[module]}+{offset:#x}>"


def _make_table(rows: list[Any], *columns: tuple[str, pa.DataType]) -> pa.Table:
    values = list(zip(*rows, strict=True)) or [()] * len(columns)
    return pa.table(
        {name: pa.array(column, kind) for (name, kind), column in zip(columns, values, strict=True)}
    )
