"""An audit in words: complete, and safe with any name."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.audit import formats
from perfolio.audit.formats import load_renderer
from perfolio.cli.commands import audit as command
from tests.pages.support import HOSTILE, claims

NAMES = st.one_of(st.sampled_from([name[:3_000] for name in HOSTILE]), st.text(max_size=60))


def test_the_command_offers_all_formats() -> None:
    assert list(command.FORMATS) == formats.list_formats()


@pytest.mark.parametrize("form", formats.list_formats())
@given(name=NAMES)
def test_any_name_is_printed(form: str, name: str) -> None:
    found = claims() | {"title": name, "source": name}
    for claim in found["claims"]:
        claim |= {"says": name, "reasons": [name]}
    text = load_renderer(form)(found, "a-run")
    text.encode("utf-8")
    assert all(c in "\n\u200b" or c.isprintable() for c in text)
    if form == "markdown":
        assert "<" not in text
        assert len(text.split("\n")) == 12


def test_text_says_claim_truth_ratio_and_reason() -> None:
    text = load_renderer("text")(claims(), "a-run")
    assert "held against run a-run (tolerance 5 %)" in text
    assert "Kernel launches (report.md:12): off by a factor\n" in text
    assert "    claimed 145,100, measured 7,400 (19.6 times too much)\n" in text
    assert "    claimed 10×, no bound known\n" in text
    assert "    It is 4.4 % off.\n" in text


def test_markdown_is_a_table() -> None:
    text = load_renderer("markdown")(claims(), "a-run")
    row = "| 12 | Kernel launches | 145,100 | 7,400 (19.6 times too much) | off by a factor |"
    assert row in text


def test_json_is_the_entry_of_the_document() -> None:
    document = json.loads(load_renderer("json")(claims(), "a-run"))
    assert document.pop("schema") == "perfolio-audit/1"
    assert document.pop("run") == "a-run"
    assert document == claims()
