"""Documents of each input beside the checkout: read back, in one order, with its own commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from perfolio.common.errors import PerfolioError
from perfolio.findings.document_format import shorten_document
from perfolio.findings.document_reader import read_document
from perfolio.findings.invariants import NOTE
from perfolio.findings.own_program import find_own_program
from perfolio.pipeline.build_context import RunDocuments
from perfolio.pipeline.run_redaction import ShareRequest
from perfolio.readers import registry
from tests.kit.samples import documents_at
from tests.kit.shared import SHARED
from tests.pages.support import check_commands, check_order_of_steps

pytestmark = [pytest.mark.real, pytest.mark.slow]
GROUPS = ("traces/*", "inputs/*/*", "inputs/*/*/*", "databases/*/*.d", "databases/public/v3/*")
NAMES = sorted(
    path.relative_to(SHARED).as_posix()
    for group in GROUPS
    for path in SHARED.glob(group)
    if path.suffix != ".md"
)


EACH = pytest.mark.parametrize("name", NAMES or ["traces/h100_bert.json.gz"])


def documents_of(name: str) -> RunDocuments:
    """The documents of an input, made once for all tests here."""
    path = SHARED / name
    if not path.exists() or not registry.is_readable(path):
        pytest.skip(f"{path} is no input")
    try:
        return documents_at(path)
    except PerfolioError as problem:
        pytest.skip(f"is refused: {problem}")


@EACH
def test_what_is_written_is_read_back(name: str, tmp_path: Path) -> None:
    one = documents_of(name)
    warnings = one.findings["metrics"]["run"]["warnings"]
    assert not [each for each in warnings if each.startswith(NOTE[:20])], "what cannot be"
    shared, _ = ShareRequest().hidden(one.findings)
    named = find_own_program(one.metrics["run"])
    for told in (one.findings,) if named else (one.findings, shared):  # others read no command
        place = tmp_path / "findings.json"
        place.write_text(json.dumps(shorten_document(told)), encoding="utf-8")
        back = read_document(place)
        assert back["findings"] == told["findings"]
        assert back["metrics"] == told["metrics"]


@EACH
def test_steps_have_one_order(name: str) -> None:
    check_order_of_steps(documents_of(name))


@EACH
def test_commands_parse_and_are_of_the_tool_at_hand(name: str) -> None:
    check_commands(documents_of(name))
