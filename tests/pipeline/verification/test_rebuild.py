"""The input of a report is found again, whatever kind of profile it is.

Also: Differences are found, each once, and named by where they are.
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.pipeline.verification.comparison import compare_documents, compare_folders
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


NUMBERS = st.integers(-999, 999) | st.integers(-999, 999).map(lambda number: number / 8)
"""Numbers that are far from each other, or the same."""
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=12,
)


def places(site: Any, fresh: Any) -> list[str]:
    return [each.place for each in compare_documents(site, fresh, "run")]


@given(JSON)
def test_equal_documents_have_no_difference(value: Any) -> None:
    assert places(value, copy.deepcopy(value)) == []


@given(JSON, JSON)
def test_other_documents_differ(one: Any, other: Any) -> None:
    # repr tells true from 1 and 1 from 1.0, which are one number in JSON.
    same = repr(one).replace(".0", "") == repr(other).replace(".0", "")
    if one != other:
        assert places(one, other)
    elif same:
        assert places(one, other) == []


@pytest.mark.parametrize(
    ("site", "fresh", "found"),
    [
        ({"a": 1}, {"a": 2}, ["run/a"]),
        ({"a": 1.0}, {"a": 1.0000000000000002}, []),
        ({"a": 1.0}, {"a": 1.00000000001}, ["run/a"]),
        ({"a": 0.0}, {"a": 1.8e-16}, []),
        ({"a": 1e-9}, {"a": 1.1e-9}, ["run/a"]),
        ({"a": True}, {"a": 1}, ["run/a"]),
        ({"a": 1}, {"b": 1}, ["run/a", "run/b"]),
        ({"a": [1, 2]}, {"a": [1]}, ["run/a"]),
        ({"a": [[1], [2]]}, {"a": [[1], [3]]}, ["run/a/1/0"]),
        ([{"name": "x", "v": 1}], [{"name": "x", "v": 2}], ["run/x/v"]),
        ([{"name": "x"}], [{"name": "y"}], ["run/x", "run/y"]),
        ([{"code": "A"}, {"code": "B"}], [{"code": "B"}, {"code": "A"}], ["run"]),
        ([{"name": "x"}, {"name": "x"}], [{"name": "x"}], ["run"]),
        ({"a": {}}, {"a": []}, ["run/a"]),
    ],
)
def test_places(site: Any, fresh: Any, found: list[str]) -> None:
    assert places(site, fresh) == found


def test_a_difference_is_one_line() -> None:
    (one,) = compare_documents({"a\n": "x\x1b"}, {"a\n": "y" * 500}, "run")
    assert "\n" not in str(one)
    assert "\x1b" not in str(one)
    assert len(str(one)) < 250


def test_files_are_missing_more_or_other(tmp_path: Path) -> None:
    site, fresh = tmp_path / "site", tmp_path / "fresh"
    for folder, names in ((site, "same more other mark"), (fresh, "same less other mark")):
        (folder / "sub").mkdir(parents=True)
        for name in names.split():
            (folder / "sub" / name).write_text("x" if name == "same" else folder.name[:1])
    found = [str(each) for each in compare_folders(site, fresh, frozenset({"sub/mark"}))]
    assert found == [
        "sub/less: is missing from the site",
        "sub/more: is in the site and not made from the input",
        "sub/other: differs from what the input gives",
    ]


def test_a_link_does_not_stand_for_a_file(tmp_path: Path) -> None:
    site, fresh = tmp_path / "site", tmp_path / "fresh"
    site.mkdir()
    fresh.mkdir()
    (site / "broken").symlink_to("nowhere")
    assert [each.place for each in compare_folders(site, fresh, frozenset())] == ["broken"]
