"""Content files of findings: what is wrong in one is said with the file and the place.

Also: Faster kernels wait for the step that ends the pauses between launches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from perfolio.common.errors import ContentError
from perfolio.findings.evaluation.severity import order_findings
from perfolio.findings.model.content_entries import read
from perfolio.findings.model.denominator import BoundWhole, WholeKind
from perfolio.findings.model.finding import Estimate, Finding
from perfolio.findings.model.rule import Conditions, Wording, Wordings
from perfolio.findings.model.wording import choose_wording
from perfolio.findings.report.scorecard import load_scorecard
from perfolio.findings.rules.catalog import load_rules
from perfolio.findings.tree.blocked_steps import hold_back_steps
from perfolio.findings.tree.catalog import load_causes
from perfolio.findings.tree.cause_tree import Cause, CauseTree
from tests.findings.support import results

RUN = "{key: run, title: The run, says: All of it.}"


@pytest.mark.parametrize(
    ("load", "text", "complaint"),
    [
        (load_causes, f"wholes: []\nnodes: [{RUN}, {RUN}]", "node run: twice"),
        (load_causes, "wholes: []\nnodes: [{key: a, title: A, says: B}]", "node a: twice, or its"),
        (
            load_causes,
            "wholes: []\nnodes: [{key: run, titel: A}]",
            r"nodes\[0\]\.titel: is no know",
        ),
        (load_causes, "wholes: []\nnodes: [{key: run, says: B}]", r"nodes\[0\]\.title: is missing"),
        (load_causes, "wholes: 3\nnodes: []", "wholes: must be a list, not a number"),
        (load_causes, "a: [", "while parsing"),
        (load_scorecard, "- {key: a, title: A, cases: [{level: bad}]}", "bad"),
        (load_scorecard, "- {key: a, title: A, cases: 1}", r"\[0\]\.cases: must be a list"),
        (
            load_scorecard,
            "- {key: a, title: A, cases: [{level: good, when: ['x >= 1'], says: a, effect: b}]}",
            "not a condition: 'x >= 1'",
        ),
    ],
)
def test_a_faulty_file_is_named_with_the_place(
    load: Callable[[Path], object], text: str, complaint: str, tmp_path: Path
) -> None:
    path = tmp_path / "content.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ContentError, match=complaint) as caught:
        load(path)
    assert caught.value.message.startswith(f"{path}: ")


def test_one_text_is_a_wording_and_a_list_may_have_conditions() -> None:
    always = Wording(say="Copies took {gpu.copy_time}.")
    assert read("Copies\n  took {gpu.copy_time}.", Wordings) == Wordings([always])
    entries = [{"when": ["run.ranks > 1"], "say": "Of all ranks."}, "Of one."]
    assert read(entries, Wordings) == (
        Wording(say="Of all ranks.", when=read(["run.ranks > 1"], Conditions)),
        Wording(say="Of one."),
    )


@pytest.mark.parametrize(
    ("measured", "said"),
    [
        ({}, None),
        ({"time.wall": 2.0}, "It took 2.00 s."),
        ({"time.wall": 2.0, "run.ranks": 4.0}, "Ranks took 2.00 s."),
        ({"run.ranks": 4.0}, None),
    ],
)
def test_the_first_wording_that_a_run_bears_out_is_told(
    measured: dict[str, float], said: str | None
) -> None:
    entries = [
        {"when": ["run.ranks > 1"], "say": "Ranks took {time.wall}."},
        "It took {time.wall}.",
    ]
    assert choose_wording(read(entries, Wordings), results(measured)) == said


RULES = load_rules()
NOTHING = results({})


def _gain(share: float, of: WholeKind, steady: float | None = None) -> Estimate:
    return Estimate(share, BoundWhole(of), "formula", (), steady=steady)


P5 = Finding(
    structs.replace(RULES["P5"], after=()),
    "fired",
    "medium",
    estimate=_gain(0.0008, "wall", 0.18),
)
L1 = Finding(
    structs.replace(RULES["L1"], cause="host.launch"),
    "fired",
    "low",
    estimate=_gain(0.43, "iteration"),
)
L8 = Finding(RULES["L8"], "fired", "low")


def _tree(paused: float, *, left_out: float = 0.0, steady: float | None = 0.13) -> CauseTree:
    pauses = Cause(
        key="host.launch",
        parent="host.iterations",
        depth=2,
        title="The GPU pauses between operations",
        sentence="",
        amount=paused,
        bound="",
        most=None,
        share=paused / 27.0,
        view=False,
        same=False,
    )
    return CauseTree("wall", "27 s", 27.0, "s", (pauses,), left_out, steady)


def test_kernels_wait_for_what_ends_the_pauses() -> None:
    kernels, launches, fused = hold_back_steps([P5, L1, L8], _tree(0.057), NOTHING)
    assert kernels.rule.after == ("L1",)
    assert "save less, or nothing" in kernels.held_back
    assert (launches, fused) == (L1, L8), "these launch less, which ends the pauses"
    alike = replace(kernels, severity="low", estimate=_gain(0.5, "iteration"))
    assert [each.rule.code for each in order_findings([alike, launches])] == ["L1", "P5"]
    assert [each.rule.code for each in order_findings([kernels, launches])] == ["P5", "L1"], (
        "severity"
    )


@pytest.mark.parametrize(
    "tree",
    [
        _tree(0.012),
        _tree(0.057, left_out=1.0),
        _tree(0.057, steady=None),
        replace(_tree(0.057), causes=()),
    ],
)
def test_nothing_is_held_back_where_the_gpu_is_busy_or_nothing_tells(tree: CauseTree) -> None:
    assert hold_back_steps([P5], tree, NOTHING) == (P5,)


def test_a_check_that_passed_waits_for_nothing() -> None:
    passed = replace(P5, status="passed", severity=None)
    assert hold_back_steps([passed], _tree(0.057), NOTHING) == (passed,)


@pytest.mark.parametrize(("idle", "waits"), [(0.05, False), (0.2, True)])
def test_a_step_that_was_timed_without_the_profiler_tells_how_much_the_gpu_pauses(
    *, idle: float, waits: bool
) -> None:
    given = results({"time.unprofiled_idle_share": idle})
    kernels, _ = hold_back_steps([P5, L1], _tree(0.057), given)
    assert bool(kernels.held_back) is waits
