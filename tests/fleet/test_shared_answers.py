"""Answers for others to read: one name for each machine, person and run, everywhere."""

from __future__ import annotations

from pathlib import Path

from perfolio.fleet.lake_connection import open_lake
from perfolio.fleet.lake_questions import LakeAnswer
from perfolio.fleet.shared_answers import FleetPseudonyms
from perfolio.pipeline.fleet_site import ask_all
from tests.fleet.lakes import make_lake

RUNS = [
    {
        "run": {
            "name": "alice-try-7", "workload": "alice-try-7", "owner": "Alice", "team": "zebra",
            "hosts": ["node17", "io"], "hardware": "H100 of node17", "gpu_hours": 1.0,
            "window_ns": 10, "lanes": 1, "verdict": "See /home/alice.",
        },
        "gpu": [{"rank": 0, "host": "node17", "kernel_ns": 5}, {"rank": 1, "host": "io"}],
    },
    {
        "run": {"name": "kernel", "workload": "secretive", "owner": "Alice", "hosts": ["node170"]},
        "gpu": [{"rank": 0, "host": "node170", "kernel_ns": 5}],
    },
]  # fmt: skip


def hide(root: Path, names: FleetPseudonyms) -> dict[str, LakeAnswer]:
    with open_lake(make_lake(root, RUNS)) as connection:
        answers = ask_all(connection)
    for answer in answers.values():
        names.collect_names(answer)
    return {name: names.rename_answer(answer) for name, answer in answers.items()}


def test_a_name_is_the_same_everywhere(tmp_path: Path) -> None:
    answers = hide(tmp_path / "lake", FleetPseudonyms(("secretive",)))
    first, second = answers["runs"].rows
    hosts = {row["host"]: row["gpu_hours"] for row in answers["cost_by_host"].rows}
    assert set(first["hosts"]) | set(second["hosts"]) == set(hosts)
    assert first["owner"] == second["owner"] == answers["cost_by_owner"].rows[0]["owner"]
    assert first["name"] == first["workload"]
    assert first["name"].startswith("run ")
    assert first["hardware"] == f"H100 of {first['hosts'][0]}"
    assert second["workload"] == "hidden"
    assert first["verdict"] is None


def test_what_stands_for_a_name_already_is_no_secret() -> None:
    names = FleetPseudonyms()
    names.names = {("host", "host-1"): "host 1", ("owner", "user-2"): "owner 1"}
    assert names.list_secrets().words == ()
    assert names.rename_text("of host-1") == "of host-1"


def test_what_is_hidden_is_looked_for(tmp_path: Path) -> None:
    names = FleetPseudonyms(("secretive",), frozenset({"zebra"}))
    answers = hide(tmp_path / "lake", names)
    secrets = names.list_secrets()
    assert {"node17", "node170", "alice", "alice-try-7"} == set(secrets.words)
    assert secrets.asked == ("secretive",)
    told = repr([answer.rows for answer in answers.values()]).lower()
    assert not [word for word in (*secrets.words, *secrets.asked) if word in told]
    assert "'io'" not in told, "short names are replaced, too, where they stand for a machine"
