"""profile.toml."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfolio.common.errors import UsageError
from perfolio.readers.run_description import read_description
from tests.kit.databases import write_database

FULL = """
title = "DLRM"
description = "one run"
hardware = "h100-sxm5"
model_flops_per_iteration = 2.9e10
notes = "n"
simulated = true
[workload]
batch_size = 2048
optimizer = "sgd"
compiled = false
[price]
gpu_hour = 2.5
currency = "EUR"
gpu_power = 700
"""


def test_without_one_everything_is_empty(tmp_path: Path) -> None:
    found = read_description(write_database(tmp_path / "x.d"))
    assert (found.path, found.title, dict(found.settings)) == (None, "", {})


@pytest.mark.parametrize("place", ["x.d/profile.toml", "profile.toml"])
def test_inside_or_beside_the_database(tmp_path: Path, place: str) -> None:
    database = write_database(tmp_path / "x.d")
    (tmp_path / place).write_text(FULL)
    found = read_description(database)
    assert (found.title, found.hardware) == ("DLRM", "h100-sxm5")
    assert dict(found.settings) == {
        "model_flops_per_iteration": "29000000000.0",
        "simulated": "true",
        "workload.batch_size": "2048",
        "workload.optimizer": "sgd",
        "workload.compiled": "false",
        "price.gpu_hour": "2.5",
        "price.currency": "EUR",
        "price.gpu_power": "700.0",
    }


def test_beside_a_link_to_the_database(tmp_path: Path) -> None:
    """One who may not write beside a database describes a link to it."""
    (tmp_path / "mine").mkdir()
    link = tmp_path / "mine" / "run.d"
    link.symlink_to(write_database(tmp_path / "theirs" / "x.d"))
    (tmp_path / "mine" / "profile.toml").write_text(FULL)
    assert read_description(link).title == "DLRM"
    assert read_description(link.resolve()).title == ""


def test_beside_several_databases_it_is_nobodys(tmp_path: Path) -> None:
    database = write_database(tmp_path / "x.d")
    write_database(tmp_path / "y.d")
    (tmp_path / "profile.toml").write_text(FULL)
    assert read_description(database).title == ""


TRACE = """{"distributedInfo": {"rank": %d, "world_size": 2}, "traceEvents": [
    {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 1}]}"""


def test_beside_a_trace_other_files_do_not_matter_and_other_runs_do(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(TRACE % 0)
    (tmp_path / "settings.json").write_text("{}")
    (tmp_path / "profile.toml").write_text(FULL)
    assert read_description(tmp_path / "run.json").title == "DLRM"
    (tmp_path / "other.json").write_text(TRACE % 0)
    assert read_description(tmp_path / "run.json").title == ""


def test_beside_several_folders_of_traces_it_is_nobodys(tmp_path: Path) -> None:
    (tmp_path / "profile.toml").write_text(FULL)
    for name in ("a", "b"):
        assert read_description(tmp_path / "a").title == "DLRM"
        (tmp_path / name).mkdir()
        for rank in (0, 1):
            (tmp_path / name / f"rank{rank}.json").write_text(TRACE % rank)
    assert read_description(tmp_path / "a").title == read_description(tmp_path / "b").title == ""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("title = ", "cannot be read"),
        ("[price]\ngpu_hour = 2", "gpu_hour and price.currency go together"),
        ("[price]\ncurrency = 'EUR'", "go together"),
        ("[price]\ngpu_hour = 0\ncurrency = 'EUR'", "price.gpu_hour must be a number above 0"),
        ("[price]\ngpu_power = 'much'", "price.gpu_power must be"),
        ("[price]\nhour = 1", "unknown entry 'price.hour'"),
        ("price = 3", "price must be"),
        ("titel = 'x'", "unknown entry 'titel'"),
        ("title = 3", "title must be"),
        ("[workload]\nlist = [1]", r"workload\.list must be"),
        ("model_flops_per_iteration = true", "must be"),
        ("model_flops_per_iteration = nan", "must be"),
    ],
)
def test_faults_are_named(tmp_path: Path, text: str, says: str) -> None:
    database = write_database(tmp_path / "x.d")
    (database / "profile.toml").write_text(text)
    with pytest.raises(UsageError, match=says):
        read_description(database)
