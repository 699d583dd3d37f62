"""A database's folder to a `Source`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from perfolio.common.errors import InputError
from perfolio.readers.hpctoolkit import meta_contexts, profile_db, profile_values, trace_db
from perfolio.readers.hpctoolkit import meta_db as meta
from perfolio.readers.hpctoolkit.cct_db import read_transposed
from perfolio.readers.hpctoolkit.cost_consistency import StreamBalance, make_ledger
from perfolio.readers.hpctoolkit.file_header import DatabaseFile, open_file
from perfolio.readers.hpctoolkit.trace_consistency import TraceDoubts
from perfolio.readers.model import Columns, InputFile, Source, Stream

TOOL = "HPCToolkit"


def matches(path: Path) -> bool:
    """Whether `path` is a folder with a file that only HPCToolkit databases of format 4 have."""
    return path.is_dir() and any((path / name).is_file() for name in ("meta.db", "profile.db"))


def other_form(path: Path) -> InputError | None:
    """The error for what HPCToolkit wrote, but not as a database of format 4; else None.

    HPCToolkit 2022.10 was the first release to write format 4 (meta.db); before it, hpcprof
    wrote experiment.xml. hpcrun writes .hpcrun files, which hpcprof makes a database of.
    """
    if path.name == "experiment.xml" or (path / "experiment.xml").is_file():
        return InputError(
            f"{path}: no whole HPCToolkit database of the old format 3 (experiment.xml)",
            hint="give its folder; or run hpcprof of HPCToolkit 2022.10 or newer on the "
            "measurements that it was made from, and give the folder that it writes (meta.db)",
        )
    if path.suffix == ".hpcrun" or (path.is_dir() and any(path.glob("*.hpcrun"))):
        return InputError(
            f"{path}: measurements of hpcrun, which hold no names of functions yet",
            hint="make a database of them with hpcstruct and hpcprof, and give its folder",
        )
    return None


def read(path: Path) -> Source:
    """Open the database in folder `path`; values and trace points are streamed later.

    Raises InputError when meta.db is missing, FormatError when a file is damaged.
    """
    meta_db = _open_optional(path / "meta.db", b"meta")
    if meta_db is None:
        raise InputError(
            f"{path}: meta.db is missing", hint="copy the whole folder that hpcprof wrote"
        )
    prof = _open_optional(path / "profile.db", b"prof")
    trce = _open_optional(path / "trace.db", b"trce")
    opened = [file for file in (meta_db, prof, trce) if file is not None]
    title, description = meta.read_title(meta_db)
    tables = _read_meta_tables(meta_db)
    streams: dict[str, Stream] = {}
    found = None
    if prof is not None:
        found = profile_db.read_profiles(prof)
        tables["profile"] = profile_db.read_profile_table(
            prof, found, meta.read_identifier_kinds(meta_db)
        )
        streams |= _make_cost_streams(found, tables, _open_optional(path / "cct.db", b"ctxt"))
    warnings: tuple[str, ...] = ()
    if trce is not None:
        traces = trace_db.read_traces(trce, found)
        streams["trace"] = trace_db.make_trace_stream(traces)
        if found is None:
            tables["profile"] = _make_trace_profiles(traces)
        doubts = TraceDoubts(tables["context"], found)
        trace_db.watch_points(traces, doubts.watch)
        warnings = traces.warnings + doubts.warnings
    tables.setdefault("profile", profile_db.make_profile_rows([]))
    return Source(
        path=path,
        tool=TOOL,
        format_version=meta_db.version,
        title=title,
        description=description,
        files=tuple(InputFile(f.file.opened, f.version) for f in opened),
        tables=tables,
        streams=streams,
        warnings=tuple(w for f in opened for w in f.warnings)
        + warnings
        + _list_missing(prof, trce, tables),
    )


def _make_cost_streams(
    found: profile_db.DatabaseProfiles, tables: dict[str, pa.Table], cct: DatabaseFile | None
) -> dict[str, Stream]:
    """Values and their summary, which are compared with each other and with cct.db."""
    ledger = make_ledger(tables["context"], tables["metric"])
    transposed = read_transposed(cct) if cct else None

    def checked(batches: Iterator[Columns]) -> Iterator[Columns]:
        passed = StreamBalance(ledger, "value", found).watched(batches)
        return transposed.compared(passed) if transposed else passed

    def summed(batches: Iterator[Columns]) -> Iterator[Columns]:
        return StreamBalance(ledger, "summary", found).watched(batches)

    return {
        "value": profile_values.make_value_stream(found, checked),
        "summary": profile_values.make_summary_stream(found, summed),
    }


def _open_optional(path: Path, kind: bytes) -> DatabaseFile | None:
    """The file at `path`; None where there is nothing, not even a link that leads nowhere."""
    return open_file(path, kind) if path.exists() or path.is_symlink() else None


def _read_meta_tables(meta_db: DatabaseFile) -> dict[str, pa.Table]:
    modules = meta.find_array(meta_db, "Modules", "a load module")
    files = meta.find_array(meta_db, "Files", "a source file")
    functions = meta.find_array(meta_db, "Functions", "a function")
    module = meta.read_module_table(meta_db, modules)
    return {
        "metric": meta.read_metric_table(meta_db),
        "module": module,
        "file": meta.read_file_table(meta_db, files),
        "function": meta.read_function_table(
            meta_db, functions, modules, files, module["path"].to_pylist()
        ),
        "context": meta_contexts.read_context_table(meta_db, functions, files, modules),
    }


def _make_trace_profiles(traces: trace_db.DatabaseTraces) -> pa.Table:
    """Without profile.db nothing says what a trace line belongs to but its profile's index."""
    indices = sorted({int(i) for i in traces.lines["profIndex"]})
    return profile_db.make_profile_rows(
        [{"index": i, "identifier_tuple": f"profile {i}", "kind": "unknown"} for i in indices]
    )


def _list_missing(
    prof: DatabaseFile | None, trce: DatabaseFile | None, tables: dict[str, pa.Table]
) -> tuple[str, ...]:
    notes = []
    if prof is None:
        notes.append("profile.db is missing: there are no costs, only the tree and traces")
    if trce is None:
        notes.append("trace.db is missing: nothing can be said about time order or wall time")
    unknown = sum(
        pc.sum(pc.starts_with(tables["context"][column], "unknown(")).as_py() or 0
        for column in ("relation", "lexical_type")
    )
    if unknown:
        notes.append(f"{unknown} contexts have a relation or type of a later format version")
    return tuple(notes)
