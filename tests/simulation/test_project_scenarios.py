"""The scenarios of the project: which are simulated again, and what they are to be like."""

from __future__ import annotations

import json
import shutil
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

from perfolio.common import processes
from perfolio.common.errors import UsageError
from perfolio.readers.run_description import read_description
from perfolio.simulation.project_scenarios import refresh
from perfolio.simulation.scenario_parser import load
from perfolio.store.database import open_store
from tests.kit.queries import rows_of
from tests.kit.samples import results_at, simulated_sample, store_at
from tests.kit.shared import ROOT

PROFILES = ROOT / "profiles"
SCENARIOS = sorted(PROFILES.glob("*/scenario.toml"))
SMALL = 'iterations = 6\niteration = ["a"]\n[phases.a]\nsteps = [{cpu = "20 ms"}]\n'


@pytest.fixture
def profiles(tmp_path: Path) -> Path:
    for name in ("one", "two"):
        (tmp_path / "profiles" / name).mkdir(parents=True)
        (tmp_path / "profiles" / name / "scenario.toml").write_text(SMALL, "utf-8")
    return tmp_path / "profiles"


@pytest.fixture
def one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """One test has several; each would import all again, for two runs of a moment."""
    monkeypatch.setattr(processes, "count_processors", lambda: 1)


def made_at(folder: Path) -> dict[str, int]:
    return {path.name: (path / "truth.json").stat().st_mtime_ns for path in folder.glob("*.d")}


@pytest.mark.slow
def test_only_what_changed_is_simulated_again(profiles: Path, tmp_path: Path) -> None:
    made = tmp_path / "made"
    assert [path.name for path in refresh(profiles, made)] == ["one.d", "two.d"]
    first = made_at(made)
    refresh(profiles, made)
    assert made_at(made) == first
    (profiles / "one" / "scenario.toml").write_text(SMALL.replace("20", "30"), "utf-8")
    (profiles / "two" / "profile.toml").write_text('title = "x"\nsimulated = true\n', "utf-8")
    refresh(profiles, made)
    after = made_at(made)
    assert after["one.d"] > first["one.d"]
    assert after["two.d"] == first["two.d"], "other words need no other events"
    assert json.loads((made / "one.d" / "truth.json").read_text())["wall"] == pytest.approx(0.18)
    assert read_description(made / "two.d").title == "x"


@pytest.mark.usefixtures("one_process")
def test_a_change_of_the_base_counts(profiles: Path, tmp_path: Path) -> None:
    made = tmp_path / "made"
    (profiles / "two" / "scenario.toml").write_text('base = "../one/scenario.toml"\n', "utf-8")
    refresh(profiles, made)
    (profiles / "one" / "scenario.toml").write_text(SMALL.replace("20", "30"), "utf-8")
    refresh(profiles, made)
    assert json.loads((made / "two.d" / "truth.json").read_text())["wall"] == pytest.approx(0.18)


@pytest.mark.usefixtures("one_process")
def test_a_scenario_that_is_gone_takes_its_database_with_it(profiles: Path, tmp_path: Path) -> None:
    made = tmp_path / "made"
    refresh(profiles, made)
    (made / "mine.d").mkdir()
    shutil.rmtree(profiles / "one")
    refresh(profiles, made)
    assert sorted(path.name for path in made.iterdir()) == ["mine.d", "two.d"]


@pytest.mark.usefixtures("one_process")
def test_a_faulty_scenario_leaves_what_there_is(profiles: Path, tmp_path: Path) -> None:
    made = tmp_path / "made"
    refresh(profiles, made)
    (profiles / "one" / "scenario.toml").write_text("iterations = 0", "utf-8")
    with pytest.raises(UsageError, match=r"one/scenario\.toml: iterations must be from 1"):
        refresh(profiles, made)
    assert sorted(made_at(made)) == ["one.d", "two.d"]


@pytest.mark.parametrize("path", SCENARIOS, ids=[path.parent.name for path in SCENARIOS])
def test_each_scenario_is_understood_and_described_as_simulated(path: Path) -> None:
    assert load(path).iterations >= 50
    described = tomllib.loads((path.parent / "profile.toml").read_text("utf-8"))
    assert described["simulated"] is True
    assert described["title"]
    before = described["workload"].get("before")
    assert before is None or (PROFILES / before / "scenario.toml").is_file()


