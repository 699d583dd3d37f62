"""What a person may give to a command: one of each kind, small; and commands that do little else.

In:  a folder. Out: the place of each kind by its name.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb

from perfolio.findings.document_format import shorten_document
from perfolio.pipeline.build_context import Context, RunDocuments
from perfolio.pipeline.run_documents import export_ingested, ingest_paths
from perfolio.readers.run_files import read_run
from perfolio.store.database import open_store
from perfolio.store.ingest import IngestedRun
from tests.kit.databases import write_database
from tests.kit.samples import sample_documents
from tests.readers import nsys_files, rocm_files
from tests.readers.hatchet import files as hatchet_files
from tests.readers.test_kineto import EVENTS, document
from tests.readers.test_kineto import written as write_trace
from tests.readers.test_witnesses import NCCL

SCENARIO = """iterations = 6
iteration = ["a"]
[kernels.k]
name = "k"
time = "50 us"
[phases.a]
steps = [{cpu = "20 ms"}, {kernel = "k"}]
"""


def _trace(place: Path) -> None:
    write_trace(place.parent, document(EVENTS), place.name)


def _trace_folder(place: Path) -> None:
    place.mkdir()
    write_trace(place, document(EVENTS), "only.json")


def _ranks(place: Path) -> None:
    place.mkdir()
    for rank in range(2):
        told = {"rank": rank, "world_size": 2}
        write_trace(place, document(EVENTS, distributedInfo=told), f"rank{rank}.json.gz")


def _runs(place: Path) -> None:
    for name in ("one", "two"):
        (place / name).mkdir(parents=True)
        write_trace(place / name, document(EVENTS), "t.json")


def _text(content: str) -> Callable[[Path], None]:
    def write(place: Path) -> None:
        place.write_text(content, encoding="utf-8")

    return write


def _rocm_table(place: Path) -> None:
    columns, row = rocm_files.KERNEL_COLUMNS, rocm_files.KERNEL
    place.write_text(rocm_files.csv_text(columns, row), encoding="utf-8")


def _store(place: Path) -> None:
    write_trace(place.parent, document(EVENTS), ".stored.json")
    ingest_paths([place.with_name(".stored.json")], place)


def _exported(place: Path) -> None:
    with_store = place.with_name(".exported.duckdb")
    write_trace(place.parent, document(EVENTS), ".exported.json")
    runs = ingest_paths([place.with_name(".exported.json")], with_store)
    export_ingested(with_store, runs, place)


def _findings(place: Path) -> None:
    told = shorten_document(_sample().findings)
    told["metrics"]["run"] = {**told["metrics"]["run"], "path": "gone.d"}
    place.write_text(json.dumps(told), encoding="utf-8")


def _scenario(place: Path) -> None:
    place.mkdir()
    (place / "scenario.toml").write_text(SCENARIO, encoding="utf-8")


def _site(place: Path) -> None:
    (place / "sample").mkdir(parents=True)
    (place / "index.html").touch()
    _findings(place / "sample" / "findings.json")


KINDS: Mapping[str, tuple[str, Callable[[Path], object]]] = {
    "trace": ("trace.json", _trace),
    "packed trace": ("packed.json.gz", _trace),
    "folder of a trace": ("single", _trace_folder),
    "ranks": ("ranks", _ranks),
    "runs": ("runs", _runs),
    "nsys": ("report.sqlite", lambda p: nsys_files.write_sqlite(p, nsys_files.report())),
    "nsys parquet": ("parquet", lambda p: nsys_files.write_parquet(p, nsys_files.report())),
    "hpctoolkit": ("run.d", write_database),
    "hpctoolkit 3": ("old.d", hatchet_files.write_database),
    "cProfile": ("program.prof", hatchet_files.write_recursion),
    "rocm folder": ("rocm", rocm_files.write_csv),
    "rocm table": ("kernels.csv", _rocm_table),
    "rocm json": ("results.json", lambda p: p.write_text(json.dumps(rocm_files.sdk_document()))),
    "witness": ("all_reduce.log", _text(NCCL)),
    "store": ("store.duckdb", _store),
    "exported": ("exported", _exported),
    "findings": ("findings.json", _findings),
    "scenario": ("scenario", _scenario),
    "scenario file": ("training.toml", _text(SCENARIO)),
    "site": ("site", _site),
    "text": ("notes.txt", _text("Nothing that a tool wrote.\n")),
    "empty folder": ("empty", Path.mkdir),
    "nothing": ("gone", lambda _: None),
}


def write_subjects(folder: Path) -> dict[str, Path]:
    """One of each kind, each in a folder of its own."""
    made = {}
    for kind, (name, write) in KINDS.items():
        place = folder / kind.replace(" ", "-") / name
        place.parent.mkdir(parents=True)
        write(place)
        made[kind] = place
    return made


@cache
def _sample() -> RunDocuments:
    return sample_documents("dlrm-cpu")


def _documents(
    place: tuple[duckdb.DuckDBPyConnection, int], _store: Path, context: Context
) -> RunDocuments:
    """Those of a sample, by the name of a run: what is in them is not looked at."""
    del context
    connection, run = place
    ((slug,),) = connection.execute("SELECT slug FROM run WHERE run = ?", [run]).fetchall()
    metrics, findings = _sample().metrics, _sample().findings
    metrics = {**metrics, "run": {**metrics["run"], "slug": slug}}
    told = {"run": {**findings["run"], "slug": slug}, "metrics": metrics}
    return RunDocuments(metrics, {**findings, **told})


def _wrote(one: RunDocuments, _charts: object, docs: Path, *_: object) -> list[str]:
    (docs / one.slug).mkdir(parents=True)
    (docs / one.slug / "index.md").write_text("A page.\n")
    return []


def _built(docs: Path, site: Path, **_: Any) -> bool:
    assert list(docs.rglob("*.md"))
    site.mkdir(parents=True, exist_ok=True)
    (site / "index.html").touch()
    return True


def _touched(*given: Any) -> None:
    next(one for one in given if isinstance(one, Path)).touch()


class Kept:
    """Profiles that are read once, by whichever command, and of which a store has the names."""

    def __init__(self) -> None:
        self._read: dict[Path, Any] = {}
        self._stores: set[Path] = set()

    def read(self, path: Path, ranks: Sequence[Any] = ()) -> Any:
        """What the reader of a profile gives."""
        assert not ranks
        if path not in self._read:
            self._read[path] = read_run(path)
        return self._read[path]

    def ingest(self, sources: Sequence[Any], store: Path, _: Any) -> list[IngestedRun]:
        """A store that has no more than that."""
        names = [source.path.name.partition(".")[0] for source, _ in sources]
        runs = [
            IngestedRun(number, name if number == 1 else f"{name}-{number}", 1, changed=True)
            for number, name in enumerate(names, 1)
        ]
        with duckdb.connect(str(store)) as connection:
            connection.execute("CREATE TABLE run (run INTEGER, slug VARCHAR)")
            connection.executemany("INSERT INTO run VALUES (?, ?)", [[r.run, r.slug] for r in runs])
        self._stores.add(store)
        return runs

    def open_store(self, store: Path, **how: Any) -> duckdb.DuckDBPyConnection:
        """Such a store, or a real one."""
        if store in self._stores:
            return duckdb.connect(str(store), read_only=True)
        return open_store(store, **how)


@contextmanager
def little_made(kept: Kept) -> Iterator[None]:
    """Let commands find and read what they are given, and measure, draw and print nothing."""
    _sample()  # before it would be made of itself
    little: Mapping[str, Any] = {
        "perfolio.pipeline.run_documents._measure_run": _documents,
        "perfolio.pipeline.run_documents.ingest": kept.ingest,
        "perfolio.pipeline.run_documents.read_run": kept.read,
        "perfolio.pipeline.run_documents.open_store": kept.open_store,
        "perfolio.site.single.assembly.build_single_file": lambda *_: "<p>One file.</p>",
        "perfolio.pipeline.reports.build_site": _built,
        "perfolio.pipeline.reports.draw_charts": lambda *_: {},
        "perfolio.pipeline.reports.write_report": _wrote,
        "perfolio.pages.pdf_printing.check_printable": lambda: None,
        "perfolio.pipeline.printed_brief.write_brief": _touched,
        "perfolio.classroom.handouts.make_run_sheets": lambda *_, **__: ([], []),
        "perfolio.classroom.handouts.write_handouts": lambda *_: [],
    }
    with ExitStack() as patched:
        for name, made in little.items():
            patched.enter_context(patch(name, made))
        yield
