"""Small inputs of all formats but HPCToolkit's newest, and changes by what each is made of."""

from __future__ import annotations

import gzip
import json
import re
import sqlite3
import tempfile
import zlib
from collections.abc import Callable
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tests.readers.hatchet.files import write_caliper
from tests.readers.nsys_files import of_2022, of_2025, report, write_parquet, write_sqlite
from tests.readers.rocm_files import chrome_events, sdk_document, v1_csv, write_csv, write_rocpd
from tests.readers.test_kineto import EVENTS, document
from tests.readers.witnesses.samples import FILES
from tests.readers.witnesses.snapshots import dumped, two_devices

Files = dict[str, bytes]
"""The files of one input, by name."""
NUMBERS = (
    "0", "-1", "1", "4.5", "-0.0", "1e18", "1e19", "1e308", "-1e308", "1e400", "1e-400", "NaN",
    "nan", "Infinity", "-inf", "0x1F", "1,234,567", "1_000", "\u0661\u0662", "\u00b2", "true",
    "null", '""', "[]", "{}", '"9"', "", "9" * 30, "9" * 5_000,
    *(str(each) for each in (2**31, 2**32, 2**62, 2**63, 2**64, -(2**63) - 1)),
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1, 7.25, 2**31, 2**53, 2**62, 2**63 - 1, -(2**63), 1e308, -1e308, "", "x",
    "9", "\u0661", "x" * 70_000, "\0", "\ud800", [], {}, [[]], [None], {"a": None}, [1, 2, 3],
    {"handle": 2**70},
)  # fmt: skip
CELLS: tuple[Any, ...] = (
    None, -1, 0, 2**31, 2**62, 2**63 - 1, -(2**63), 0.5, 1e308, float("inf"), "", "x", "9" * 5_000,
    b"\0\xff", "x" * 70_000,
)  # fmt: skip
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def _folder(write: Callable[[Path], object]) -> Files:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "made"
        folder.mkdir()
        write(folder)
        found = sorted(path for path in folder.rglob("*") if path.is_file())
        return {str(path.relative_to(folder)): path.read_bytes() for path in found}


@cache
def inputs() -> dict[str, Files]:
    """One or more of each format."""
    trace = json.dumps(document(EVENTS)).encode()
    ranks = {
        f"rank{rank}.json": json.dumps(
            document(EVENTS, distributedInfo={"rank": rank, "world_size": 2})
        ).encode()
        for rank in range(2)
    }
    chrome = json.dumps({"traceEvents": [{}, *chrome_events()]}).encode()
    return {
        "kineto": {"trace.json": trace},
        "kineto gz": {"trace.json.gz": gzip.compress(trace, mtime=0)},
        "kineto ranks": ranks,
        "nsys sqlite": _folder(lambda folder: write_sqlite(folder / "r.sqlite", report())),
        "nsys 2022": _folder(lambda folder: write_sqlite(folder / "r.sqlite", of_2022(report()))),
        "nsys 2025": _folder(lambda folder: write_sqlite(folder / "r.sqlite", of_2025(report()))),
        "nsys parquet": _folder(lambda folder: write_parquet(folder / "r_pqtdir", report())),
        "rocpd": _folder(lambda folder: write_rocpd(folder / "r.db")),
        "rocprofv3 csv": _folder(lambda folder: write_csv(folder / "out")),
        "rocprofv3 json": {"out.json": json.dumps(sdk_document()).encode()},
        "rocprof csv": {"results.csv": v1_csv().encode()},
        "rocprof json": {"results.json": chrome},
        "caliper json": _folder(lambda folder: write_caliper(folder / "c.json")),
        "snapshot": {"snapshot.pickle": dumped(two_devices())},
        **{Path(name).stem: {name: text.encode()} for name, text in FILES.items()},
    }


def changed(files: Files, rng: Random) -> Files:
    """The files with one to four changes of one of them."""
    found = dict(files)
    name = rng.choice(sorted(found))
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        found[name] = _changed(name, found[name], rng)
    return found


