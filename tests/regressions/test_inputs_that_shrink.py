"""A file that became shorter while it was mapped ended the process with SIGBUS."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.databases import Shape
from tests.regressions.support import apart, made

_CODE = """
import os, sys
from pathlib import Path
from perfolio.common.errors import InputError
from perfolio.readers import registry
from perfolio.readers.run_description import RunDescription
from perfolio.store.ingest import ingest
folder, name, store = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
source = registry.read(folder)
os.truncate(folder / name, 4096)
try:
    ingest([(source, RunDescription())], store)
except InputError as problem:
    print(problem)
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["profile.db", "trace.db"])
def test_it_ends_in_one_line(name: str, tmp_path: Path) -> None:
    database = made(tmp_path, Shape(depth=4, fan_out=8, profiles=2, points=10_000))
    done = apart(_CODE, database, name, tmp_path / "s.duckdb")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{database / name}: the file became shorter while it was read" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["x.d"]
