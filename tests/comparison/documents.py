"""Documents of comparisons for charts and pages: small groups of runs, with all that is shown."""

from __future__ import annotations

from typing import Any

from perfolio.comparison.comparison_document import compare_runs
from perfolio.comparison.promise_record import PairOutcome, PromisedStep, StepOutcome
from perfolio.comparison.run_record import (
    CountedFigure,
    RecordedFigure,
    RecordedFinding,
    RunRecord,
)
from tests.comparison.support import make_record, make_row


def make_finding(status: str, title: str) -> RecordedFinding:
    """A finding of a side."""
    return RecordedFinding(
        "M9", "kernels", title, status, "high" if status == "fired" else None, "gpu", 0.45,
        "wall time", 0.2, 0.4, 0.45 if status == "fired" else 0.1, "ratio", 0.4, "above",
    )  # fmt: skip


def make_figure(title: str, ns: int) -> RecordedFigure:
    """A key figure of a run."""
    return RecordedFigure("time.wall", title, "s", "lower", ns / 1e9, is_key=True)


def make_runs(name: str, times: list[int], *, after: bool) -> list[RunRecord]:
    """Runs of kernels [ns]; afterwards one is gone, another new, and a third has more calls."""
    rows = [
        make_row(f"{name}gemm", 400_000, path=("train", f"{name}linear")),
        make_row(f"{name}softmax", 150_000 if after else 100_000, 15 if after else 10),
        make_row(f"{name}new" if after else f"{name}gone", 60_000, path=("train", "copy_")),
    ]
    return [
        make_record(
            rows,
            length=time,
            slug=f"{name}{'after' if after else 'before'}",
            digest=f"{after}{time}",
            counted={"launches": CountedFigure("iteration", 35 if after else 30)},
            figures=(make_figure(f"{name}Wall", time),),
            findings=(make_finding("passed" if after else "fired", f"{name}Fuse kernels"),),
        )
        for time in times
    ]  # fmt: skip


def make_document(name: str = "", runs: int = 3) -> dict[str, Any]:
    """A comparison in which all that a profile can name begins with `name`: 10 % less time."""
    before = [100_000 + 100 * number for number in range(runs)]
    after = [90_000 + 100 * number for number in range(runs)]
    return compare_runs(make_runs(name, before, after=False), make_runs(name, after, after=True))


def make_pairs(name: str = "", digest: str = "d") -> list[PairOutcome]:
    """Outcomes of all kinds, in which all that others can name begins with `name`."""

    def step(code: str, low: float | None, high: float | None) -> PromisedStep:
        return PromisedStep(
            f"{name}{code}"[:20], "moving", f"{name}Fuse kernels", "gpu", "iteration", 0.4, low,
            high, 0.6, 0.4,
        )  # fmt: skip

    moving, copies = step("M9", 0.2, 0.36), step("X1", 0.1, 0.1)
    outcomes = [
        (StepOutcome(moving, "kept", 0.3), StepOutcome(copies, "not-taken", 0.3)),
        (StepOutcome(moving, "exceeded-bound", 0.45),),
        (StepOutcome(moving, "fell-short", -0.05), StepOutcome(copies, "kept", -0.05)),
        (
            StepOutcome(moving, "kept", 0.5, (f"{name}X1"[:20],)),
            StepOutcome(copies, "kept", 0.5, (f"{name}M9"[:20],)),
        ),
        (StepOutcome(moving, "cannot-tell", reason=f"not comparable, batch: {name}1 before"),),
    ]
    return [
        PairOutcome(
            f"{name}run-{place}",
            f"{name}run-{place + 1}",
            (f"{digest}{place}", f"{place}x"),
            steps,
            recorded="" if place == 4 else f"2026-05-0{place + 1}",
        )
        for place, steps in enumerate(outcomes)
    ]
