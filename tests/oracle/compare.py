"""A database by the reader and by the second decoder: the first difference, or None."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pyarrow as pa

from perfolio.readers.model import Source
from tests.oracle.decoder import Decoder, Files, Row


def difference(source: Source, tables: dict[str, pa.Table], files: Files) -> str | None:
    """What the reader and the decoder disagree in; `tables` are the streams, read."""
    decoder = Decoder(files)
    found: dict[str, tuple[Iterable[Row], Iterable[Row]]] = {
        "contexts": (_contexts(source), decoder.contexts()),
        "metrics": (_metrics(source), ((m[0], m[2], m[3], m[4]) for m in decoder.metrics())),
    }
    if "profile.db" in files:
        costs = list(decoder.costs())
        values = _rows(tables["value"], "profile", "context", "metric", "value")
        zero = pa.array([0] * len(tables["summary"]), pa.int32())
        summary = tables["summary"].append_column("profile", zero)
        read = [*values, *_rows(summary, "profile", "context", "metric", "value")]
        found["costs"] = (read, costs)
        if "cct.db" in files:
            found["cct.db"] = (values, decoder.transposed())
    if "trace.db" in files:
        found["points"] = (_rows(tables["trace"], "profile", "time", "context"), decoder.points())
    for what, (ours, theirs) in found.items():
        if what == "points" and list(ours) != list(theirs):
            return "points"
        if what != "points" and Counter(ours) != Counter(theirs):
            return what
    return None


def _rows(table: pa.Table, *columns: str) -> list[Row]:
    return list(zip(*(table[name].to_pylist() for name in columns), strict=True))


def _metrics(source: Source) -> list[Row]:
    """Without names, of which the reader keeps one where versions write several."""
    return _rows(source.tables["metric"], "id", "scope", "statistic", "formula")


def _contexts(source: Source) -> list[Row]:
    tables = {name: table.to_pylist() for name, table in source.tables.items()}
    modules = [row["path"] for row in tables["module"]]
    files = [row["path"] for row in tables["file"]]

    def of(names: list[str], index: int | None) -> str | None:
        return None if index is None else names[index]

    functions = [
        (f["name"], of(modules, f["module"]), f["offset"], of(files, f["file"]), f["line"])
        for f in tables["function"]
    ]
    return [
        (
            *(row[name] for name in ("id", "parent", "entry_point", "relation", "lexical_type")),
            None if row["function"] is None else functions[row["function"]],
            of(files, row["file"]),
            row["line"],
            of(modules, row["module"]),
            row["offset"],
        )
        for row in tables["context"]
    ]
