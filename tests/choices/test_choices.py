"""Each small recording gives the figures, findings and verdict that follow from it by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from perfolio.pipeline.inputs import read_documents
from tests.choices.checks import Check
from tests.kit.measurements import measured_anew

_FOLDER = Path(__file__).parent
_CASES = sorted((_FOLDER / "cases").glob("*.yaml"))
_INPUTS = sorted(path for path in (_FOLDER / "inputs").iterdir())


def _read(path: Path) -> dict[str, Any]:
    case = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert set(case) <= {"about", "input", "needs", "runs", "checks"}
    return dict(case)


@pytest.mark.slow
@pytest.mark.parametrize("path", _CASES, ids=lambda path: path.stem)
def test_documents_are_right(path: Path) -> None:
    case = _read(path)
    if "needs" in case:
        pytest.importorskip(case["needs"])
    with measured_anew():
        found = read_documents(_FOLDER / "inputs" / case["input"])
    assert len(found) == case.get("runs", 1)
    checks = [Check.read(entry) for entry in case["checks"]]
    assert [line for check in checks if (line := check.failure(found[0]))] == []


def test_each_input_has_a_case() -> None:
    used = {_read(path)["input"] for path in _CASES}
    assert {path.name for path in _INPUTS} == used
