"""The command as a process: what it does not need, it does not import."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from perfolio.store.database import create_store
from tests.kit.databases import write_database
from tests.kit.shared import ROOT


@pytest.mark.slow
def test_no_command_waits_for_pandas(tmp_path: Path) -> None:
    """PyArrow imports it of itself for each list; here it is one that tells."""
    (tmp_path / "pandas.py").write_text(
        "from pathlib import Path; Path(__file__).with_name('imported').touch()"
    )
    database = write_database(tmp_path / "x.d")
    done = subprocess.run(
        [sys.executable, "-m", "perfolio", "info", str(database)],
        env=os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / "imported").exists()


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
