"""A database as the writer takes it, from one that exists: read with our reader and written anew.

`python -m tests.writers.copies DB FOLDER` writes a copy, so that other readers can compare.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from perfolio.readers.hpctoolkit import format_layouts as lay
from perfolio.readers.hpctoolkit import meta_db as meta
from perfolio.readers.hpctoolkit import profile_db, reader
from perfolio.readers.hpctoolkit.file_header import DatabaseFile, open_file
from perfolio.readers.model import Source
from perfolio.writers.hpctoolkit import (
    Database,
    EntryPoint,
    File,
    Function,
    Identifier,
    Metric,
    Profile,
    Statistic,
    TracePoints,
    Tree,
)
from perfolio.writers.hpctoolkit.context_order import find_group_starts
from perfolio.writers.hpctoolkit.cost_propagation import CostBlock
from perfolio.writers.hpctoolkit.database_files import write_blocks
from perfolio.writers.hpctoolkit.metric_numbers import number_metrics
from perfolio.writers.hpctoolkit.model import INSTRUCTION, LEXICAL, SCOPES

ANONYMOUS = "<"


def copy(original: Path, folder: Path) -> tuple[Source, Source]:
    """Write the database at `original` anew into `folder`; returns both, opened.

    Contexts that have values but no node are listed as unlisted ones below an entry point:
    their true place is not in the database.
    """
    source = reader.read(original)
    database = as_database(original, source)
    write_blocks(database, folder, _blocks(source, database), _traces(source))
    return source, reader.read(folder)


def as_database(path: Path, source: Source) -> Database:
    """Everything but values and traces."""
    meta_db = open_file(path / "meta.db", b"meta")
    tables = source.tables
    entries = [r for r in tables["context"].to_pylist() if r["relation"] == "entry"]
    return Database(
        title=source.title,
        metrics=_metrics(tables["metric"]),
        entry_points=tuple(
            EntryPoint(r["id"], _number(lay.ENTRY_POINTS, r["entry_point"])) for r in entries
        ),
        tree=_tree(source),
        profiles=_profiles(path, meta.read_identifier_kinds(meta_db)),
        modules=tuple(tables["module"]["path"].to_pylist()),
        files=tuple(File(r["path"], r["copied"]) for r in tables["file"].to_pylist()),
        functions=tuple(
            Function(
                "" if r["name"].startswith(f"{ANONYMOUS}anonymous") else r["name"],
                -1 if r["module"] is None else r["module"],
                r["offset"] or 0,
                -1 if r["file"] is None else r["file"],
                r["line"] or 0,
            )
            for r in tables["function"].to_pylist()
        ),
        description=source.description,
        identifier_kinds=meta.read_identifier_kinds(meta_db),
    )


def _number(names: dict[int, str], name: str) -> int:
    return next(number for number, known in names.items() if known == name)


def _metrics(table: pa.Table) -> tuple[Metric, ...]:
    found: dict[str, tuple[list[str], list[Statistic]]] = {}
    for row in table.to_pylist():
        scopes, statistics = found.setdefault(row["name"], ([], []))
        if row["statistic"] is None:
            scopes.append(row["scope"])
        elif (one := Statistic(row["formula"], row["statistic"])) not in statistics:
            statistics.append(one)
    return tuple(
        Metric(name, tuple(s for s in SCOPES if s in scopes), tuple(statistics))
        for name, (scopes, statistics) in found.items()
    )


def _profiles(path: Path, kinds: tuple[str, ...]) -> tuple[Profile, ...]:
    prof = open_file(path / "profile.db", b"prof")
    infos = profile_db.read_profiles(prof).infos
    return tuple(_profile(prof, int(info["pIdTuple"]), kinds) for info in infos[1:])


def _profile(prof: DatabaseFile, pointer: int, kinds: tuple[str, ...]) -> Profile:
    count = prof.file.record(lay.ID_TUPLE, pointer)["nIds"]
    rows: Any = prof.file.records(lay.ID, pointer + lay.ID_TUPLE.size, count)
    return Profile(
        tuple(
            Identifier(
                kinds[row["kind"]],
                int(row["logicalId"]),
                int(row["physicalId"]) if row["flags"] & lay.IS_PHYSICAL else None,
            )
            for row in rows
        )
    )


def _tree(source: Source) -> Tree:
    table = source.tables["context"]
    entry = table["relation"].to_numpy(zero_copy_only=False) == "entry"
    listed = table.filter(pa.array(~entry))
    ids = table["id"].to_numpy()
    used = [batch["context"].to_numpy() for batch in source.streams["value"].batches()]
    lost = np.setdiff1d(np.concatenate(used or [ids[:0]]), np.append(ids, 0)).astype(np.uint32)
    more = len(lost)

    def column(name: str, missing: int, kind: str) -> Any:
        given = listed[name].fill_null(missing).to_numpy()
        return np.concatenate([given, np.full(more, missing)]).astype(kind)

    relation = [_number(lay.RELATIONS, name) for name in listed["relation"].to_pylist()]
    lexical = [_number(lay.LEXICAL_TYPES, name) for name in listed["lexical_type"].to_pylist()]
    return Tree(
        np.concatenate([listed["id"].to_numpy(), lost]),
        np.concatenate([listed["parent"].to_numpy(), np.full(more, ids[entry][0], np.uint32)]),
        np.array(relation + [LEXICAL] * more, np.uint8),
        np.array(lexical + [INSTRUCTION] * more, np.uint8),
        column("function", -1, "i4"),
        column("file", -1, "i4"),
        column("line", 0, "u4"),
        column("module", -1, "i4"),
        column("offset", 0, "u8"),
        np.arange(listed.num_rows + more) >= listed.num_rows,
    )


def new_numbers(source: Source, database: Database) -> dict[int, int]:
    """The identifier of each metric and statistic in the copy."""
    numbers = number_metrics(database.metrics)
    place = {metric.name: i for i, metric in enumerate(database.metrics)}
    found = {}
    for row in source.tables["metric"].to_pylist():
        position = place[row["name"]]
        metric = database.metrics[position]
        scope = metric.scopes.index(row["scope"])
        if row["statistic"] is None:
            found[row["id"]] = numbers.propagated(position, scope)
        else:
            which = metric.statistics.index(Statistic(row["formula"], row["statistic"]))
            found[row["id"]] = meta.STATISTIC_BASE + numbers.statistic(position, which, scope)
    return found


def _blocks(source: Source, database: Database) -> Iterator[CostBlock]:
    numbers = new_numbers(source, database)
    table = np.zeros(1 << 16, np.uint16)
    for old, new in numbers.items():
        if old < meta.STATISTIC_BASE:
            table[old] = new
    rows = pa.Table.from_batches(source.streams["value"].batches(), source.streams["value"].schema)
    for profile in rows["profile"].unique().to_pylist():
        part = rows.filter(pa.compute.equal(rows["profile"], profile))
        context = part["context"].to_numpy()
        metric = table[part["metric"].to_numpy()]
        order = np.lexsort((metric, context))
        starts = find_group_starts(context)
        yield CostBlock(
            profile, context[starts], starts, metric[order], part["value"].to_numpy()[order]
        )


def _traces(source: Source) -> Iterator[TracePoints]:
    if "trace" not in source.streams:
        return
    for batch in source.streams["trace"].batches():
        profile = batch["profile"].to_numpy()
        for index, group in groupby(find_group_starts(profile).tolist()):
            del group
            same = slice(index, index + int((profile[index:] == profile[index]).sum()))
            yield TracePoints(
                int(profile[index]),
                batch["time"].to_numpy()[same],
                batch["context"].to_numpy()[same],
            )


if __name__ == "__main__":
    copy(Path(sys.argv[1]), Path(sys.argv[2]))
