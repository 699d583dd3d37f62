"""Variants of an exercise: its runs simulated again with other parameters, for each learner.

In:  an exercise with `vary` and `overlay`, the scenarios of its runs, a count, a seed.
Out: `Variant`s with the documents of their runs, which are kept in the user's cache, and the
     databases. Truth, scenario, seed and words of the author are in none of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.cache import Cache, make_key
from perfolio.common.content_files import code_digest, files_digest
from perfolio.common.errors import ContentError, UsageError
from perfolio.common.processes import map_in_processes
from perfolio.common.toml_files import TomlError, read_toml
from perfolio.exercises.model import Exercise
from perfolio.exercises.variation import Draw, compute_seed, draw_values, make_overlay
from perfolio.pipeline.build_context import Context, RunDocuments
from perfolio.pipeline.run_documents import ingest_paths, make_documents, redact_documents
from perfolio.readers.own_files import SCENARIO, TRUTH
from perfolio.readers.run_description import NAME as DESCRIPTION
from perfolio.simulation.scenario import Scenario
from perfolio.simulation.scenario_parser import load, read_entries
from perfolio.simulation.simulate import UNDESCRIBED, compute_fingerprint, write_simulated

WORDS = ("description", "notes")
"""Entries of profile.toml that tell the lesson of the run that they were written for."""
_PACKAGE = Path(__file__).resolve().parents[1]
_CACHE = Cache("variants")
_CONTENT = (".csv", ".md", ".sql", ".toml", ".yaml")

Scenarios = Mapping[str, Path]
"""Files of scenarios by the short names of their runs."""


@dataclass(frozen=True)
class SimulationOrder:
    """A run to simulate: a scenario, what is laid over it, and a seed (None: its own)."""

    scenario: Path
    changes: Mapping[str, Any]
    seed: int | None
    described: bytes

    @property
    def run(self) -> str:
        """Short name of the run: that of the scenario's folder."""
        return self.scenario.parent.name


@dataclass(frozen=True)
class Variant:
    """What one learner gets: the runs of an exercise with other parameters."""

    name: str
    drawn: Draw
    orders: tuple[SimulationOrder, ...]
    documents: tuple[RunDocuments, ...]

    @property
    def drawn_words(self) -> str:
        """What was drawn, in words."""
        return ", ".join(f"{name} {value}" for name, value in self.drawn.items())


def find_scenarios(folder: Path) -> Scenarios:
    """The scenarios in a folder and in those below it, by the names of their folders."""
    paths = [folder / SCENARIO, *sorted(folder.glob(f"*/{SCENARIO}"))]
    return {path.resolve().parent.name: path.resolve() for path in paths if path.is_file()}


def make_variants(
    exercise: Exercise,
    scenarios: Scenarios,
    count: int,
    *,
    seed: int = 1,
    context: Context | None = None,
) -> list[Variant]:
    """`count` variants of an exercise's runs: of its own, and of the one before the change."""
    orders = make_orders(exercise, scenarios, count, seed)
    flat = [order for several in orders for order in several]
    made = iter(collect_order_documents(flat, f"{exercise.slug}: variants", context))
    return [
        Variant(name, draw, several, tuple(next(made) for _ in several))
        for name, draw, several in zip(
            name_variants(count), draw_values(exercise, count, seed), orders, strict=True
        )
    ]


def make_orders(
    exercise: Exercise, scenarios: Scenarios, count: int, seed: int
) -> list[tuple[SimulationOrder, ...]]:
    """The runs of each variant, to be simulated."""
    if not exercise.vary:
        raise ContentError(f"{exercise.path}: has no vary: all its variants would be alike")
    slugs = [slug for slug in (exercise.before, exercise.run) if slug]
    for slug in slugs:
        if slug not in scenarios:
            raise ContentError(f"{exercise.path}: there is no scenario of {slug} to vary")
    drawn = zip(name_variants(count), draw_values(exercise, count, seed), strict=True)
    return [
        tuple(
            _make_order(exercise, scenarios[slug], draw, compute_seed(exercise, seed, name + slug))
            for slug in slugs
        )
        for name, draw in drawn
    ]


