"""The command as a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

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
