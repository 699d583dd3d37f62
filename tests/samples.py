"""The samples of the project, and what is known of each: once in a run of the tests."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from generator.pipeline import Documents, documents_of, ingest_paths
from generator.simulation.simulate import is_current, simulate_file
from tests.shared import ROOT

PROFILES = ROOT / "profiles"
SCENARIOS = sorted(path.parent.name for path in PROFILES.glob("*/scenario.toml"))
SAMPLES = sorted(path.name for path in PROFILES.iterdir() if path.is_dir())


@cache
def sample_documents(name: str) -> Documents:
    """The documents of the sample `name`: of its database, or of what its scenario gives."""
    with tempfile.TemporaryDirectory(prefix="perfolio-") as folder:
        work = Path(folder)
        path = _simulated(name, work) if name in SCENARIOS else PROFILES / name
        return documents_at(path, work / "store.duckdb")


def documents_at(path: Path, store: Path) -> Documents:
    """The documents of the one database at `path`."""
    ingest_paths([path], store)
    (made,) = documents_of(store)
    return made


def _simulated(name: str, folder: Path) -> Path:
    """Its database: that which is there already, if it is what the scenario gives."""
    scenario = PROFILES / name / "scenario.toml"
    made = ROOT / ".cache" / "profiles" / f"{name}.d"
    if is_current(scenario, made):
        return made
    return simulate_file(scenario, folder / f"{name}.d").folder
