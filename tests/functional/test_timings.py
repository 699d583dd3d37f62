"""--timings says what stages took, and slow models with their room."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfolio.cli.command_options import print_timings
from perfolio.pipeline.run_documents import Context, StageTimings, ingest_paths, make_documents
from tests.functional.conftest import SAMPLE


def test_models_above_50_ms_are_named_slowest_first(capsys: pytest.CaptureFixture[str]) -> None:
    timings = StageTimings(
        {"store": 1.25, "site": 2.0}, {"gpus": 0.05, "frame": 0.06, "blame": 0.2}
    )
    print_timings(timings)
    assert capsys.readouterr().err.splitlines() == [
        "     store    1.25 s",
        "      site    2.00 s",
        "     total    3.25 s",
        "     model    0.20 s  60_idle/blame",
        "     model    0.06 s  20_paths/frame",
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("measured")
def test_stages_know_what_their_models_took(tmp_path: Path) -> None:
    context = Context()
    ingest_paths([Path(SAMPLE)], tmp_path / "store.duckdb", context)
    assert {"frame", "cpu_time"} <= context.timings.models.keys()
    stored = dict(context.timings.models)
    make_documents(tmp_path / "store.duckdb", context=context)
    assert context.timings.models.keys() > stored.keys()
    assert all(taken >= 0 for taken in context.timings.models.values())


def test_what_stages_took_elsewhere_is_added() -> None:
    timings = StageTimings({"store": 1.0}, {"frame": 0.5})
    timings.add(StageTimings({"store": 2.0, "pages": 1.0}, {"frame": 0.25, "blame": 1.0}))
    assert timings.seconds == {"store": 3.0, "pages": 1.0}
    assert timings.models == {"frame": 0.75, "blame": 1.0}
