"""How fast the command starts: what it does not need, it does not import."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from perfolio.store.database import create_store

HEAVY = ("altair", "duckdb", "jinja2", "mkdocs", "numpy", "pyarrow", "rich", "vl_convert", "yaml")
CODE = """
import sys
from perfolio.cli.main import main
main(sys.argv[1:], standalone_mode=False)
print("imported", *(name for name in {heavy} if name in sys.modules))
"""


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [(["--help"], []), (["build", "--help"], []), (["query", "{store}", "FROM run"], ["duckdb"])],
    ids=["help", "build-help", "query"],
)
def test_nothing_is_imported_in_vain(
    tmp_path: Path, arguments: list[str], needed: list[str]
) -> None:
    store = tmp_path / "s.duckdb"
    create_store(store).close()
    given = [each.format(store=store) for each in arguments]
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(heavy=HEAVY), *given],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1].split()[1:] == needed
