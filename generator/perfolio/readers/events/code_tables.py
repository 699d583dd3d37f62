"""Places of code and the tree of contexts as tables: module, file, function, context."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from perfolio.readers.events.placed_recording import ENTRIES
from perfolio.readers.events.range_nesting import CallingContextTree
from perfolio.readers.events.recording import Recording


def make_code_tables(recording: Recording) -> dict[str, pa.Table]:
    """Tables module, file and function."""
    codes = recording.codes.all()
    modules = list(dict.fromkeys(code.module for code in codes if code.module))
    files = list(dict.fromkeys(code.file for code in codes if code.file))
    module = {path: number for number, path in enumerate(modules)}
    file = {path: number for number, path in enumerate(files)}
    numbers = pa.int32()
    return {
        "module": pa.table(
            {"id": pa.array(range(len(modules)), numbers), "path": pa.array(modules, pa.string())}
        ),
        "file": pa.table(
            {
                "id": pa.array(range(len(files)), numbers),
                "path": pa.array(files, pa.string()),
                "copied": pa.array([False] * len(files), pa.bool_()),
            }
        ),
        "function": pa.table(
            {
                "id": pa.array(range(len(codes)), numbers),
                "name": pa.array([code.name for code in codes], pa.string()),
                "module": pa.array([module.get(code.module) for code in codes], numbers),
                "offset": pa.nulls(len(codes), pa.uint64()),
                "file": pa.array([file.get(code.file) for code in codes], numbers),
                "line": pa.array([code.line or None for code in codes], pa.uint32()),
            }
        ),
    }


def make_context_table(tree: CallingContextTree) -> pa.Table:
    """Table context; the whole run has no row."""
    codes = np.frombuffer(tree.codes, np.int64)[1:]
    entry_codes = np.frombuffer(tree.codes, np.int64)[np.frombuffer(tree.entries, np.int64)[1:]]
    is_entry = codes < 0
    count = len(codes)
    entry = pa.array(list(ENTRIES.values()), pa.string()).take(pa.array(-2 - entry_codes))
    return pa.table(
        {
            "id": pa.array(np.arange(1, count + 1, dtype=np.uint32)),
            "parent": pa.array(np.frombuffer(tree.parents, np.int64)[1:].astype(np.uint32)),
            "depth": pa.array(np.frombuffer(tree.depths, np.int64)[1:].astype(np.int32)),
            "entry_point": entry,
            "relation": _choose_texts(is_entry, "entry", "call"),
            "lexical_type": _choose_texts(is_entry, "entry", "function"),
            "function": pa.array(codes.astype(np.int32), mask=is_entry),
            "file": pa.nulls(count, pa.int32()),
            "line": pa.nulls(count, pa.uint32()),
            "module": pa.nulls(count, pa.int32()),
            "offset": pa.nulls(count, pa.uint64()),
        }
    )


def _choose_texts(chosen: npt.NDArray[np.bool_], yes: str, no: str) -> pa.Array:
    return pa.array([no, yes], pa.string()).take(pa.array(chosen.astype(np.int8)))
