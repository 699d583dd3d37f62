"""The tree of calling contexts of meta.db: from records to columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from perfolio.readers.hpctoolkit import format_layouts as lay
from perfolio.readers.hpctoolkit.context_scan import ContextBlocks, Ints, Words, scan_contexts
from perfolio.readers.hpctoolkit.file_header import DatabaseFile
from perfolio.readers.hpctoolkit.meta_db import StructureArray, mask_missing


def read_context_table(
    meta: DatabaseFile, functions: StructureArray, files: StructureArray, modules: StructureArray
) -> pa.Table:
    """All contexts; entry points are rows of depth 1 below context 0.

    Columns: id, parent, depth, entry_point, relation, lexical_type, function, file, line,
    module, offset.
    """
    head = meta.head("Context", lay.CONTEXT)
    entries = meta.array(
        "Context", lay.ENTRY_POINT, head["pEntryPoints"], head["nEntryPoints"], head["szEntryPoint"]
    )
    words = meta.file.words().view("<u8")
    found = scan_contexts(meta, entries)
    names = [
        meta.file.optional_string(int(e["pPrettyName"]))
        or lay.name_enum_value(lay.ENTRY_POINTS, int(e["entryPoint"]))
        for e in entries
    ]
    columns = _decode_contexts(meta, words, found, functions, files, modules)
    columns["entry_point"] = pa.array(names, pa.string()).take(pa.array(found.entry))
    table = pa.concat_tables(
        [_make_entry_table(entries, names), pa.table(columns)], promote_options="permissive"
    )
    ids = np.sort(table["id"].to_numpy())
    twice = np.flatnonzero(ids[1:] == ids[:-1])
    if len(twice):
        raise meta.file.error(
            meta.sections["Context"].offset, f"context {int(ids[twice[0]])} is listed twice"
        )
    if len(ids) and ids[0] == 0:
        raise meta.file.error(meta.sections["Context"].offset, "a context has the reserved id 0")
    return table.select(
        [
            "id",
            "parent",
            "depth",
            "entry_point",
            "relation",
            "lexical_type",
            "function",
            "file",
            "line",
            "module",
            "offset",
        ]
    )


def _decode_contexts(
    meta: DatabaseFile,
    words: Words,
    found: ContextBlocks,
    functions: StructureArray,
    files: StructureArray,
    modules: StructureArray,
) -> dict[str, pa.Array]:
    """Columns of the contexts at the positions found.

    `flex` is packed in this order: pFunction; pFile and line (a word each); pModule and
    offset; each of the three if its flag is set.
    """
    at = found.position
    word = words[at + 2]
    flags = (word >> np.uint64(32)).astype(np.uint8)
    has = {bit: (flags & bit) != 0 for bit in (lay.HAS_FUNCTION, lay.HAS_SRC_LOC, lay.HAS_POINT)}
    function_at = at + lay.CTX_WORDS
    file_at = function_at + has[lay.HAS_FUNCTION]
    module_at = file_at + 2 * has[lay.HAS_SRC_LOC]
    end = at + lay.CTX_WORDS + (word >> np.uint64(56)).astype(np.int64)
    short = np.flatnonzero(module_at + 2 * has[lay.HAS_POINT] > end)
    if len(short):
        raise meta.file.error(int(at[short[0]]) * 8, "a context is too short for its flags")

    def flex(position: Ints, present: npt.NDArray[np.bool_]) -> Words:
        values = np.zeros(len(position), np.uint64)
        values[present] = words[position[present]]
        return values

    file = files.index(meta, flex(file_at, has[lay.HAS_SRC_LOC]))
    module = modules.index(meta, flex(module_at, has[lay.HAS_POINT]))
    line = flex(file_at + 1, has[lay.HAS_SRC_LOC]).astype(np.uint32)
    return {
        "id": pa.array(word.astype(np.uint32)),
        "parent": pa.array(found.parent.astype(np.uint32)),
        "depth": pa.array(found.depth.astype(np.int32)),
        "relation": _name_values(lay.RELATIONS, (word >> np.uint64(40)).astype(np.uint8)),
        "lexical_type": _name_values(lay.LEXICAL_TYPES, (word >> np.uint64(48)).astype(np.uint8)),
        "function": mask_missing(functions.index(meta, flex(function_at, has[lay.HAS_FUNCTION]))),
        "file": mask_missing(file),
        "line": pa.array(line, mask=~has[lay.HAS_SRC_LOC]),
        "module": mask_missing(module),
        "offset": pa.array(flex(module_at + 1, has[lay.HAS_POINT]), mask=~has[lay.HAS_POINT]),
    }


def _name_values(names: dict[int, str], values: npt.NDArray[np.uint8]) -> pa.Array:
    """Names of enumeration values, one for each of the 256 possible ones."""
    table = pa.array([lay.name_enum_value(names, n) for n in range(256)], pa.string())
    return table.take(pa.array(values))


def _make_entry_table(entries: Any, names: list[str]) -> pa.Table:
    count = len(entries)
    return pa.table(
        {
            "id": pa.array(entries["ctxId"].astype(np.uint32)),
            "parent": pa.array(np.zeros(count, np.uint32)),
            "depth": pa.array(np.ones(count, np.int32)),
            "entry_point": pa.array(names, pa.string()),
            "relation": pa.array(["entry"] * count, pa.string()),
            "lexical_type": pa.array(["entry"] * count, pa.string()),
            "function": pa.nulls(count, pa.int32()),
            "file": pa.nulls(count, pa.int32()),
            "line": pa.nulls(count, pa.uint32()),
            "module": pa.nulls(count, pa.int32()),
            "offset": pa.nulls(count, pa.uint64()),
        }
    )