def _changed(name: str, data: bytes, rng: Random) -> bytes:
    if name.endswith(".gz") and rng.random() < 0.8:
        with suppress(OSError, EOFError, ValueError, zlib.error):
            text = _changed(name.removesuffix(".gz"), gzip.decompress(data), rng)
            cut = rng.randrange(len(text) + 1) if rng.random() < 0.3 else 0
            return b"".join(gzip.compress(each, mtime=0) for each in (text[:cut], text[cut:]))
    if data.startswith(b"SQLite") and rng.random() < 0.8:
        with suppress(sqlite3.Error, OverflowError, UnicodeError):
            return _database(data, rng)
    if data[:1] in (b"{", b"[") and rng.random() < 0.6:
        with suppress(ValueError, RecursionError):
            return _document(data, rng)
    if not data:
        return b"\0"
    is_text = name.endswith((".json", ".csv", ".log", ".txt", ".jsonl"))
    return rng.choice((_number, _number, _lines, _bytes) if is_text else (_bytes,))(data, rng)


def _bytes(data: bytes, rng: Random) -> bytes:
    at, length = rng.randrange(len(data)), rng.choice((0, 1, 1, 2, 4, 8, 64))
    other = rng.randrange(len(data))
    put = rng.choice(
        (b"", rng.randbytes(rng.randint(1, 8)), b"\0" * 8, b"\xff" * 8,
         data[other : other + rng.choice((1, 4, 8, 40, 400))],
         bytes([data[at] ^ 1 << rng.randrange(8)]))
    )  # fmt: skip
    return data[:at] if rng.random() < 0.1 else data[:at] + put + data[at + length :]


def _number(data: bytes, rng: Random) -> bytes:
    """A number becomes another, or what is none."""
    places = [found.span() for found in _NUMBER.finditer(data)]
    if not places:
        return data
    begin, end = rng.choice(places)
    other, until = rng.choice(places)
    put = data[other:until] if rng.random() < 0.2 else rng.choice(NUMBERS).encode()
    return data[:begin] + put + data[end:]


def _lines(data: bytes, rng: Random) -> bytes:
    """Lines or cells are lost, doubled, exchanged or cut."""
    sign = rng.choice((b"\n", b"\n", b",", b" "))
    parts = data.split(sign)
    one, two = rng.randrange(len(parts)), rng.randrange(len(parts))
    change = rng.randrange(5)
    if change == 0:
        del parts[one]
    elif change == 1:
        parts[one:one] = [parts[two]] * rng.choice((1, 1, 2, 3_000))
    elif change == 2:
        parts[one], parts[two] = parts[two], parts[one]
    elif change == 3:
        parts[one] = parts[one][: rng.randrange(len(parts[one]) + 1)]
    else:
        return sign.join(parts[: one + 1])
    return sign.join(parts)


def _document(data: bytes, rng: Random) -> bytes:
    """A value of JSON becomes another, is lost, doubled, or put elsewhere."""
    root = [json.loads(data)]
    places = list(_places(root))
    holder, key = rng.choice(places)
    change = rng.randrange(5)
    if change < 2:
        holder[key] = rng.choice(VALUES)
    elif change == 2:
        del holder[key]
    elif change == 3:
        other, name = rng.choice(places)
        holder[key] = other[name]
    elif isinstance(holder, list):
        holder[key:key] = [holder[key]] * rng.choice((1, 2, 3_000))
    else:
        holder[rng.choice(("x", "ts", "dur", "args", "name", ""))] = holder.pop(key)
    text = json.dumps(root[0] if root else None)
    return text[:4_000_000].encode("utf-8", "surrogatepass")


def _places(value: Any) -> Any:
    keys = value if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


def _database(data: bytes, rng: Random) -> bytes:
    """A cell becomes another value, a row or column is lost or doubled, a table renamed."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(data)
        found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        table = rng.choice(sorted(name for (name,) in found.fetchall()))
        columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
        column, other = rng.choice(columns), rng.choice(columns)
        value = rng.choice(CELLS)
        some = "WHERE rowid % 2" if rng.random() < 0.3 else ""
        sql, values = rng.choice((
            (f'UPDATE "{table}" SET "{column}" = ? {some}', (value,)),
            (f'UPDATE "{table}" SET "{column}" = ? {some}', (value,)),
            (f'UPDATE "{table}" SET "{column}" = "{other}"', ()),
            (f'DELETE FROM "{table}" {some}', ()),
            (f'INSERT INTO "{table}" SELECT * FROM "{table}"', ()),
            (f'ALTER TABLE "{table}" RENAME COLUMN "{column}" TO "{rng.choice(("x", "end"))}"', ()),
        ))  # fmt: skip
        connection.execute(sql, values)
        connection.commit()
        return connection.serialize()
