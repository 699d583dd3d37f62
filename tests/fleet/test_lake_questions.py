"""Every question against small lakes, from questions/*.yaml, and against a fleet of known truth."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from perfolio.common.errors import ContentError
from perfolio.fleet.lake import create_lake
from perfolio.fleet.lake_connection import open_lake
from perfolio.fleet.lake_questions import HERE, LakeAnswer, ask_question, load_questions
from perfolio.store.user_query import run_table_query
from tests.bench.fleet_draws import FleetTruth, draw_fleet, judge_fleet
from tests.fleet.lakes import BEGIN, make_lake

CASES: dict[str, list[dict[str, Any]]] = {
    name: cases
    for path in sorted((Path(__file__).parent / "questions").glob("*.yaml"))
    for name, cases in yaml.safe_load(path.read_text("utf-8")).items()
}
QUESTIONS = load_questions()
ONE = {"run": {"name": "only", "hosts": ["x"], "gpu_hours": 1.0, "window_ns": 10, "lanes": 1}}
NOBODY = FleetTruth(*[frozenset[Any]()] * 5)
HEAD = "title: t\nabout: a\npopulation: p\ncolumns: [{name: a, title: A, unit: s}]"
COLUMN = "{name: a, title: B, unit: s}"
FAULTY = {
    "no query": f"/*---\n{HEAD}\n---*/\n",
    "no head": "SELECT 1 AS a",
    "no population": f"/*---\n{HEAD.replace('population: p', '')}\n---*/\nSELECT 1",
    "unknown unit": f"/*---\n{HEAD.replace('unit: s', 'unit: x-h')}\n---*/\nSELECT 1",
    "unknown key": f"/*---\n{HEAD}\nwhy: b\n---*/\nSELECT 1",
    "one column twice": f"/*---\n{HEAD.replace('[', f'[{COLUMN}, ')}\n---*/\nSELECT 1",
    "two queries": f"/*---\n{HEAD}\n---*/\nSELECT 1\n/*---\n{HEAD}\n---*/\nSELECT 2",
}  # fmt: skip


def answer(name: str, root: Path, runs: list[dict[str, Any]]) -> LakeAnswer:
    with open_lake(make_lake(root, runs)) as connection:
        return ask_question(connection, QUESTIONS[name])


def test_every_question_has_a_case() -> None:
    assert sorted(CASES) == sorted(QUESTIONS)


@pytest.mark.parametrize(
    ("name", "case"),
    [
        pytest.param(name, case, id=f"{name}: {case['about']}")
        for name, cases in CASES.items()
        for case in cases
    ],
)
def test_question(name: str, case: dict[str, Any], tmp_path: Path) -> None:
    rows = answer(name, tmp_path / "lake", case["runs"]).rows
    expected = case["expect"]
    shown = [{key: row[key] for key in one} for row, one in zip(rows, expected, strict=False)]
    wanted = [
        {key: pytest.approx(each) if isinstance(each, float) else each for key, each in one.items()}
        for one in expected
    ]
    assert shown == wanted
    assert len(rows) == len(wanted), rows


@pytest.mark.parametrize("name", QUESTIONS)
def test_no_run_and_one_run_are_answered(name: str, tmp_path: Path) -> None:
    with open_lake(create_lake(tmp_path / "empty")) as connection:
        empty = ask_question(connection, QUESTIONS[name])
    assert len(empty) == (1 if name == "fleet_totals" else 0)
    assert all(row.get("judgement") != "slow" for row in answer(name, tmp_path / "one", [ONE]))


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_runs_as_it_stands(name: str, tmp_path: Path) -> None:
    with open_lake(make_lake(tmp_path / "one", [ONE])) as connection:
        said = "".join(run_table_query(connection, QUESTIONS[name].sql, "csv"))
    assert said.splitlines()[0] == ",".join(one.name for one in QUESTIONS[name].columns)


@pytest.mark.parametrize("fault", FAULTY)
def test_faulty_question_is_named(fault: str, tmp_path: Path) -> None:
    (tmp_path / "odd.sql").write_text(FAULTY[fault], "utf-8")
    with pytest.raises(ContentError, match=r"odd\.sql"):
        load_questions(tmp_path)


def test_columns_are_those_of_the_front_matter(tmp_path: Path) -> None:
    text = (HERE / "cost_by_host.sql").read_text("utf-8").replace("AS workloads", "AS kinds")
    (tmp_path / "odd.sql").write_text(text, "utf-8")
    with (
        open_lake(create_lake(tmp_path / "lake")) as connection,
        pytest.raises(ContentError, match="question odd: has columns host, runs, kinds"),
    ):
        ask_question(connection, load_questions(tmp_path)["odd"])


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5])
def test_fleet_of_known_truth(seed: int, tmp_path: Path) -> None:
    lake, truth = draw_fleet(1_500, tmp_path / "lake", seed)
    found = judge_fleet(lake, truth)
    assert (sorted(found.missed), sorted(found.invented)) == ([], [])


def draw_noise(kind: str, draw: np.random.Generator) -> float:
    """How much longer something takes, by nobody's fault."""
    if kind == "heavy tails":
        return float(np.exp(0.01 * draw.standard_t(2)))
    if kind == "bursts":
        return 1.5 if draw.random() < 0.1 else float(np.exp(draw.normal(0, 0.01)))
    return float(np.exp(0.15 * (draw.random() < 0.5) + draw.normal(0, 0.01)))


@pytest.mark.parametrize("kind", ["heavy tails", "bursts", "two values"])
@pytest.mark.parametrize(("hosts", "runs"), [(4, 100), (12, 300)])
def test_noise_blames_nobody(kind: str, hosts: int, runs: int, tmp_path: Path) -> None:
    draw = np.random.default_rng(hosts)
    entries: list[dict[str, Any]] = []
    for _ in range(runs):
        host, step = f"host{draw.integers(hosts)}", int(1e8 * draw_noise(kind, draw))
        run = {
            "hosts": [host], "driver": host[-1], "iteration_ns": step, "basis": "iteration",
            "iterations": 10, "ranks": 2, "lanes": 2, "gpus": 2, "gpu_hours": 1.0,
            "recorded": BEGIN + timedelta(days=float(draw.random() * 90)),
        }  # fmt: skip
        gpus = [
            {
                "rank": rank, "host": host, "kernel_ns": int(8e8 * draw_noise(kind, draw)),
                "idle_ns": int(1e8 * draw_noise(kind, draw)),
            }
            for rank in range(2)
        ]  # fmt: skip
        kernels = [
            {"kernel": name, "class": "c", "ns": int(1e7 * draw_noise(kind, draw)), "calls": 9}
            for name in "abcdef"
        ]  # fmt: skip
        entries.append({"run": run, "gpu": gpus, "kernel": kernels})
    found = judge_fleet(make_lake(tmp_path / "lake", entries), NOBODY)
    assert sorted(found.invented) == []
