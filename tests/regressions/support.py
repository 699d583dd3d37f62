"""A database to damage, and ways to damage it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from perfolio.readers import registry
from perfolio.readers.run_description import RunDescription
from perfolio.store.ingest import IngestedRun, ingest
from tests.kit.databases import Shape, write_database

SHAPE = Shape(depth=2, fan_out=3, profiles=2, points=12)
"""Thirteen contexts, two threads and their traces."""
Bytes = dict[str, bytearray]
Damage = Callable[[Bytes], None]


def get(data: bytearray, offset: int, width: int = 8) -> int:
    """An unsigned integer."""
    return int.from_bytes(data[offset : offset + width], "little")


def put(data: bytearray, offset: int, value: int, width: int = 8) -> None:
    """Write an unsigned integer."""
    data[offset : offset + width] = value.to_bytes(width, "little")


def infos(data: bytearray) -> list[int]:
    """Where the structures {PI} of profile.db, or {CTH} of trace.db, lie."""
    head = get(data, 24)
    first, count, step = get(data, head), get(data, head + 8, 4), get(data, head + 12, 1)
    return [first + i * step for i in range(count)]


def made(folder: Path, shape: Shape = SHAPE) -> Path:
    """The sound database."""
    return write_database(folder / "x.d", shape)


def damaged(folder: Path, damage: Damage, shape: Shape = SHAPE) -> Path:
    """The database after `damage` to its bytes."""
    database = made(folder, shape)
    files = {path.name: bytearray(path.read_bytes()) for path in database.iterdir()}
    damage(files)
    for name, data in files.items():
        (database / name).write_bytes(data)
    return database


def stored(database: Path, store: Path) -> IngestedRun:
    """What becomes of a database in a store."""
    (result,) = ingest([(registry.read(database), RunDescription())], store)
    return result


def apart(code: str, *arguments: object, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """Run Python code in a process of its own, which may die."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    root = Path(__file__).parents[2]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=timeout, check=False, cwd=root
    )
