"""Content files of findings: what is wrong in one is said with the file and the place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from perfolio.common.errors import ContentError
from perfolio.findings.model.content_entries import read
from perfolio.findings.model.rule import Conditions, Wording, Wordings
from perfolio.findings.model.wording import choose_wording
from perfolio.findings.report.scorecard import load_scorecard
from perfolio.findings.tree.catalog import load_causes
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
