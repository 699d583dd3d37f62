"""Estimates of reports against what the same change brings in the model.

python -m tests.simulation.outcomes    writes the page of docs, and what findings read of it
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from perfolio.common.units import quantity
from perfolio.findings.estimates.observed_gains import FILE
from perfolio.pipeline.run_documents import RunDocuments
from perfolio.simulation.phase_steps import CopyStep, Step
from perfolio.simulation.scenario import Scenario
from perfolio.simulation.scenario_parser import load
from perfolio.simulation.simulate import UNDESCRIBED, SimulatedRun
from reference.build import MEASURED
from tests.kit.samples import PROFILES, documents_at, simulated
from tests.workloads.measured import Measured, measured

PAGE = MEASURED / "outcomes.md"
TEMPLATE = Path(__file__).parent / "outcomes.template.md"
HEAD = (
    "# Shares of its bound that a step reached, by the rule that bounds it: the page outcomes.\n"
    "# Made by: python -m tests.simulation.outcomes\n"
)
ASYNCHRONOUS = "-asynchronous"
"""After the name of a scenario: with what X5 advises for its copies to the GPU."""
STEPS = (
    ("dlrm-h100-timed", "dlrm-h100-workers", ("G9",), "Batches stored beforehand are read ahead"),
    ("dlrm-h100-timed", "dlrm-h100-workers", ("D8",), "The same, by samples of the host"),
    ("dlrm-h100-timed", "dlrm-h100-gpu-data", ("G9",), "Batches are made on the GPU instead"),
    ("dlrm-h100-timed", "dlrm-h100-gpu-data", ("D8",), "The same, by samples of the host"),
    (
        "dlrm-h100-workers",
        "dlrm-h100-pinned",
        ("X1",),
        "Pinned memory, copies beside kernels, tables that stay on the GPU",
    ),
    ("dlrm-h100-workers", "dlrm-h100-apart", ("X6",), "The same, at the old rate"),
    (
        "dlrm-h100-workers",
        f"dlrm-h100-workers{ASYNCHRONOUS}",
        ("X5",),
        "Page-locked memory, and the host waits for no copy to the GPU",
    ),
    (
        "dlrm-h100-gpu-data",
        f"dlrm-h100-gpu-data{ASYNCHRONOUS}",
        ("X5",),
        "The same, where indices alone are copied",
    ),
    ("dlrm-h100-workers", "dlrm-h100-launches", ("L1",), "Launches take the host no time"),
    ("dlrm-h100-pinned", "dlrm-h100-graphs", ("L1",), "CUDA graphs"),
    ("dlrm-h100-pinned", "dlrm-h100-ahead", ("G1",), "Launches and calls take the host no time"),
    ("dlrm-h100-graphs", "dlrm-h100-tf32", ("P5",), "TF32 on tensor cores"),
    ("transformer", "transformer-fused", ("L8",), "Transformer: attention in one kernel"),
    ("transformer", "transformer-input", ("D8",), "Transformer: no input to make and to copy"),
    ("amd-mi300x", "amd-mi300x-input", ("D8",), "AMD GPU: no input to make and to copy"),
)
"""Before, after, the finding whose estimate is about this change, and the change."""
WIDER = (
    ("dlrm-h100-timed", "dlrm-h100-gpu-data", "D8"),
    ("transformer", "transformer-input", "D8"),
    ("amd-mi300x", "amd-mi300x-input", "D8"),
    ("dlrm-h100-workers", "dlrm-h100-pinned", "X1"),
    ("dlrm-h100-workers", "dlrm-h100-apart", "X6"),
    ("dlrm-h100-workers", f"dlrm-h100-workers{ASYNCHRONOUS}", "X5"),
    ("dlrm-h100-gpu-data", f"dlrm-h100-gpu-data{ASYNCHRONOUS}", "X5"),
)
"""Changes that go beyond what a first bound assumes: they are held against the wider one."""
ROADMAPS = (
    ("dlrm-h100-timed", "dlrm-h100-workers", "Batches stored beforehand are read ahead"),
    ("dlrm-h100-timed", "dlrm-h100-gpu-data", "Batches are made on the GPU instead"),
)
"""A run whose roadmap has one step with a gain, the run after that step, and the change."""
ITERATION = "a typical iteration"


@dataclass(frozen=True)
class Outcome:
    """A step: what was estimated, and what came of it, as shares of the same whole."""

    before: str
    after: str
    codes: tuple[str, ...]
    change: str
    of: str
    whole: float
    """Before the change [s]."""
    remains: float
    """After it [s]."""
    most: float
    """Largest reduction by the estimate, or by the roadmap [ratio]."""

    @property
    def reached(self) -> float:
        """The reduction that came [ratio]."""
        return 1.0 - self.remains / self.whole


def outcomes() -> list[Outcome]:
    """Simulate all runs and compare."""
    names = sorted({name for step in STEPS for name in step[:2]})
    made = {name: _made(name) for name in names}
    documents = {step[0]: documents_at(made[step[0]].folder) for step in (*STEPS, *ROADMAPS)}
    found = [_outcome(step, made, documents[step[0]]) for step in STEPS]
    return [*found, *(_of_roadmap(step, made, documents[step[0]]) for step in ROADMAPS)]


def _made(name: str) -> SimulatedRun:
    """A sample's scenario, or one beside this module, as a tool records it that sees graphs."""
    told = name.removesuffix(ASYNCHRONOUS)
    path = PROFILES / told / "scenario.toml"
    scenario = load(path if path.is_file() else Path(__file__).with_name(f"{told}.toml"))
    scenario = scenario if told == name else _asynchronous(scenario)
    seen = replace(scenario, artefacts=replace(scenario.artefacts, unseen_graphs=False))
    beside = path.with_name("profile.toml")
    described = beside.read_bytes() if beside.is_file() else UNDESCRIBED
    return simulated(seen, name, described)


