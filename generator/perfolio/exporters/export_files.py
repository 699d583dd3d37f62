"""Runs as files for other programs, which appear whole or not at all.

In:  a store, the short name of a run, a format, and the place to write to. Out: the place.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from perfolio.common.atomic_folders import replace_whole_tree
from perfolio.common.atomic_output import replace_file
from perfolio.common.errors import OutputError, UsageError
from perfolio.common.escaping import escape_spreadsheet_cell
from perfolio.exporters import arrow_tables
from perfolio.exporters.hatchet import make_document
from perfolio.exporters.perfetto import make_perfetto_text
from perfolio.exporters.speedscope import make_speedscope
from perfolio.pipeline.build_context import Context
from perfolio.pipeline.run_documents import make_documents_of_run
from perfolio.pipeline.run_redaction import open_shared_run
from perfolio.redaction.leak_check import read_folder_files
from perfolio.store.connections import report_damage

Write = Callable[[Path, str | None, Path, Context], None]


@dataclass(frozen=True)
class ExportFormat:
    """A form that other programs read."""

    about: str
    write: Write
    is_folder: bool = False


def export(
    store: Path, run: str | None, form: str, place: Path, context: Context | None = None
) -> Path:
    """Write a run. Raises OutputError where it cannot be, or would replace what is no export.

    SiteError where it is for others to read, and still tells something private.
    """
    reporting = context or Context()
    chosen = FORMATS[form]
    if place.is_dir() != chosen.is_folder and place.exists():
        what = "a folder" if chosen.is_folder else "a file"
        raise UsageError(f"{place}: {form} is {what}", hint="choose another place")
    try:
        if chosen.is_folder:
            _check_folder(place)
            with replace_whole_tree(place) as partial:
                chosen.write(store, run, partial, reporting)
                reporting.prove(read_folder_files(partial))
        else:
            with replace_file(place) as partial:
                _write_shown(chosen, store, run, partial, reporting)
                reporting.prove((place.name, each.read_bytes()) for each in [partial])
    except OSError as problem:
        raise OutputError(
            f"{place}: cannot be written: {problem.strerror or problem}",
            hint="choose another place",
        ) from problem
    return place


def _write_shown(
    chosen: ExportFormat, store: Path, run: str | None, place: Path, context: Context
) -> None:
    """Of what was recorded, as others may read it."""
    with report_damage(store), open_shared_run(store, run, context.share) as (shown, slug, secrets):
        context.hidden.append(secrets)
        chosen.write(shown, slug, place, context)


def _check_folder(place: Path) -> None:
    """An earlier export may be replaced, and nothing else."""
    present = {each.stem for each in place.iterdir()} if place.is_dir() else set()
    if present and not {"metrics", "findings"} <= present:
        raise OutputError(f"{place}: is there, and no export", hint="choose another folder")


def _write_hatchet(store: Path, run: str | None, place: Path, _: Context) -> None:
    """What `GraphFrame.from_json` reads."""
    place.write_text(json.dumps(make_document(store, run), ensure_ascii=False), "utf-8")


def _write_speedscope(store: Path, run: str | None, place: Path, _: Context) -> None:
    place.write_text(json.dumps(make_speedscope(store, run), ensure_ascii=False), "utf-8")


def _write_perfetto(store: Path, run: str | None, place: Path, _: Context) -> None:
    _write_pieces(make_perfetto_text(store, run), place)


def _write_pieces(pieces: Iterable[str], place: Path) -> None:
    with place.open("w", encoding="utf-8") as file:
        file.writelines(pieces)


def _write_parquet(store: Path, run: str | None, place: Path, context: Context) -> None:
    """Units and definitions are in the metadata of each file."""
    import pyarrow.parquet as pq

    for name, table in _read_tables(store, run, context):
        pq.write_table(table, place / f"{name}.parquet", compression="zstd")


def _write_csv(store: Path, run: str | None, place: Path, context: Context) -> None:
    """Safe to open in a spreadsheet; units and definitions are in columns.csv."""
    columns = [["file", "column", "unit", "definition"]]
    for name, table in _read_tables(store, run, context):
        rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
        _write_rows(place / f"{name}.csv", [table.column_names, *rows])
        about = json.loads(table.schema.metadata[arrow_tables.ABOUT])
        for column in table.column_names:
            unit = about.get("units", {}).get(column, "")
            columns.append([f"{name}.csv", column, unit, about["definitions"].get(column, "")])
    _write_rows(place / "columns.csv", columns)


def _read_tables(store: Path, run: str | None, context: Context) -> Iterator[tuple[str, pa.Table]]:
    yield from arrow_tables.collect_tables(make_documents_of_run(store, run, context)).items()


def _write_rows(path: Path, rows: Iterable[Iterable[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([escape_spreadsheet_cell(cell) for cell in row] for row in rows)


FORMATS: dict[str, ExportFormat] = {
    "hatchet": ExportFormat("JSON for GraphFrame.from_json of Hatchet", _write_hatchet),
    "speedscope": ExportFormat("flame graphs for speedscope", _write_speedscope),
    "perfetto": ExportFormat("the time line for Perfetto and Chrome", _write_perfetto),
    "parquet": ExportFormat(
        "a folder of Parquet files: metrics, findings, tables",
        _write_parquet,
        True,  # noqa: FBT003
    ),
    "csv": ExportFormat("the same as CSV, safe to open in a spreadsheet", _write_csv, True),  # noqa: FBT003
}
