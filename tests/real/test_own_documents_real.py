"""A document that is written is one that is read: of each input that lies beside the checkout."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from perfolio.common.errors import PerfolioError
from perfolio.findings.document_format import shorten_document
from perfolio.findings.document_reader import read_document
from perfolio.findings.invariants import NOTE
from perfolio.pipeline.run_redaction import ShareRequest
from perfolio.readers import registry
from tests.kit.samples import documents_at
from tests.kit.shared import SHARED

pytestmark = [pytest.mark.real, pytest.mark.slow]
GROUPS = ("traces/*", "inputs/*/*", "inputs/*/*/*", "databases/*/*.d", "databases/public/v3/*")
NAMES = sorted(
    path.relative_to(SHARED).as_posix()
    for group in GROUPS
    for path in SHARED.glob(group)
    if path.suffix != ".md"
)


@pytest.mark.parametrize("name", NAMES or ["traces/h100_bert.json.gz"])
def test_what_is_written_is_read_back(name: str, tmp_path: Path) -> None:
    path = SHARED / name
    if not path.exists() or not registry.is_readable(path):
        pytest.skip(f"{path} is no input")
    try:
        one = documents_at(path)
    except PerfolioError as problem:
        pytest.skip(f"is refused: {problem}")
    warnings = one.findings["metrics"]["run"]["warnings"]
    assert not [each for each in warnings if each.startswith(NOTE[:20])], "what cannot be"
    shared, _ = ShareRequest().hidden(one.findings)
    for told in (one.findings, shared):
        place = tmp_path / "findings.json"
        place.write_text(json.dumps(shorten_document(told)), encoding="utf-8")
        back = read_document(place)
        assert back["findings"] == told["findings"]
        assert back["metrics"] == told["metrics"]
