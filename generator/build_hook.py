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
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_PROGRAM = "perfolio.pipeline.prepared_cache"


class PreparedContentHook(BuildHookInterface[Any]):
    """Runs before the files of a wheel are collected, and before a checkout is installed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write `prepared/` with the packages of the Python that builds."""
        del version, build_data
        generator = Path(self.root) / "generator"
        done = subprocess.run(  # noqa: S603 - ours
            [sys.executable, "-m", _PROGRAM],
            env=os.environ | {"PYTHONPATH": str(generator), "PYTHONHASHSEED": "0"},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            shutil.rmtree(generator / "perfolio" / "prepared", ignore_errors=True)
            problem = (done.stderr.strip() or "it ended").splitlines()[-1]
            self.app.display_warning(f"nothing is prepared for the first report: {problem}")