def _asynchronous(scenario: Scenario) -> Scenario:
    """Copies of iterations to the GPU are from page-locked memory, and no host waits for them."""

    def changed(step: Step) -> Step:
        if isinstance(step, CopyStep) and step.direction == "h2d":
            return replace(step, pinned=True, blocking=False)
        return step

    phases = (
        replace(phase, steps=tuple(changed(step) for step in phase.steps))
        for phase in scenario.iteration
    )
    return replace(scenario, iteration=tuple(phases))


def _of_roadmap(
    step: tuple[str, str, str], made: dict[str, SimulatedRun], report: RunDocuments
) -> Outcome:
    """What the whole roadmap says that it saves of wall time, and what its step saved."""
    before, after, change = step
    steps = [step for phase in report.findings["roadmap"]["phases"] for step in phase["steps"]]
    (only,) = (step for step in steps if step["most"] is not None)
    gains = {
        one["code"]
        for one in report.findings["findings"]
        if one["estimate"] and one["estimate"]["kind"] == "gain"
    }
    codes = (only["code"], *(code for code in only["also"] if code in gains))
    whole, remains = _compared(made[before], made[after], "wall time")
    most = float(report.findings["worth"]["most"]["reduction"])
    return Outcome(before, after, codes, change, "wall time", whole, remains, most)


def _outcome(
    step: tuple[str, str, tuple[str, ...], str], made: dict[str, SimulatedRun], report: RunDocuments
) -> Outcome:
    before, after, (code,), change = step
    findings = {one["code"]: one["estimate"] for one in report.findings["findings"]}
    of, most = findings[code]["of"], float(findings[code]["reduction"])
    if (before, after, code) in WIDER and findings[code]["wider"] is not None:
        most = float(findings[code]["wider"])
    if findings[code]["steady"] is not None:
        of, most = ITERATION, float(findings[code]["steady"])
    whole, remains = _compared(made[before], made[after], of)
    words = ITERATION if of.startswith(ITERATION) else of
    return Outcome(before, after, (code,), change, words, whole, remains, most)


