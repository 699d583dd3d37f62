"""Some mutants in each run of the tests, and whether what goes wrong is seen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from perfolio.common.errors import UsageError
from tests.handwritten import run
from tests.handwritten.kinds import KINDS, Kind
from tests.handwritten.run import CRASH, DONE, HANG, REFUSED, case, limited

FEW = [kind for kind in KINDS if kind.name != "findings.json"]
"""A document of findings has a megabyte: one is tried by itself."""


@pytest.mark.fuzz
@pytest.mark.slow
def test_changed_files_give_a_result_or_one_line(tmp_path: Path) -> None:
    tally = run.run(1, range(200), tmp_path, FEW)
    assert tally.defects == {}
    assert sum(counts[REFUSED] for counts in tally.counts.values()) > 50
    assert sum(counts[DONE] for counts in tally.counts.values()) > 20


@pytest.mark.fuzz
@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_files_that_nobody_changed_give_a_result(kind: Kind, tmp_path: Path) -> None:
    outcomes = [limited(kind, text, tmp_path, Random(1)) for text in kind.seeds()[:3]]
    assert [outcome for outcome, _ in outcomes] == [DONE] * len(outcomes)


def test_a_mutant_is_the_same_each_time() -> None:
    roster = [kind for kind in KINDS if kind.name == "roster"]
    assert case(1, 7, roster)[1] == case(1, 7, roster)[1] != case(2, 7, roster)[1]


def _busy(*_: object) -> None:
    while True:
        pass


def _broken(*_: object) -> None:
    raise KeyError("something else")


def _lines(*_: object) -> None:
    raise UsageError("refused")


@pytest.mark.parametrize(
    ("attempt", "outcome"), [(_busy, HANG), (_broken, CRASH), (_lines, REFUSED)]
)
def test_what_goes_wrong_is_seen(
    attempt: Callable[..., None], outcome: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "CPU_LIMIT", 0.2)
    kind = Kind("x", lambda: [""], attempt)
    assert limited(kind, "", tmp_path, Random(1))[0] == outcome
