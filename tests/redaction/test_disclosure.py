"""What a site would tell of people and machines is said to who builds it."""

from __future__ import annotations

import getpass
import platform
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from perfolio.cli.main import main
from perfolio.pipeline import reports
from perfolio.pipeline.build_context import RunDocuments
from perfolio.pipeline.inputs import read_documents
from perfolio.redaction.disclosure import describe_exposure
from tests.kit.databases import Shape, write_database

NOTE = ": look before you publish them, or build with --share"


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine, its user and the user's home."""
    monkeypatch.setattr(platform, "node", lambda: "login12.cluster.example")
    monkeypatch.setattr(getpass, "getuser", lambda: "alice")
    monkeypatch.setenv("HOME", "/data/people/al")


def told(*texts: str) -> str:
    return describe_exposure([{"metrics": [{"rows": [[text, 1.0, None]]} for text in texts]}])


@pytest.mark.parametrize(
    ("text", "home"),
    [
        ("/home/bob/train.py:12", "/home/bob"),
        ("called in /Users/bob/a.c", "/Users/bob"),
        ("/root/x", "/root"),
        ("file=/data/people/al/x.so", "/data/people/al"),
        ("/scratch/project/alice/run.d", "/scratch/project/alice"),
        ("(/home/bob)", "/home/bob"),
        ("/export/home/bob/a b", "/export/home/bob"),
        ("triton_/home/bob/k.py", "/home/bob"),
        ("~/home/bob/x", "~"),
    ],
)
def test_paths_below_homes(text: str, home: str) -> None:
    assert told(text).startswith(f"the pages name 1 path below {home} (")


@pytest.mark.parametrize(
    "text",
    [
        "/usr/lib/libc.so", "/opt/home/x.py", "http://www.w3.org/2000/svg", "~", "/home",
        "/rooted/x", "alice", "the login", "login123", "my-login12", "/data/people/also/x",
        "homes/bob", "", "/homeless/bob", "lib/root/x",
    ],
)  # fmt: skip
def test_what_is_not_private(text: str) -> None:
    assert told(text) == ""


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("by alice%40node17", "1 private name with escapes"),
        ("node17:/scratch/x", "1 path on a host"),
        ("USER=zora", "1 setting of a user or host"),
    ],
)
def test_other_kinds_have_names(text: str, called: str) -> None:
    assert told(text).startswith(f"the pages name {called} (")


def test_the_host_is_named() -> None:
    assert told("ran on login12.", "login12") == f"the pages name the host login12{NOTE}"


def test_paths_are_counted_once_and_three_are_shown() -> None:
    paths = [f"/home/bob/{letter}.py" for letter in "abcd"]
    found = told(*paths, *[f"{path}:7" for path in paths], "/root/x", "login12")
    assert found == (
        "the pages name 4 paths below /home/bob and 1 path below /root and the host login12 "
        f"(/home/bob/a.py, /home/bob/b.py, /home/bob/c.py, ...){NOTE}"
    )


def test_keys_of_tables_and_long_names_count() -> None:
    found = describe_exposure([{"files": {"/home/bob/" + "x" * 100_000 + "\n": []}}])
    assert "1 path below /home/bob (/home/bob/xxx" in found
    assert len(found) < 200


@pytest.mark.slow
def test_build_says_so_after_the_site_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def site_of(paths: Sequence[Path], *_: object, **__: object) -> list[RunDocuments]:
        return [one for path in paths for one in read_documents(path)]

    monkeypatch.setattr(reports, "build", site_of)  # its documents, without its pages
    shape = Shape(names=("main", "/home/bob/secret.py work", "wait"))
    database = write_database(tmp_path / "x.d", shape)
    done = CliRunner().invoke(main, ["build", str(database), "-o", str(tmp_path / "site")])
    assert done.exit_code == 0, done.output
    assert "perfolio: note: the pages name 1 path below /home/bob (" in done.stderr
    assert "note" not in done.stdout
