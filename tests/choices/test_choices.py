"""Each small recording gives the figures, findings and verdict that follow from it by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.content_files import load_yaml
from tests.choices import recordings
from tests.choices.checks import Check
from tests.kit.measurements import documents_once

_FOLDER = Path(__file__).parent / "cases"


def _read_cases() -> list[tuple[str, dict[str, Any]]]:
    found: list[tuple[str, dict[str, Any]]] = []
    for path in sorted(_FOLDER.glob("*.yaml")):
        content: Any = load_yaml(path.read_text(encoding="utf-8"))
        found += content.items()
    return found


_CASES = _read_cases()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "case"), _CASES, ids=[name for name, _ in _CASES])
def test_documents_are_right(name: str, case: dict[str, Any], tmp_path: Path) -> None:
    if "needs" in case:
        pytest.importorskip(case["needs"])
    content, made_by = json.dumps([name, case["files"]]), Path(recordings.__file__)
    place = tmp_path / name
    found = documents_once(content, lambda: recordings.write_files(case["files"], place), made_by)
    assert len(found) == case.get("runs", 1)
    checks = [Check.read(entry) for entry in case["checks"]]
    assert checks
    assert [line for check in checks if (line := check.failure(found[0]))] == []


@pytest.mark.parametrize(("name", "case"), _CASES, ids=[name for name, _ in _CASES])
def test_a_case_says_what_it_is_about_and_is_made_from(name: str, case: dict[str, Any]) -> None:
    assert set(case) - {"needs", "runs"} == {"about", "files", "checks"}, name


def test_names_are_given_once() -> None:
    names = [name for name, _ in _CASES]
    assert len(names) == len(set(names))
