"""What fails, and where findings are shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from perfolio.cli.commands import check as command
from perfolio.exporters.ci_checks import formats
from perfolio.exporters.ci_checks.level_check import check_findings
from perfolio.exporters.ci_checks.model import LEVELS, SourcePlace
from perfolio.exporters.ci_checks.source_places import (
    find_cause_places,
    find_places,
    make_locator,
    make_relative,
)
from tests.exporters.ci_checks.support import PATH, document, locate, made


def test_the_command_offers_all_levels_and_formats() -> None:
    assert command.LEVELS == LEVELS
    assert list(command.FORMATS) == formats.list_formats()


def test_findings_at_or_above_the_level_fail() -> None:
    fired = made().of("fired")
    severities = {item.severity for item in fired}
    for level in LEVELS[:-1]:
        worse = set(LEVELS[: LEVELS.index(level) + 1])
        assert {item.severity for item in made(level).failing} == severities & worse
    assert made("never").failing == ()


def test_the_outcome_counts_what_fails() -> None:
    fired = len(made().of("fired"))
    assert made("info").outcome.startswith(f"{fired} of {fired} finding")
    assert made("never").outcome.startswith(f"{fired} finding")
    assert "or worse" not in made("critical").outcome


def test_places_in_the_sources_come_first() -> None:
    item = made(file="/elsewhere/a.py").of("fired")[0]
    assert item.places[0] == SourcePlace("", 0, "make_batch")
    item = made().of("fired")[0]
    assert item.places[0] == SourcePlace("src/train.py", 12, "make_batch")
    assert item.places[1].text == "elsewhere"


def node(key: str, parent: str, file: str = "", view: bool = False) -> dict[str, Any]:
    """A cause of a document, seen in one line of `file` or nowhere."""
    columns = [{"name": name, "title": name, "unit": "text"} for name in ("function", "file")]
    seen = {"metric": "made.up", "columns": columns, "rows": [[key, file]]} if file else None
    return {"key": key, "parent": parent, "view": view, "places": seen}


TREE = [
    node("run", "", "/home/user/dlrm/run.py"),
    node("host", "run"),
    node("host.gap", "host"),
    node("host.data", "host.gap", "/home/user/dlrm/data.py"),
    node("host.start", "host", "/home/user/dlrm/start.py"),
    node("copies", "run", "/home/user/dlrm/copies.py"),
    node("copies.overlap", "copies", view=True),
    node("gpu", "run", "/usr/lib/elsewhere.py"),
    node("gpu.again", "gpu", "/home/user/dlrm/again.py", view=True),
]


@pytest.mark.parametrize(
    ("cause", "seen"),
    [
        ("host.start", "start.py"),  # its own
        ("host", "data.py"),  # the first one below it that has any
        ("copies.overlap", "copies.py"),  # the one above it
        ("gpu", None),  # outside of the sources, and a view is no part of it
        ("run", None),  # the run itself is no cause
        ("", None),
    ],
)
def test_a_finding_without_a_file_is_seen_where_its_cause_is(cause: str, seen: str | None) -> None:
    found = find_cause_places({"parent": cause}, TREE, {}, locate)
    assert [place.file for place in found] == ([seen] if seen else [])


def test_places_of_the_cause_stand_in_for_evidence_without_files() -> None:
    whole = document()
    whole["causes"]["nodes"] = TREE
    finding = next(one for one in whole["findings"] if one["status"] == "fired")
    finding["parent"] = "host"
    assert check_findings(whole, "high", locate).of("fired")[0].places[0].file == "src/train.py"
    finding["evidence"]["rows"] = [["somewhere", None, None]]
    shown = check_findings(whole, "high", locate).of("fired")[0].places
    assert shown == (SourcePlace("data.py", 0, "host.data"), SourcePlace("", 0, "somewhere"))


def test_a_function_of_a_library_is_shown_where_the_program_calls_it() -> None:
    names = ["function", "file", "line", "called_file", "called_line"]
    columns = [{"name": name, "title": name, "unit": "text"} for name in names]
    rows = [["gemm", "/usr/x.c", 3, PATH, 12], ["own", PATH, 5, None, None]]
    shown = find_places({"metric": "x", "columns": columns, "rows": rows}, {}, locate)
    assert shown == (SourcePlace("src/train.py", 12, "gemm"), SourcePlace("src/train.py", 5, "own"))


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    (tmp_path / "dlrm" / "src").mkdir(parents=True)
    (tmp_path / "dlrm" / "src" / "train.py").touch()
    (tmp_path / "dlrm" / "setup.py").touch()
    (tmp_path / "secret.py").touch()
    return tmp_path / "dlrm"


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (PATH, "src/train.py"),
        ("src/train.py", "src/train.py"),
        ("./src//train.py", "src/train.py"),
        ("/another/checkout/dlrm/setup.py", "setup.py"),
        ("setup.py", "setup.py"),
        ("/usr/lib/python3/setup.py", None),
        ("train.py", None),
        ("/build/src/other.py", None),
        ("../secret.py", None),
        ("/home/user/dlrm/../secret.py", None),
        ("", None),
        ("/", None),
        ("src/train.py\n", None),
        ("x/" * 5_000, None),
    ],
)
def test_files_are_found_in_another_checkout(sources: Path, path: str, found: str | None) -> None:
    assert make_locator(sources)(path) == found


def test_a_path_elsewhere_is_not_relative(sources: Path) -> None:
    assert make_relative(sources / "runs" / "a.d", sources) == "runs/a.d"
    assert make_relative(sources.parent, sources) == ""
