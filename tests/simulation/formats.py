"""One simulated run in each format that has a writer, and what reports of it say.

python -m tests.simulation.formats    writes the page of docs
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from perfolio.common.progress import QuietProgress
from perfolio.common.units import quantity
from perfolio.metrics.document import read_results
from perfolio.metrics.model import Results
from perfolio.pipeline.build_context import RunDocuments
from perfolio.readers import registry
from perfolio.readers.run_description import NAME
from perfolio.simulation.engine import simulate
from perfolio.simulation.event_export import make_events
from perfolio.simulation.scenario import Scenario
from perfolio.simulation.scenario_parser import load
from perfolio.writers.events import kineto_json, nsys_sqlite, rocpd_sqlite
from perfolio.writers.events.model import RecordedEvents
from reference.build import MEASURED
from tests.kit.kept import SIMULATED, digest_of, kept
from tests.kit.samples import PROFILES, documents_at, simulated

PAGE = MEASURED / "formats.md"
TEMPLATE = Path(__file__).parent / "formats.template.md"
HPCTOOLKIT, KINETO, NSYS, ROCPD = "HPCToolkit", "Kineto", "nsys", "rocpd"
WRITERS: Mapping[str, Callable[[RecordedEvents, Path], Path]] = {
    KINETO: kineto_json.write,
    NSYS: nsys_sqlite.write,
    ROCPD: rocpd_sqlite.write,
}
_NVIDIA, _AMD = (HPCTOOLKIT, KINETO, NSYS), (HPCTOOLKIT, KINETO, ROCPD)
RUNS = {
    "dlrm-h100-workers": _NVIDIA,
    "dlrm-h100-graphs": _NVIDIA,
    "eight-ranks": _NVIDIA,
    "amd-mi300x": _AMD,
}
"""Samples, and the formats that each is written in."""
HEADLINES = (
    "time.wall", "time.gpu_span", "time.gpu_busy", "time.kernel_busy", "time.exposed_copy",
    "gpu.kernel_time", "gpu.copy_time", "gpu.launches", "transfer.copies", "transfer.bytes",
    "transfer.bandwidth_h2d", "transfer.pageable_share", "launch.blocks",
    "launch.threads_per_block", "launch.dynamic_shared", "time.iterations",
    "time.iteration_median", "time.steady_utilisation", "time.iteration_gap_share",
    "time.data_share", "communication.exposed_share", "communication.straggler_wait",
    "calls.launch_delay", "cpu.time", "gpu.sync_share",
)  # fmt: skip
"""What is shown side by side."""
JUDGED = ("fired", "passed")


@dataclass(frozen=True)
class Told:
    """What the report of a run says, read of one format."""

    verdict: str
    results: Results
    rules: Mapping[str, tuple[str, str | None]]
    """Status and severity by the code of a rule."""

    @property
    def judged(self) -> set[str]:
        """Codes of rules that fired or passed."""
        return {code for code, (status, _) in self.rules.items() if status in JUDGED}


@cache
def told(form: str, name: str) -> Told:
    """What the report of a sample says in a format."""
    documents = _documents(form, name)
    findings = documents.findings
    rules = {one["code"]: (one["status"], one["severity"]) for one in findings["findings"]}
    return Told(findings["verdict"]["kind"], read_results(documents.metrics), rules)


def _documents(form: str, name: str) -> RunDocuments:
    if form == HPCTOOLKIT:
        described = (PROFILES / name / NAME).read_bytes()
        return documents_at(simulated(_scenario(name), name, described).folder)
    (database,) = registry.find(_written(name) / form / name)
    return documents_at(database)


def _scenario(name: str) -> Scenario:
    """A sample's scenario without operations whose end HPCToolkit gets wrong."""
    scenario = load(PROFILES / name / "scenario.toml")
    return replace(scenario, artefacts=replace(scenario.artefacts, one_ns_idle=0))


@cache
def _written(name: str) -> Path:
    """A folder of each format of events with a run, simulated once, and its profile.toml."""
    scenario, beside = _scenario(name), PROFILES / name / NAME
    forms = [form for form in RUNS[name] if form in WRITERS]

    def make(folder: Path) -> None:
        events = make_events(scenario, simulate(scenario, QuietProgress()))
        for form in forms:
            shutil.copy(beside, WRITERS[form](events, folder / form / name) / NAME)

    return kept(f"{name}-events", digest_of(repr(scenario), beside, *forms, by=SIMULATED), make)


def page() -> str:
    """The page of docs."""
    values = "\n\n".join(f"**{name}**\n\n{_headlines(name)}" for name in RUNS)
    return TEMPLATE.read_text("utf-8").format(values=values)


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    first, *others = head
    lines = [(first, *others), ("---", *["---:"] * len(others)), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _headlines(name: str) -> str:
    found = [told(form, name) for form in RUNS[name]]
    rows: list[tuple[str, ...]] = [("Verdict", *(f"`{one.verdict}`" for one in found))]
    for metric in HEADLINES:
        cells = [_shown(one.results, metric) for one in found]
        if set(cells) != {_UNKNOWN}:
            title = found[0].results[metric].metric.title
            rows.append((f"{title} (`{metric}`)", *cells))
    return _table(("", *RUNS[name]), rows)


_UNKNOWN = "not measured"


def _shown(results: Results, name: str) -> str:
    result = results[name]
    if result.status != "measured" or result.value is None:
        return _UNKNOWN
    return quantity(result.value, result.metric.unit)


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
