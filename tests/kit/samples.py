"""Databases that many tests read, and what is known of each: made once, and kept."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.document import make_metrics_document, read_results, run_facts
from perfolio.metrics.model import Results
from perfolio.metrics.run_measurement import evaluate, list_metric_queries, load_tool_vocabulary
from perfolio.pipeline.build_context import RunDocuments
from perfolio.pipeline.run_documents import make_documents
from perfolio.readers import registry
from perfolio.readers.own_files import TRUTH
from perfolio.readers.run_description import RunDescription, read_description
from perfolio.readers.run_files import read_run
from perfolio.simulation.scenario import Scenario
from perfolio.simulation.scenario_parser import load
from perfolio.simulation.simulate import UNDESCRIBED, SimulatedRun, write_simulated
from perfolio.store.database import open_store
from perfolio.store.derived_tables import derive
from perfolio.store.ingest import ingest, remove_store
from tests.kit.kept import KNOWN, SIMULATED, STORED, digest_of, kept
from tests.kit.measurements import measured_once
from tests.kit.shared import ROOT
from tests.metrics.support import kept_read_by

PROFILES = ROOT / "profiles"
SCENARIOS = sorted(path.parent.name for path in PROFILES.glob("*/scenario.toml"))
SAMPLES = sorted(path.name for path in PROFILES.iterdir() if path.is_dir())
STORE = "store.duckdb"
_DOCUMENTS = ("metrics", "findings")
_METRICS = "metrics.json"


def sample_documents(name: str) -> RunDocuments:
    """The documents of the sample `name`: of its database, or of what its scenario gives."""
    return documents_at(sample_database(name))


def sample_database(name: str) -> Path:
    """The database of the sample `name`, or what its scenario gives."""
    if name in SCENARIOS:
        return simulated_sample(name).folder
    (database,) = registry.find(PROFILES / name)
    return database


def simulated_sample(name: str, seed: int | None = None) -> SimulatedRun:
    """What the scenario of a sample gives; None: with its own seed."""
    path = PROFILES / name / "scenario.toml"
    scenario = load(path)
    described = path.with_name("profile.toml").read_bytes()
    return simulated(scenario if seed is None else replace(scenario, seed=seed), name, described)


def simulated(
    scenario: Scenario, name: str = "scenario", description: bytes = UNDESCRIBED
) -> SimulatedRun:
    """What a scenario gives, in a folder `<name>.d`, with a profile.toml of these bytes."""

    def make(folder: Path) -> None:
        write_simulated(scenario, folder / f"{name}.d", description=description)

    digest = digest_of(repr(scenario), description.decode(), name, by=SIMULATED)
    database = kept(name, digest, make) / f"{name}.d"
    return SimulatedRun(database, json.loads((database / TRUTH).read_text("utf-8")))


@cache
def store_at(database: Path, hardware: str | None = None) -> Path:
    """A store with the one database as run 1, described by its profile.toml.

    With `hardware`, by that alone and no profile.toml.
    """
    told = _told(database, hardware)

    def make(folder: Path) -> None:
        ingest([(read_run(database)[0], told)], folder / STORE)

    return kept(f"store-{database.stem}", _of_database(database, told, STORED), make) / STORE


@cache
def documents_at(database: Path, hardware: str | None = None) -> RunDocuments:
    """The documents of the one database, described as in `store_at`."""

    def make(folder: Path) -> None:
        with measured_once():  # commands that read the same input need not measure it again
            (made,) = make_documents(store_at(database, hardware))
        for name in _DOCUMENTS:
            (folder / name).write_text(json.dumps(getattr(made, name)), "utf-8")

    digest = _of_database(database, _told(database, hardware), KNOWN)
    folder = kept(f"documents-{database.stem}", digest, make)
    metrics, findings = (json.loads((folder / name).read_text("utf-8")) for name in _DOCUMENTS)
    return RunDocuments(metrics, findings)


@cache
def results_at(database: Path, hardware: str | None = None) -> Results:
    """All metrics of the one database, described as in `store_at`."""
    return read_results(documents_at(database, hardware).metrics)


def some_results_at(database: Path, *names: str, hardware: str | None = None) -> Results:
    """Some metrics of the one database, described as in `store_at`: all take a second more."""
    return read_results(some_metrics_at(database, *names, hardware=hardware))


def some_metrics_at(database: Path, *names: str, hardware: str | None = None) -> dict[str, Any]:
    """The document of some metrics of the one database, described as in `store_at`.

    Of what a store derives it has what these metrics read.
    """
    catalog, told = load_catalog(), _told(database, hardware)
    metrics = {name: catalog[name] for name in names}

    def make(folder: Path) -> None:
        store, source = folder / STORE, read_run(database)[0]
        read = kept_read_by(list_metric_queries(metrics, load_tool_vocabulary(source.tool)))
        with patch("perfolio.store.ingest.derive", partial(derive, only=read)):
            ingest([(source, told)], store)
        with open_store(store, reproducible=True) as connection:
            made = make_metrics_document(run_facts(connection, 1), evaluate(connection, 1, metrics))
        remove_store(store)
        (folder / _METRICS).write_text(json.dumps(made), "utf-8")

    digest = digest_of(*names, str(database), database, repr(told), by=KNOWN)
    folder = kept(f"metrics-{database.stem}", digest, make)
    document: dict[str, Any] = json.loads((folder / _METRICS).read_text("utf-8"))
    return document


def _told(database: Path, hardware: str | None) -> RunDescription:
    return read_description(database) if hardware is None else RunDescription(hardware=hardware)


def _of_database(database: Path, told: RunDescription, by: tuple[str, ...]) -> str:
    return digest_of(str(database), database, repr(told), by=by)
