"""`perfolio build --single-file`: one file, whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from perfolio.cli.main import main
from tests.kit.databases import write_database
from tests.kit.shared import ROOT


def built(*arguments: str | Path) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["build", *map(str, arguments)])
    return done.exit_code, done.output


@pytest.mark.slow
def test_one_profile_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    target = tmp_path / "new" / "report.html"
    code, said = built(write_database(tmp_path / "a.d"), "--single-file", target)

    assert code == 0, said
    assert f"Wrote {target}" in said
    assert '<article class="md-typeset pf-single-page' in target.read_text("utf-8")
    assert not (tmp_path / "site").exists()


def test_several_profiles_are_refused(tmp_path: Path) -> None:
    paths = [write_database(tmp_path / name) for name in ("a.d", "b.d")]
    code, said = built(*paths, "--single-file", tmp_path / "report.html")

    assert code == 2
    assert "there are 2 runs, and one file holds one report" in said
    assert not (tmp_path / "report.html").exists()


def test_a_project_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(ROOT)
    code, said = built("--single-file", tmp_path / "report.html")

    assert code == 2
    assert "--single-file goes with PATHS" in said


@pytest.mark.slow
def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    code, said = built(write_database(tmp_path / "a.d"), "--single-file", tmp_path / "taken" / "x")

    assert code == 9
    assert "cannot be written" in said
