"""Estimates of reports against what the same change brings in the model.

python -m tests.simulation.outcomes    writes the page of docs, and what findings read of it
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from perfolio.common.units import quantity
from perfolio.comparison.promise_record import OutcomeKind, PromisedStep, StepOutcome
from perfolio.comparison.promises import Saving, judge_saving, measure_saving
from perfolio.comparison.range_coverage import count_in_range
from perfolio.findings.estimates.observed_gains import FILE, OutcomeEntry, make_range
from perfolio.pipeline.build_context import RunDocuments
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
KINDS: dict[OutcomeKind, str] = {
    "kept": "kept", "fell-short": "fell short", "exceeded-bound": "more"
}  # fmt: skip


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

    @property
    def line(self) -> BoundedLine:
        """What there is to judge of it: the truth has no error."""
        single = len(self.codes) == 1 and self.of == ITERATION
        share = round(self.reached / self.most, 3) if single else None
        saving = Saving(self.reached, self.reached, self.reached)
        code = self.codes[0] if single else ""
        return BoundedLine(code, "simulated", self.most, saving, share)


@dataclass(frozen=True)
class BoundedLine:
    """A line of the page whose step has a bound."""

    code: str
    """Of its rule; empty where several are answered, of which no range is known."""
    source: str
    """simulated or measured."""
    bound: float
    """What the step saves at most [ratio]."""
    saving: Saving
    share: float | None
    """Of its bound, as reports know it; None where they do not."""


def _line_of(one: Measured) -> BoundedLine | None:
    """What there is to judge of a measured pair: its times, and the bound of the middle report."""
    if one.bound is None:
        return None
    share = None if one.reached is None else round(one.reached, 3)
    saving = measure_saving(one.before, one.after)
    return BoundedLine(one.rule, "measured", one.bound / median(one.before), saving, share)


def _judge_lines(lines: Sequence[BoundedLine]) -> list[StepOutcome]:
    """What came of each step, by a range of what the other lines of its rule reached."""
    judged = []
    for line in lines:
        others = [one for one in lines if one.code == line.code != "" and one is not line]
        shares = {
            source: tuple(
                one.share for one in others if one.source == source and one.share is not None
            )
            for source in ("measured", "simulated")
        }
        known = make_range(OutcomeEntry(**shares)) if any(shares.values()) else None
        low, high = (known.low * line.bound, known.high * line.bound) if known else (None, None)
        step = PromisedStep(
            line.code, "", "", "", "iteration", line.bound, low, high, None, None
        )  # fmt: skip
        judged.append(judge_saving(step, line.saving))
    return judged


def outcomes() -> list[Outcome]:
    """Simulate all runs and compare."""
    names = sorted({name for step in STEPS for name in step[:2]})
    made = {name: simulate_named(name) for name in names}
    documents = {step[0]: documents_at(made[step[0]].folder) for step in (*STEPS, *ROADMAPS)}
    found = [_outcome(step, made, documents[step[0]]) for step in STEPS]
    return [*found, *(_of_roadmap(step, made, documents[step[0]]) for step in ROADMAPS)]


def simulate_named(name: str) -> SimulatedRun:
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


def judge_all(found: Sequence[Outcome], pairs: Sequence[Measured]) -> list[StepOutcome | None]:
    """What came of all steps of the page, in its order; None of those without a bound."""
    lines = [*(one.line for one in found), *(_line_of(pair) for pair in pairs)]
    judged = iter(_judge_lines([line for line in lines if line is not None]))
    return [next(judged) if line is not None else None for line in lines]


def page(found: list[Outcome]) -> str:
    """The page of docs."""
    where, pairs = measured()
    outcomes = judge_all(found, pairs)
    words = [KINDS[one.kind] if one is not None else "–" for one in outcomes]
    rows = "\n".join(
        f"| {one.change} | {outcome} | {one.before}, then {one.after} | {_listed(one.codes)} "
        f"| {one.of}: {quantity(one.whole, 's')} "
        f"| {quantity(one.whole * one.most, 's')} ({quantity(one.most, 'ratio')}) "
        f"| {quantity(one.whole - one.remains, 's')} "
        f"({quantity(one.reached, 'ratio')}) "
        f"| {quantity(one.reached / one.most, 'ratio')} |"
        for one, outcome in zip(found, words[: len(found)], strict=True)
    )
    told = list(zip(pairs, words[len(found) :], strict=True))
    tables = {
        device: "\n".join(_line(pair, outcome) for pair, outcome in told if pair.device == device)
        for device in where
    }
    machines = {f"{device}_machine": words for device, words in where.items()}
    coverage = count_in_range(one for one in outcomes if one is not None)
    return TEMPLATE.read_text("utf-8").format(
        rows=rows, coverage=coverage.counted, conclusion=coverage.conclusion, **tables, **machines
    )


def _line(one: Measured, outcome: str) -> str:
    """A row of what was measured: the bound as a share of the recorded step, the rest without."""
    low, high = (quantity(each, "ratio") for each in one.spread)
    before, recorded = median(one.before), median(one.recorded)
    bound, reached = "not bounded", "–"
    if one.known:
        shares = sorted(share for share in one.bounds if share is not None)
        least, most = (quantity(each, "ratio") for each in (shares[0], shares[-1]))
        bound = f"{quantity(median(shares), 'ratio')} ({least} to {most})"
        reached = "more" if one.reached is None else quantity(one.reached, "ratio")
    cells = [one.change, outcome, one.runs, one.rule, quantity(before, "s")]
    cells += [quantity(recorded, "s")] if one.device == "cuda" else []
    cells += [bound, f"{quantity(one.saved / before, 'ratio')} ({low} to {high})", reached]
    return f"| {' | '.join(cells)} |"


def shares(found: list[Outcome]) -> str:
    """The file of what steps reached of their bounds, by rule, for reports."""
    kinds: dict[str, dict[str, list[float]]] = {"simulated": {}, "measured": {}}
    for line in (*(one.line for one in found), *(_line_of(pair) for pair in measured()[1])):
        if line is not None and line.share is not None:
            kinds[line.source].setdefault(line.code, []).append(line.share)
    tables = [
        f"[{code}]\n"
        + "".join(f"{kind} = {sorted(of[code])}\n" for kind, of in kinds.items() if code in of)
        for code in sorted({code for of in kinds.values() for code in of})
    ]
    return "\n".join((HEAD, *tables))


def main() -> None:
    """Write the page, and what reports read of it."""
    found = outcomes()
    PAGE.write_text(page(found), encoding="utf-8")
    FILE.write_text(shares(found), encoding="utf-8")


if __name__ == "__main__":
    main()