def test_the_dlrm_run_is_calibrated_on_the_measured_one() -> None:
    """Figures of a measured run of this workload, and how near the model has to come."""
    found = simulated_sample("dlrm-h100").truth
    kinds = found["operations"]
    assert kinds["kernel"]["count"] == 7_400
    assert [kinds[f"copy {way}"]["count"] for way in ("h2d", "d2h", "d2d")] == [1015, 200, 100]
    assert kinds["copy h2d"]["bytes"] == pytest.approx(441_944_740, rel=1e-6)
    assert kinds["copy d2h"]["bytes"] == 819_600
    assert kinds["copy d2d"]["bytes"] == 13_107_200
    assert kinds["kernel"]["time"] == pytest.approx(0.0659, rel=0.01)
    assert found["copy_busy"] == pytest.approx(0.0739, rel=0.03)
    assert found["iterations"]["median"] == pytest.approx(0.734, rel=0.01)
    assert found["wall"] == pytest.approx(129.7, rel=0.01)
    measured = {"gmem": 0.1638, "cmem": 0.0611, "ifet": 0.0579, "idep": 0.0552, "sync": 0.0177}
    for reason, share in measured.items():
        assert found["stalls"][reason] == pytest.approx(share, rel=0.02), reason


def test_each_step_of_the_dlrm_series_is_an_improvement() -> None:
    steps = ("timed", "workers", "pinned", "graphs")
    found = [simulated_sample(f"dlrm-h100-{step}").truth for step in steps]
    medians = [one["iterations"]["gpu_median"] for one in found]
    for before, after in pairwise(medians):
        assert after < 0.85 * before


@pytest.mark.slow
def test_fused_attention_and_its_scores_are_faster() -> None:
    plain, fused = (
        simulated_sample(name).truth["iterations"]["gpu_median"]
        for name in ("transformer", "transformer-fused")
    )
    assert fused < 0.9 * plain


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "transformer",
            {
                ("attention", 12, 6): 12 * (31 + 6.5 + 8.5 + 8 + 7.5 + 27) * 1e-6,
                ("attention, backward", 12, 8): 12 * (2 * 27 + 4 * 8 + 2 * 31) * 1e-6,
                ("optimiser", 1, 75): 75 * 6.2e-6,
            },
        ),
        ("transformer-fused", {("optimiser", 1, 75): 75 * 6.2e-6}),
    ],
)
def test_chains_that_one_call_would_do_are_those_of_the_scenario(
    name: str, expected: dict[tuple[str, int, int], float]
) -> None:
    rows = results_at(simulated_sample(name).folder)["gpu.fusable"].records()
    found = {(row["kind"], row["chains"], row["kernels"]): row["time"] for row in rows}
    assert found == pytest.approx(expected, rel=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("path", SCENARIOS, ids=[path.parent.name for path in SCENARIOS])
def test_what_the_store_finds_of_each_sample_is_true(path: Path) -> None:
    made = simulated_sample(path.parent.name)
    with open_store(store_at(made.folder)) as connection:
        (rows,) = rows_of(
            connection,
            "SELECT count(*), median(stop - start) FILTER (WHERE mark = '') / 1e9 FROM iteration",
        )
        use = next(iter(rows_of(connection, "SELECT busy / 1e9, span / 1e9 FROM gpu_use")), None)
        missing = rows_of(connection, "SELECT sign FROM missing_kernels")
    assert missing == [], "a model needs no more than its kernels can have done"
    if load(path).artefacts.unseen_graphs:
        assert use is None or use[0] < 0.5 * made.truth["gpu_busy"]
        return
    assert use is not None
    assert rows[0] == made.truth["iterations"]["count"]
    assert rows[1] == pytest.approx(made.truth["iterations"]["gpu_median"], rel=0.02)
    repaired = load(path).artefacts.one_ns_idle > 0
    assert use[0] == pytest.approx(made.truth["gpu_busy"], rel=1e-3 if repaired else 1e-9)
    assert use[1] == pytest.approx(made.truth["gpu_span"], rel=1e-9)
