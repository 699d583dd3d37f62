"""The input of a report is found again, whatever kind of profile it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfolio.pipeline.verification.rebuild import find_changed_inputs, find_inputs
from perfolio.pipeline.verification.site_provenance import RecordedReport
from perfolio.readers import registry
from perfolio.readers.run_files import read_run
from perfolio.store.run_identity import compute_sha256
from tests.functional.subjects import KINDS

NOT_READ = (
    "folder of a trace", "runs", "hpctoolkit 3", "cProfile", "store", "exported", "findings",
    "scenario", "scenario file", "site", "text", "empty folder", "nothing",
)  # fmt: skip
"""No profile, one or several below it, or one that takes another process to read."""


def recorded(profile: Path) -> RecordedReport:
    """What a report says of its input."""
    files = [
        {"name": file.path.name, "sha256": compute_sha256(file.path)}
        for file in read_run(profile)[0].files
    ]
    assert files
    run = {"path": str(profile), "files": files}
    return RecordedReport(profile.parent / "report", {"metrics": {"run": run}})


@pytest.fixture(params=sorted(KINDS.keys() - NOT_READ))
def profile(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A profile with a log beside it, which is read too, if it is a file, and if it has none."""
    name, write = KINDS[request.param]
    place = tmp_path / "before" / name
    place.parent.mkdir()
    write(place)
    KINDS["witness"][1](place.parent / "beside.log")
    return place


def test_its_files_are_where_the_reader_finds_them(profile: Path) -> None:
    told = recorded(profile)
    assert find_changed_inputs(told, profile) == []
    assert find_inputs(told, profile.parent, []) == profile


def test_another_content_is_told_and_a_file_that_is_gone(profile: Path) -> None:
    told = recorded(profile)
    for name, _ in told.files:
        (path,) = [one for one in profile.parent.rglob(name) if one.is_file()]
        content = path.read_bytes()
        path.write_bytes(content + b"\n")
        (changed,) = find_changed_inputs(told, profile)
        assert changed.place == f"report/input/{name}"
        assert changed.words.startswith("sha256 ")
        path.rename(path.with_name("away"))
        (gone,) = find_changed_inputs(told, profile)
        assert gone.words == f"is not in {profile}"
        path.with_name("away").unlink()
        path.write_bytes(content)


def test_it_is_found_in_another_folder(profile: Path, tmp_path: Path) -> None:
    told = recorded(profile)
    profile.parent.rename(tmp_path / "after")
    (found,) = {find_inputs(told, tmp_path, [given]) for given in (tmp_path, tmp_path / "after")}
    assert found == tmp_path / "after" / profile.name
    assert registry.is_readable(found)


def test_of_two_files_of_one_name_each_is_looked_at(tmp_path: Path) -> None:
    _, write = KINDS["trace"]
    (tmp_path / "run").mkdir()
    write(tmp_path / "run" / "trace.json")
    (tmp_path / "logs").mkdir()
    for place in ("run", "logs"):
        KINDS["witness"][1](tmp_path / place / "all.log")
    with (tmp_path / "logs" / "all.log").open("a") as log:
        log.write("\n")
    (tmp_path / "run" / "profile.toml").write_text('witnesses = ["../logs/all.log"]')
    told = recorded(tmp_path / "run" / "trace.json")
    assert [name for name, _ in told.files].count("all.log") == 2
    assert find_changed_inputs(told, tmp_path / "run" / "trace.json") == []
    (tmp_path / "logs" / "all.log").unlink()
    KINDS["witness"][1](tmp_path / "logs" / "all.log")
    (changed,) = find_changed_inputs(told, tmp_path / "run" / "trace.json")
    assert changed.place == "report/input/all.log"
