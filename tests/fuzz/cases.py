"""One case: a changed database, and what became of it."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from perfolio.common.errors import InputError, InvariantError, PerfolioError
from perfolio.readers import registry
from perfolio.readers.model import Source
from perfolio.readers.run_description import RunDescription
from perfolio.store.database import create_store, open_store
from perfolio.store.ingest import ingest
from tests.fuzz.seeds import NAMES, Files
from tests.oracle.compare import difference
from tests.oracle.decoder import Decoder

READ, REFUSED, STORED, CRASH, DIFFERENT = "read", "refused", "stored", "crash", "different"


@dataclass(frozen=True)
class Outcome:
    """What became of a case, and a text that is the same for cases of one kind."""

    kind: str
    says: str
    stored: str = ""
    """What became of it in a store, if it was read and was to be stored."""


class Place:
    """A folder in which cases are written one after another."""

    def __init__(self, folder: Path) -> None:
        self.database, self.store = folder / "db", folder / "store.duckdb"
        self.template = folder / "template.duckdb"
        self.database.mkdir(parents=True)
        self.written: Files = {}

    def write(self, files: Files) -> None:
        """Write what differs from the case before."""
        for name in NAMES:
            path = self.database / name
            if name not in files:
                path.unlink(missing_ok=True)
            elif self.written.get(name) != files[name]:
                path.write_bytes(files[name])
        self.written = dict(files)

    def empty_store(self) -> Path:
        """A store without runs."""
        if not self.template.exists():
            with create_store(self.template) as connection:
                connection.execute("CHECKPOINT")
        shutil.copyfile(self.template, self.store)
        return self.store


def run_case(files: Files, place: Place, *, stored: bool = False) -> Outcome:
    """Read a database to the end, compare it with the second decoder, and store it if asked."""
    place.write(files)
    try:
        source = registry.read(place.database)
        tables = {
            k: pa.Table.from_batches(s.batches(), s.schema) for k, s in source.streams.items()
        }
    except (InputError, InvariantError) as problem:
        return _refusal(problem, place)
    except Exception as problem:  # noqa: BLE001 - any other is what is looked for
        return Outcome(CRASH, f"{type(problem).__name__}: {problem}"[:300])
    try:
        differs = difference(source, tables, files)
    except Exception as problem:  # noqa: BLE001 - accepted, and not what the format says
        return Outcome(DIFFERENT, f"the decoder: {type(problem).__name__}: {problem}"[:200])
    if differs:
        return Outcome(DIFFERENT, differs)
    notes = "; ".join(re.sub(r"[\d,]+", "#", warning) for warning in source.warnings)
    return Outcome(READ, notes, _stored(source, files, place) if stored else "")


def _refusal(problem: PerfolioError, place: Place) -> Outcome:
    text = str(problem)
    if "\n" in text or str(place.database) not in text:
        return Outcome(CRASH, f"not one line that names the file: {text}")
    return Outcome(REFUSED, re.sub(r"0x[0-9a-f]+|[\d,]+|'[^']*'", "#", text)[-200:])


def _stored(source: Source, files: Files, place: Place) -> str:
    """What became of the database in a store: `stored`, `refused`, or what is wrong."""
    store = place.empty_store()
    try:
        ingest([(source, RunDescription())], store)
    except PerfolioError as problem:
        with open_store(store) as connection:
            left = connection.execute("SELECT count(*) FROM run").fetchone()
        broken = "\n" in str(problem) or left != (0,)
        return f"{CRASH}: something was left" if broken else REFUSED
    except Exception as problem:  # noqa: BLE001 - any other is what is looked for
        return f"{CRASH}: {type(problem).__name__}: {problem}"[:300]
    return _held(store, files)


def _held(store: Path, files: Files) -> str:
    """Whether a store holds what the second decoder finds."""
    decoder = Decoder(files)
    costs = list(decoder.costs()) if "profile.db" in files else []
    points = list(decoder.points()) if "trace.db" in files else []
    base = 1 << 16
    expected = {
        "value": sorted(cost for cost in costs if cost[2] < base),
        "summary": sorted(cost[1:] for cost in costs if cost[2] >= base),
        "trace": sorted(points),
    }
    columns = {"value": "profile, context, metric, value", "summary": "context, metric, value"}
    with open_store(store) as connection:
        for table, rows in expected.items():
            names = columns.get(table, 'profile, "time", context')
            found = connection.execute(f"SELECT {names} FROM {table} ORDER BY ALL").fetchall()
            if found != rows:
                return f"{DIFFERENT}: {table}"
    return STORED