def _compared(before: SimulatedRun, after: SimulatedRun, of: str) -> tuple[float, float]:
    """The whole before a change and what remains of it, both with the same end [s]."""
    by_chance = _end(after, of) - _end(before, of)
    return _length(before, of), _length(after, of) - by_chance


def _length(made: SimulatedRun, of: str) -> float:
    """The true length of what an estimate is a share of [s]."""
    if of.startswith(ITERATION):
        return float(made.truth["iterations"]["gpu_median"])
    return float(made.truth["wall"])


def _end(made: SimulatedRun, of: str) -> float:
    """The part of it after the last GPU operation [s], which differs by chance alone."""
    return 0.0 if of.startswith(ITERATION) else float(made.truth["idle_after"])


def _listed(codes: tuple[str, ...]) -> str:
    *first, last = codes
    return f"{', '.join(first)} and {last}" if first else last


def page(found: list[Outcome]) -> str:
    """The page of docs."""
    rows = "\n".join(
        f"| {one.change} | {one.before}, then {one.after} | {_listed(one.codes)} "
        f"| {one.of}: {quantity(one.whole, 's')} "
        f"| {quantity(one.whole * one.most, 's')} ({quantity(one.most, 'ratio')}) "
        f"| {quantity(one.whole - one.remains, 's')} "
        f"({quantity(one.reached, 'ratio')}) "
        f"| {quantity(one.reached / one.most, 'ratio')} |"
        for one in found
    )
    where, pairs = measured()
    tables = {
        device: "\n".join(_line(pair) for pair in pairs if pair.device == device)
        for device in where
    }
    machines = {f"{device}_machine": words for device, words in where.items()}
    return TEMPLATE.read_text("utf-8").format(rows=rows, **tables, **machines)


def _line(one: Measured) -> str:
    """A row of what was measured: the bound as a share of the recorded step, the rest without."""
    low, high = (quantity(each, "ratio") for each in one.spread)
    before, recorded = median(one.before), median(one.recorded)
    bound, reached = "not bounded", "–"
    if one.known:
        shares = sorted(share for share in one.bounds if share is not None)
        least, most = (quantity(each, "ratio") for each in (shares[0], shares[-1]))
        bound = f"{quantity(median(shares), 'ratio')} ({least} to {most})"
        reached = "more" if one.reached is None else quantity(one.reached, "ratio")
    cells = [one.change, one.runs, one.rule, quantity(before, "s")]
    cells += [quantity(recorded, "s")] if one.device == "cuda" else []
    cells += [bound, f"{quantity(one.saved / before, 'ratio')} ({low} to {high})", reached]
    return f"| {' | '.join(cells)} |"


def shares(found: list[Outcome]) -> str:
    """The file of what steps reached of their bounds, by rule, for reports."""
    by_code: dict[str, list[float]] = {}
    for one in found:
        if len(one.codes) == 1 and one.of == ITERATION:
            by_code.setdefault(one.codes[0], []).append(round(one.reached / one.most, 3))
    on_machines: dict[str, list[float]] = {}
    for pair in measured()[1]:
        if pair.reached is not None:
            on_machines.setdefault(pair.rule, []).append(round(pair.reached, 3))
    kinds = {"simulated": by_code, "measured": on_machines}
    tables = [
        f"[{code}]\n"
        + "".join(f"{kind} = {sorted(of[code])}\n" for kind, of in kinds.items() if code in of)
        for code in sorted({*by_code, *on_machines})
    ]
    return "\n".join((HEAD, *tables))


def main() -> None:
    """Write the page, and what reports read of it."""
    found = outcomes()
    PAGE.write_text(page(found), encoding="utf-8")
    FILE.write_text(shares(found), encoding="utf-8")


if __name__ == "__main__":
    main()
