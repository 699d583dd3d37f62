"""A project's scenarios: each is simulated when it, its base or the simulator has changed."""

from __future__ import annotations

import shutil
from pathlib import Path

from generator.progress import Progress
from generator.simulation.simulate import TRUTH, is_current, simulate_file

SCENARIO = "scenario.toml"


def refresh(profiles: Path, made: Path, progress: Progress | None = None) -> list[Path]:
    """Databases of all `profiles/<name>/scenario.toml`, as `<name>.d` below `made`.

    Those of scenarios that are gone are removed. Raises UsageError and OutputError.
    """
    found = [_refreshed(path, made, progress) for path in sorted(profiles.glob(f"*/{SCENARIO}"))]
    for other in made.glob("*.d"):
        if other not in found and (other / TRUTH).is_file():
            shutil.rmtree(other)
    return found


def _refreshed(scenario: Path, made: Path, progress: Progress | None) -> Path:
    folder = made / f"{scenario.parent.name}.d"
    if not is_current(scenario, folder):
        made.mkdir(parents=True, exist_ok=True)
        simulate_file(scenario, folder, progress=progress)
    return folder