def make_plain_order(scenario: Path) -> SimulationOrder:
    """The run of a scenario as it is."""
    described = scenario.with_name(DESCRIPTION)
    return SimulationOrder(
        scenario, {}, None, described.read_bytes() if described.is_file() else UNDESCRIBED
    )


def collect_order_documents(
    orders: Sequence[SimulationOrder], task: str, context: Context | None = None
) -> list[RunDocuments]:
    """The documents of runs, from the cache where they are there, else made on all processors."""
    reporting = context or Context()
    reporting.progress.start(task, len(orders))
    documents: dict[int, RunDocuments] = {}
    for n, order in enumerate(orders):
        if cached := _CACHE.load(_make_cache_key(order)):
            documents[n] = RunDocuments(*json.loads(cached))
            reporting.progress.advance(1)
    missing = [n for n in range(len(orders)) if n not in documents]
    for n, made in zip(
        missing, map_in_processes(_make_run_documents, [orders[n] for n in missing]), strict=True
    ):
        documents[n] = RunDocuments(*made)
        reporting.progress.advance(1)
    return [redact_documents(documents[n], reporting) for n in range(len(orders))]


def make_database_files(order: SimulationOrder) -> dict[str, bytes]:
    """The files of a run's database by path, without its truth."""
    with make_temporary_folder() as work:
        folder = _simulate_order(order, work)
        return {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name != TRUTH
        }


def name_variants(count: int) -> list[str]:
    """`01`, `02`...: names of variants, which tell neither the learner nor what was drawn."""
    width = max(2, len(str(count)))
    return [f"{number:0{width}}" for number in range(1, count + 1)]


def _make_order(exercise: Exercise, scenario: Path, draw: Draw, seed: int) -> SimulationOrder:
    laid = make_overlay(exercise, draw, read_entries(scenario))
    order = SimulationOrder(scenario, laid, seed, _strip_words(scenario.with_name(DESCRIPTION)))
    try:
        load_scenario(order)
    except UsageError as problem:
        raise ContentError(f"{exercise.path}: overlay on {problem.message}") from problem
    return order


def _strip_words(path: Path) -> bytes:
    """profile.toml with its figures alone."""
    if not path.is_file():
        return UNDESCRIBED
    try:
        entries = read_toml(path)
    except TomlError as problem:
        raise ContentError(f"{path}: {problem}") from problem
    figures = {name: value for name, value in entries.items() if name not in WORDS}
    return "".join(_format_toml(figures)).encode()


def _format_toml(entries: Mapping[str, Any]) -> Iterator[str]:
    """Entries, then tables of entries: all that a profile.toml has. JSON's values are TOML's."""
    for name, value in entries.items():
        if not isinstance(value, Mapping):
            yield f"{json.dumps(name)} = {json.dumps(value, ensure_ascii=False)}\n"
    for name, value in entries.items():
        if isinstance(value, Mapping):
            yield f"\n[{json.dumps(name)}]\n"
            yield from _format_toml(value)


def _make_cache_key(order: SimulationOrder) -> str:
    laid = json.dumps(order.changes, sort_keys=True)
    parts = (
        _compute_edition(),
        laid,
        str(order.seed),
        compute_fingerprint(order.scenario),
        order.described,
    )
    return make_key(*parts)


@cache
def _compute_edition() -> str:
    """On what documents depend besides the profile."""
    content = files_digest(
        _PACKAGE, without=("__pycache__", "shipped", "pages", "site"), kinds=_CONTENT
    )
    return code_digest() + content


def _make_run_documents(order: SimulationOrder) -> tuple[dict[str, Any], dict[str, Any]]:
    """The documents of a run; another process may call this."""
    with make_temporary_folder() as work:
        store = work / "store.duckdb"
        ingest_paths([_simulate_order(order, work)], store)
        (made,) = make_documents(store)
    _CACHE.keep(_make_cache_key(order), json.dumps([made.metrics, made.findings]).encode())
    return made.metrics, made.findings


def load_scenario(order: SimulationOrder) -> Scenario:
    """What is simulated."""
    scenario = load(order.scenario, order.changes)
    return scenario if order.seed is None else replace(scenario, seed=order.seed)


def _simulate_order(order: SimulationOrder, work: Path) -> Path:
    place = work / f"{order.run}.d"
    return write_simulated(load_scenario(order), place, description=order.described).folder
