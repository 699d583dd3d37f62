"""An exercise ran code: its text was compiled by Jinja without a sandbox, wherever it lay.

`perfolio build trace.json` took the exercises of the current folder, a download folder say, so that
`{{ run.__globals__[...] }}` in one ran as the user; `perfolio verify` took the project around a
site of somebody else, whose mkdocs.yml names hooks. Texts are data now, and what is not named is
not read.
"""

from __future__ import annotations

import os
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from perfolio.cli.main import main
from perfolio.common.errors import InputError
from perfolio.pipeline import reports
from perfolio.pipeline.run_documents import Context
from perfolio.pipeline.verification.site_verification import _find_project

EXERCISE = """---
title: Hostile
objectives: {a: b}
steps: [{id: s1, title: S, minutes: 6}]
---
{{ run.__globals__["__builtins__"]["__import__"]("os").system("touch flag") }}

```item
{id: a, type: number, step: s1, tests: [a], ask: How long?, answer: {metric: time.wall},
 explain: So.}
```
"""


@pytest.fixture
def download(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an exercise of a stranger."""

    def ran(command: str) -> int:
        (tmp_path / "flag").touch()
        return len(command)

    monkeypatch.setattr(os, "system", ran)
    folder = tmp_path / "exercises" / "own"
    folder.mkdir(parents=True)
    (folder / "exercise.md").write_text(EXERCISE, "utf-8")
    return tmp_path


def called(folder: Path, *args: str) -> Result:
    with chdir(folder):
        return CliRunner(catch_exceptions=False).invoke(main, args)


def test_its_text_is_refused_by_name(download: Path) -> None:
    done = called(download, "worksheet", "check", "own")
    path = download / "exercises" / "own" / "exercise.md"
    assert f"{path}:6: {{{{ run.__globals__" in done.stderr
    assert done.exit_code == 8
    assert not (download / "flag").exists()


def test_profiles_are_built_without_the_exercises_of_the_current_folder(
    download: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path | None] = []

    def built(*_: Any, context: Context, **__: Any) -> list[Any]:
        asked.append(context.project)
        return []

    monkeypatch.setattr(reports, "build", built)
    assert called(download, "build", "x.d", "-o", "site").exit_code == 0
    assert called(download, "build", "x.d", "-o", "site", "--project", ".").exit_code == 0
    assert called(download, "build", "x.d", "--project", "exercises").exit_code == 2
    assert asked == [None, Path()]


def test_a_site_does_not_bring_its_project(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "mkdocs.yml").write_text("hooks: [hostile.py]")
    (tmp_path / "elsewhere").mkdir()
    with chdir(tmp_path / "elsewhere"), pytest.raises(InputError, match="--project"):
        _find_project(tmp_path / "site", Context())
