"""What is done while faults happen: each writes something below a folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from unittest.mock import patch

from generator.simulation.simulate import simulate_file
from generator.site.build import build_site
from generator.site.sync import sync_tree
from generator.sources import registry
from generator.sources.description import Description
from generator.store.connect import open_store
from generator.store.derive import derive
from generator.store.ingest import ingest
from tests.databases import Shape, write_database

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


def _database(folder: Path, edition: int) -> None:
    write_database(folder / "x.d", Shape(seed=edition, depth=3, fan_out=6, points=3_000))


def _ingest(folder: Path) -> None:
    with patch("generator.store.ingest.derive", partial(derive, only=DERIVED)):
        ingest([(registry.read(folder / "x.d"), Description())], folder / "s.duckdb")


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
}  # fmt: skip


def _in_place(folder: Path) -> None:
    with (folder / "out").open("w") as file:
        file.write((folder / "edition").read_text() * 10_000)
    (folder / "done").touch()
    (folder / "done").unlink()


def _out(folder: Path) -> str:
    path = folder / "out"
    return path.read_text() if path.exists() else "nothing"


DEFECTIVE = {
    "in place": Operation(_pages, _in_place, _out, 1, frozenset({"edition", "out"})),
}
"""What does it wrong, and must be found out."""
