"""What is done while faults happen: each writes something below a folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pyarrow as pa

from perfolio.classroom.grading import grade_files
from perfolio.classroom.handouts import write_handouts
from perfolio.cli.command_options import print_or_write
from perfolio.common.atomic_output import replace_folder
from perfolio.common.errors import OutputError
from perfolio.common.progress import QuietProgress
from perfolio.exercises.key_documents import make_key_document
from perfolio.exporters import arrow_tables, export_files
from perfolio.fleet.lake import Lake, create_lake
from perfolio.fleet.lake_compaction import compact_lake
from perfolio.fleet.lake_connection import open_lake
from perfolio.pages.handout_pages import HandoutOptions, RunSheet
from perfolio.pipeline.report_files import write_reports
from perfolio.readers import registry
from perfolio.readers.run_description import RunDescription
from perfolio.simulation.simulate import simulate_file
from perfolio.site.build import build_site
from perfolio.site.file_sync import sync_tree
from perfolio.store.database import get_edition, open_store
from perfolio.store.derived_tables import derive
from perfolio.store.ingest import ingest
from perfolio.store.parquet_export import export_runs
from tests.classroom.test_grading import answers, hand_in, keys_in
from tests.exercises.support import exercise_of, fenced, run_of, sheet_of
from tests.fleet.support import add_input
from tests.kit.databases import Shape, write_database

SCENARIO = 'seed = {seed}\niteration = ["p"]\n[phases.p]\nsteps = [{{cpu = "1 ms ± 10 %"}}]\n'


@dataclass(frozen=True)
class Operation:
    """Something that makes an output of an input."""

    prepare: Callable[[Path, int], None]
    """Write the first or second input (1, 2) into a folder."""
    run: Callable[[Path], None]
    look: Callable[[Path], str]
    """What the output says: what differs between the inputs; `nothing` where there is none."""
    begins_with: int
    """The input whose output is there before: 1, or 0 for none."""
    outputs: frozenset[str]
    """Names in the folder after a run."""


DERIVED = ("enclosing_frame", "cpu_time")
"""Of what follows from a database: all take three times as long, and no file more is written."""


@cache
def made_sheet(edition: int) -> RunSheet:
    """A sheet of one question, whose answer is the edition."""
    wall = {"id": "wall", "type": "number", "answer": {"metric": "time.wall"}}
    run = run_of({"time.wall": float(edition)})
    with TemporaryDirectory() as folder:
        return RunSheet(sheet_of(exercise_of(Path(folder), fenced(wall)), run), run)


def _database(folder: Path, number: int) -> None:
    write_database(folder / "x.d", Shape(seed=number, depth=3, fan_out=6, points=3_000))


def _ingest(folder: Path) -> None:
    with patch("perfolio.store.ingest.derive", partial(derive, only=DERIVED)):
        ingest([(registry.read(folder / "x.d"), RunDescription())], folder / "s.duckdb")


def _stored(folder: Path) -> str:
    store = folder / "s.duckdb"
    if not store.exists():
        return "nothing"
    with open_store(store) as connection:
        counts = (
            "SELECT digest, (SELECT count(*) FROM value), (SELECT count(*) FROM trace) FROM run"
        )
        return str(connection.execute(counts).fetchall())


def _scenario(folder: Path, edition: int) -> None:
    (folder / "scenario.toml").write_text(SCENARIO.format(seed=edition))


def _simulate(folder: Path) -> None:
    simulate_file(folder / "scenario.toml", folder / "made.d")


def _simulated(folder: Path) -> str:
    made = folder / "made.d"
    if not made.exists():
        return "nothing"
    return str(sorted((path.name, hash(path.read_bytes())) for path in made.iterdir()))


def _pages(folder: Path, edition: int) -> None:
    (folder / "edition").write_text(str(edition))


def _tree(folder: Path) -> dict[str, str | bytes]:
    edition = (folder / "edition").read_text()
    return {"index.md": f"# Start {edition}\n", f"a/only-{edition}.md": "# Page\n"}


def _site(folder: Path) -> None:
    sync_tree(_tree(folder), folder / "docs")
    build_site(folder / "docs", folder / "site")


def _built(folder: Path) -> str:
    site = folder / "site"
    if not site.exists():
        return "nothing"
    pages = sorted(path.relative_to(site).as_posix() for path in site.rglob("*"))
    return str([hash((site / "index.html").read_bytes()), pages])


def _sheets(folder: Path) -> None:
    """Sheets and keys, over those of another draw, beside what an instructor wrote."""
    made = made_sheet(int((folder / "edition").read_text()))
    write_handouts([made], HandoutOptions(formats=("html", "gift")), folder / "out")


def _noted(folder: Path, edition: int) -> None:
    """A note of somebody, in the folder that the first run wrote."""
    _pages(folder, edition)
    if edition != 1:
        (folder / "out" / "notes").mkdir()
        (folder / "out" / "notes" / "mine.txt").write_text("mine")


def _draw(folder: Path, edition: int) -> None:
    made_sheet(edition)  # kept by the process that all others are forked of
    _noted(folder, edition)


def _answers(folder: Path, edition: int) -> None:
    _noted(folder, edition)
    key = json.loads(json.dumps(make_key_document(made_sheet(1).sheet)))
    keys_in(folder / "keys", key)
    hand_in(folder / "in", [answers(key, "Ada", {"wall": f"{edition} s"})])


def _grade(folder: Path) -> None:
    grade_files([folder / "in"], folder / "keys", folder / "out", print)


def _tables(folder: Path) -> Iterator[tuple[str, pa.Table]]:
    about = {arrow_tables.ABOUT: json.dumps({"units": {}, "definitions": {"x": ""}})}
    edition = int((folder / "edition").read_text())
    for name in ("metrics", "findings", f"only{edition}"):
        yield name, pa.table({"x": [edition] * 9}).replace_schema_metadata(about)


def _export(folder: Path) -> None:
    with patch("perfolio.exporters.export_files._read_tables", lambda *_: _tables(folder)):
        export_files.export(folder, None, "csv", folder / "out")


def _partition(folder: Path) -> None:
    _ingest(folder)
    with open_store(folder / "s.duckdb") as connection:
        ((run,),) = connection.execute("SELECT max(run) FROM run").fetchall()
        export_runs(connection, {run: "x"}, folder / "out", get_edition())


def _partitioned(folder: Path) -> str:
    """What the folder of the run says, but where its profile lies."""
    run = folder / "out" / "run=x"
    return _held(run, "run.parquet") if run.exists() else "nothing"


def _page(folder: Path) -> None:
    with patch("perfolio.pipeline.report_files.report_tree", lambda *_: _tree(folder)):
        write_reports([], folder / "out")


def _file(folder: Path) -> None:
    print_or_write((folder / "edition").read_text() * 10_000, folder / "out")


def _out(folder: Path) -> str:
    path = folder / "out"
    return path.read_text() if path.exists() else "nothing"


def _recording(folder: Path) -> None:
    """As programs are recorded: files of others are written into the new folder."""
    try:
        with replace_folder(folder / "out") as partial:
            for name in ("trace.json", "profile.toml"):
                (partial / name).write_text((folder / "edition").read_text() * 10_000)
    except OSError as problem:  # as each command does
        raise OutputError(f"{problem}") from problem


def _held(folder: Path, without: str = "mine.txt") -> str:
    """Names and content of the files below a folder."""
    if not folder.exists():
        return "nothing"
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != without)
    return str([(path.relative_to(folder).as_posix(), hash(path.read_bytes())) for path in paths])


def _tree_held(folder: Path) -> str:
    """What was written; the note must be there as long as anything is."""
    out, is_noted = folder / "out", (folder / "edition").read_text() == "2"
    told = _held(out)
    if is_noted and out.exists() and not (out / "notes" / "mine.txt").is_file():
        return f"no note in {told}"
    return told


def _add_input(folder: Path) -> None:
    add_input(create_lake(folder / "out"), (folder / "edition").read_text())


def _fill_lake(folder: Path, edition: int) -> None:
    _pages(folder, edition)
    for name in "abc" if edition == 1 else "de":
        add_input(create_lake(folder / "out"), name)


def _compact(folder: Path) -> None:
    compact_lake(Lake(folder / "out"), QuietProgress())


def _lake_held(folder: Path) -> str:
    """The runs that a lake has."""
    if not (folder / "out" / "lake.json").exists():
        return "nothing"
    with open_lake(Lake(folder / "out")) as connection:
        rows = connection.execute("SELECT run, name FROM run ORDER BY ALL").fetchall()
        parts = connection.execute("SELECT run, sum(ns) FROM part GROUP BY ALL ORDER BY ALL")
        return str([rows, parts.fetchall()])


WRITTEN = frozenset({"edition", "out"})
OPERATIONS = {
    "first ingest": Operation(
        _database, _ingest, _stored, 0, frozenset({"x.d", "s.duckdb"})
    ),
    "second ingest": Operation(
        _database, _ingest, _stored, 1, frozenset({"x.d", "s.duckdb"})
    ),
    "simulation": Operation(
        _scenario, _simulate, _simulated, 1, frozenset({"scenario.toml", "made.d"})
    ),
    "site": Operation(_pages, _site, _built, 1, frozenset({"edition", "docs", "site"})),
    "sheets": Operation(_draw, _sheets, _tree_held, 1, WRITTEN),
    "grades": Operation(_answers, _grade, _tree_held, 1, WRITTEN | {"in", "keys"}),
    "pages": Operation(_noted, _page, _tree_held, 1, WRITTEN),
    "export": Operation(_noted, _export, _tree_held, 1, WRITTEN),
    "exported runs": Operation(
        _database, _partition, _partitioned, 1, frozenset({"x.d", "s.duckdb", "out"})
    ),
    "file": Operation(_pages, _file, _out, 1, WRITTEN),
    "lake": Operation(_pages, _add_input, _lake_held, 1, WRITTEN),
    "compaction": Operation(_fill_lake, _compact, _lake_held, 1, WRITTEN),
    "recording": Operation(_pages, _recording, lambda folder: _held(folder / "out"), 1, WRITTEN),
}  # fmt: skip


def _in_place(folder: Path) -> None:
    with (folder / "out").open("w") as file:
        file.write((folder / "edition").read_text() * 10_000)
    (folder / "done").touch()
    (folder / "done").unlink()


WRITING = {
    "audit output": "file",
    "brief output": "file",
    "build single": "file",
    "build site": "site",
    "build store": "second ingest",
    "check output": "file",
    "compare output": "site",
    "export place": "export",
    "fleet report site_folder": "site",
    "fleet site site_folder": "site",
    "grade output": "grades",
    "handout output": "file",
    "history site site": "site",
    "ingest export": "exported runs",
    "ingest store": "first ingest",
    "predict collective output": "file",
    "predict decode output": "file",
    "predict memory output": "file",
    "predict training output": "file",
    "promises add path": "file",
    "record output": "recording",
    "report docs": "pages",
    "scaling output": "site",
    "simulate output": "simulation",
    "whatif output": "file",
    "workload run output": "recording",
    "worksheet build output": "sheets",
    "worksheet export output": "file",
}
"""By command and parameter that names an output: the operation that writes as it does."""


DEFECTIVE = {
    "in place": Operation(_pages, _in_place, _out, 1, frozenset({"edition", "out"})),
}
"""What does it wrong, and must be found out."""
