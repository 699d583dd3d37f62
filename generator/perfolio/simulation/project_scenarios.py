"""A project's scenarios: each is simulated when it, its base or the simulator has changed.

What its profile.toml says can change without that.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from perfolio.common.processes import map_in_processes
from perfolio.common.progress import Progress, QuietProgress
from perfolio.readers.own_files import SCENARIO, TRUTH
from perfolio.simulation.simulate import is_current, simulate_file, update_description


def refresh(profiles: Path, made: Path, progress: Progress | None = None) -> list[Path]:
    """Databases of all `profiles/<name>/scenario.toml`, as `<name>.d` below `made`.

    Those of scenarios that are gone are removed. Raises UsageError and OutputError.
    """
    told = progress or QuietProgress()
    scenarios = sorted(profiles.glob(f"*/{SCENARIO}"))
    found = [made / f"{path.parent.name}.d" for path in scenarios]
    pairs = list(zip(scenarios, found, strict=True))
    stale = [(path, folder) for path, folder in pairs if not is_current(path, folder)]
    if stale:
        made.mkdir(parents=True, exist_ok=True)
        told.start("simulating", len(stale))
    for _ in map_in_processes(_simulate_scenario, stale):
        told.advance(1)
    for path, folder in pairs:
        update_description(path, folder)
    for other in made.glob("*.d"):
        if other not in found and (other / TRUTH).is_file():
            shutil.rmtree(other)
    return found


def _simulate_scenario(given: tuple[Path, Path]) -> None:
    scenario, folder = given
    simulate_file(scenario, folder)
