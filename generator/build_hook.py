"""Lets a wheel hold what the first report of each user would make again.

In:  the package as it is built or installed. Out: `perfolio/prepared/`, which
`perfolio.pipeline.prepared_cache` writes. That needs the packages with which Perfolio runs: where
a build has none of them, the wheel holds nothing prepared, and first reports take longer.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_PROGRAM = "perfolio.pipeline.prepared_cache"


class PreparedContentHook(BuildHookInterface[Any]):
    """Runs before the files of a wheel are collected, and before a checkout is installed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write `prepared/` with the packages of the Python that builds."""
        del build_data
        generator = Path(self.root) / "generator"
        shutil.rmtree(generator / "perfolio" / "prepared", ignore_errors=True)
        with tempfile.TemporaryDirectory() as cache:
            problem = prepare_content(generator, Path(cache), steady=version != "editable")
        if problem:
            self.app.display_warning(f"nothing is prepared for the first report: {problem}")


def prepare_content(generator: Path, cache: Path, *, steady: bool) -> str:
    """Run what writes `prepared/`, with its own cache folder: what prevents that, or nothing."""
    own = {"PYTHONPATH": str(generator), "PYTHONHASHSEED": "0", "XDG_CACHE_HOME": str(cache)}
    command = [sys.executable, "-P", "-m", _PROGRAM]  # -P: nothing of the current folder
    command += ["--steady"] if steady else []
    done = subprocess.run(  # noqa: S603 - ours
        command,
        env=os.environ | own,
        capture_output=True,
        text=True,
        check=False,
    )
    return (done.stderr.strip() or "it ended").splitlines()[-1] if done.returncode else ""
