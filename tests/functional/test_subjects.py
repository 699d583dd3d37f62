"""Each command with each kind of what a person may give to it: taken, or refused in one line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.functional.conftest import called
from tests.functional.subjects import KINDS, Kept, little_made, write_subjects
from tests.kit.shared import ROOT

CLAIMS = ROOT / "docs" / "examples" / "dlrm-gpu-claims.toml"
COMMANDS = {
    "build": "build {} -o site",
    "one file": "build {} --single-file report.html",
    "info": "info {}",
    "ingest": "ingest {} --store new.duckdb",
    "handout": "handout {} -o report.pdf",
    "brief": "brief {} -o report.md",
    "check": "check {} --fail-on never",
    "audit": f"audit {CLAIMS} {{}}",
    "report": "report {} --docs docs",
    "handouts": "worksheet build {} -o handouts",
    "exercise": "worksheet check which-second --on {}",
    "quiz": "worksheet export {} which-second --format gift",
    "metrics": "metrics {}",
    "query": "query {} FROM~run",
    "export": "export {} exported --to csv",
    "verify": "verify {}",
    "simulate": "simulate {} -o simulated.d",
}
"""A word each; ~ stands for a space."""
COLUMNS = {
    "profile": ("build", "one file", "info", "ingest"),
    "any run": ("handout", "brief", "check", "audit", "report", "handouts", "exercise", "quiz"),
    "store": ("metrics", "query", "export"),
    "site": ("verify",),
    "scenario": ("simulate",),
}
"""Commands that take the same."""
TABLE = """
kind              | profile  | any run  | store     | site      | scenario
trace             | taken    | taken    | ingest    | no folder | no TOML
packed trace      | taken    | taken    | ingest    | no folder | no text
folder of a trace | taken    | taken    | ingest    | no report | no file
ranks             | taken    | taken    | ingest    | no report | no file
runs              | taken    | taken    | ingest    | no report | no file
nsys              | taken    | taken    | ingest    | no folder | no text
nsys parquet      | taken    | taken    | ingest    | no report | no file
hpctoolkit        | taken    | taken    | ingest    | no report | no file
hpctoolkit 3      | taken    | taken    | ingest    | no report | no file
cProfile          | taken    | taken    | ingest    | no folder | no text
rocm folder       | taken    | taken    | ingest    | no report | no file
rocm table        | taken    | taken    | ingest    | no folder | no TOML
rocm json         | taken    | taken    | ingest    | no folder | no TOML
witness           | taken    | taken    | ingest    | no folder | no TOML
store             | stored   | taken    | taken     | no folder | too large
exported          | exported | taken    | taken     | no report | no file
findings          | document | taken    | document  | no folder | no TOML
scenario          | simulate | taken    | simulate  | no report | taken
scenario file     | simulate | taken    | simulate  | no folder | taken
site              | site     | site     | site      | moved     | no file
text              | unknown  | unknown  | no store  | no folder | no TOML
empty folder      | unknown  | unknown  | folder    | no report | no file
nothing           | gone     | gone     | gone      | gone      | gone
"""
SAYS = {
    "ingest": (5, "is a profile, and no store; make one of it with: perfolio ingest "),
    "stored": (3, "is a store, and no profile; see perfolio metrics "),
    "exported": (3, "holds exported runs, and no profile; see perfolio metrics "),
    "document": (None, "is the findings.json of a report, and no "),
    "simulate": (None, "simulate it: perfolio simulate "),
    "site": (None, "is a site of reports, and no "),
    "unknown": (3, "no profile found there; give a trace of PyTorch's profiler"),
    "no store": (5, "is no store of Perfolio; make one with: perfolio ingest "),
    "folder": (5, "is a folder, and a store is a file; make one with: perfolio ingest "),
    "gone": (None, "o such "),
    "no folder": (3, "is no folder; give a folder that perfolio build wrote"),
    "no report": (3, "holds no report; give a folder that perfolio build wrote"),
    "moved": (3, "its profile gone.d is not there; name it: perfolio verify SITE --profiles PATH"),
    "no TOML": (2, "is not TOML: "),
    "no text": (3, "is not a text in UTF-8; give the TOML file of a scenario"),
    "no file": (3, "is no regular file; give the TOML file of a scenario"),
    "too large": (3, "bytes; give the TOML file of a scenario"),
    "several": (2, "name "),
    "a run": (2, "the store holds 2 runs; choose with --run: t, t-2"),
    "another run": (8, "there is no run dlrm-h100-timed to check it on"),
    "no answer": (2, "no run of it answers these exercises"),
}
"""The exit code, None where it is one of several, and what is said."""
APART = {
    ("one file", "runs"): "several",
    ("info", "runs"): "several",
    ("handout", "runs"): "a run",
    ("brief", "runs"): "a run",
    ("audit", "runs"): "a run",
}
"""A command about one run."""
ASKED = {"exercise": "another run", "quiz": "no answer"}
"""What these say of a run that they have read."""


def outcomes(command: str) -> dict[str, str]:
    """What becomes of each kind."""
    head, *rows = ([cell.strip() for cell in line.split("|")] for line in TABLE.split("\n")[1:-1])
    column = next(head.index(name) for name, members in COLUMNS.items() if command in members)
    found = {row[0]: APART.get((command, row[0]), row[column]) for row in rows}
    return {
        kind: ASKED[command] if said == "taken" and command in ASKED else said
        for kind, said in found.items()
    }


@pytest.fixture(scope="module")
def subjects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return write_subjects(tmp_path_factory.mktemp("subjects"))


@pytest.fixture(scope="module")
def _little_made(subjects: dict[str, Path]) -> Iterator[None]:
    del subjects  # are made before
    with little_made(Kept()):
        yield


def test_the_table_has_each_kind() -> None:
    assert {*outcomes("build")} == {*KINDS}
    assert {*COMMANDS} == {name for members in COLUMNS.values() for name in members}


@pytest.mark.slow
@pytest.mark.xdist_group("subjects")
@pytest.mark.usefixtures("_little_made")
@pytest.mark.parametrize("command", COMMANDS)
def test_each_kind_is_taken_or_refused_in_one_line(
    command: str, subjects: dict[str, Path], tmp_path: Path
) -> None:
    for kind, expected in outcomes(command).items():
        place = tmp_path / kind
        place.mkdir()
        words = [word.format(subjects[kind]) for word in COMMANDS[command].split()]
        done = called(*(word.replace("~", " ") for word in words), cwd=place)
        said = done.stderr
        if expected == "taken":
            assert done.returncode == 0, (kind, said)
            assert said.count("perfolio: ") == said.count("perfolio: note: "), (kind, said)
            continue
        code, words_said = SAYS[expected]
        assert done.returncode in ((2, 3, 5) if code is None else (code,)), (kind, said)
        assert words_said in said, (kind, said)
        assert said.count("perfolio: ") == said.endswith("\n") == 1, (kind, said)
