"""`perfolio audit`, and the page of claims."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.functional.conftest import SAMPLE, Run
from tests.kit.shared import ROOT, database

EXAMPLE = ROOT / "docs" / "examples" / "dlrm-gpu-claims.toml"
CLAIMS = """
title = "What somebody wrote"
[[claim]]
key = "cost"
says = "CPU time"
metric = "cpu.time"
value = 27.46
unit = "CPU-s"
[[claim]]
says = "Time of the run"
metric = "time.wall"
value = 27.46
unit = "s"
[[claim]]
says = "Ten times faster"
speedup = 10
affects = "0.5"
"""


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    path = tmp_path / "claims.toml"
    path.write_text(CLAIMS)
    return path


@pytest.mark.slow
def test_claims_are_held_against_a_store(run: Run, store: Path, claims: Path) -> None:
    said = run("audit", claims, store).stdout
    assert "CPU time: holds" in said
    assert "Time of the run: off by a factor" in said
    assert "CPU time, which is something else." in said
    document = json.loads(run("audit", claims, store, "--format", "json").stdout)
    assert [one["verdict"] for one in document["claims"]] == [
        "holds",
        "off by a factor",
        "unbounded",
    ]
    done = run("audit", claims, store, "--format", "markdown", "-o", "audit.md")
    assert done.stdout == "Wrote audit.md\n"


@pytest.mark.slow
@pytest.mark.usefixtures("imageless")
def test_claims_beside_a_profile_are_a_page_of_its_report(
    run: Run, claims: Path, tmp_path: Path
) -> None:
    profile = shutil.copytree(SAMPLE, tmp_path / "dlrm")
    shutil.copy(claims, profile)
    assert run("build", profile, "-o", "site").returncode == 0
    page = (tmp_path / "site" / "dlrm" / "claims.html").read_text()
    assert "off by a factor" in page
    findings = tmp_path / "site" / "dlrm" / "findings.json"
    assert json.loads(findings.read_text())["claims"]["counts"] == {
        "holds": 1,
        "off by a factor": 1,
        "unbounded": 1,
    }
    shown = (tmp_path / "site" / "dlrm" / "findings.html").read_text()
    assert "Correct the claim that exceeds its bound" in shown
    checked = run("check", findings, "--format", "sarif")
    assert (checked.returncode, checked.stderr.count("Traceback")) == (11, 0), checked.stderr
    assert run("report", findings, "--docs", "docs").returncode == 0
    assert (tmp_path / "docs" / "dlrm" / "claims.md").is_file()
    (profile / "claims.toml").write_text(CLAIMS + "more = 1")
    refused = run("build", profile, "-o", "site")
    assert refused.returncode == 2
    assert "claims.toml of" in refused.stderr


@pytest.mark.slow
def test_a_report_without_claims_has_no_page_of_them(reported: Path) -> None:
    assert (reported / "dlrm-cpu" / "findings.md").is_file()
    assert not (reported / "dlrm-cpu" / "claims.md").exists()


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (
            ["nowhere.toml", SAMPLE],
            2,
            "nowhere.toml: cannot be read: No such file or directory; see how to audit",
        ),
        (["binary.toml", SAMPLE], 2, "binary.toml: is not a text in UTF-8; see how to audit"),
        (["claims.toml", "nowhere.duckdb"], 3, "there is no such file or folder"),
        (["other.toml", SAMPLE], 2, "other.toml: there must be 1 to 1000 tables"),
    ],
)
def test_errors_name_the_file(
    run: Run, claims: Path, args: list[object], code: int, says: str
) -> None:
    (claims.parent / "other.toml").touch()
    (claims.parent / "binary.toml").write_bytes(b"\xff")
    done = run("audit", *args)
    assert done.returncode == code, done.stderr
    assert says in done.stderr


@pytest.mark.real
def test_the_example_names_the_mistakes_of_a_hand_made_report(run: Run) -> None:
    done = run("audit", EXAMPLE, database("dlrm-h100-gpu.d"), "--format", "json")
    assert done.returncode == 0, done.stderr
    found = {one["key"]: one for one in json.loads(done.stdout)["claims"]}
    reasons = {key: " ".join(one["reasons"]) for key, one in found.items()}
    deep = ("gpu_time", "kernel_time", "copy_time", "copy_share", "launches", "volume", "gmem",
            "mean_kernel")  # fmt: skip
    for key in deep:
        assert found[key]["verdict"] == "off by a factor", key
        assert "inclusive values summed over the calling contexts of <main thread>" in reasons[key]
    assert found["launches"]["truth"] == 7400.0
    for key, says in (
        ("utilisation", "divides by 1,513.6 CPU-s"),
        ("link_efficiency", "PCIe 4.0 x16 in both directions added up"),
    ):
        assert found[key]["verdict"] == "wrong denominator", key
        assert says in reasons[key]
    assert "launches * 0.000005 is 725.5 ms" in reasons["launch_overhead"]
    for key in ("phase_1", "phase_2", "phase_3", "training"):
        assert found[key]["verdict"] == "unbounded", key
    assert found["phase_1"]["measured"] == "at most 1.0024×"
    assert found["bandwidth"]["verdict"] == "holds"
