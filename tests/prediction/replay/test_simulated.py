"""Replays of simulated runs, against the run that is simulated with the change."""

from __future__ import annotations

import pytest

from tests.prediction.replay.simulated_pairs import PAIRS, TruthPair, list_subjects

CLOSE = 0.03
"""By how much a replayed iteration may differ from the true one [ratio]."""
TRIED = ("amd-mi300x", "four-main", "dlrm-h100-pinned", "fused-waits")
CHOSEN = [pair for pair in PAIRS if pair.scenario in TRIED]
"""Of four scenarios; `python -m tests.bench whatif` tries all."""


@pytest.fixture(scope="module")
def subjects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    return dict(list_subjects(tmp_path_factory.mktemp("replay")))


@pytest.mark.parametrize(
    "pair",
    CHOSEN,
    ids=[f"{number} {pair.kind}, {pair.scenario}" for number, pair in enumerate(CHOSEN)],
)
def test_a_replayed_change_is_near_the_run_that_has_it(
    pair: TruthPair, subjects: dict[str, object]
) -> None:
    saved, true = pair.measure(subjects[pair.scenario])  # type: ignore[arg-type]
    assert abs((1.0 - saved) / (1.0 - true) - 1.0) <= CLOSE, (saved, true)


def test_kinds_and_pairs_are_many() -> None:
    assert len(PAIRS) >= 120
    assert len({pair.kind for pair in PAIRS}) >= 20
    assert len(CHOSEN) >= 30
