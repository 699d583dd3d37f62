"""Rule files with random mistakes: read, or refused in one line with the file, no traceback."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perfolio.common.errors import ContentError
from perfolio.findings.rules.catalog import RULES, load_rules

PAGES = [path.read_text("utf-8") for path in sorted(RULES.glob("*.md"))]
JUNK: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.dates(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)
IN_ONE_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def _judged(folder: Path, page: str) -> None:
    path = folder / "X9-thing.md"
    path.write_bytes(page.encode("utf-8", "surrogatepass"))
    told = ""
    try:
        assert list(load_rules(folder)) == ["X9"]
    except ContentError as error:
        told = str(error)
    assert told.startswith(f"{path}: ") or not told
    assert "\n" not in told


def _places(entries: Any) -> list[tuple[Any, Any]]:
    """Every mapping or list within the front matter, with each of its keys."""
    if not isinstance(entries, dict | list):
        return []
    keys = list(entries) if isinstance(entries, dict) else list(range(len(entries)))
    return [(entries, key) for key in keys] + [
        place for key in keys for place in _places(entries[key])
    ]


@IN_ONE_FOLDER
@given(
    page=st.sampled_from(PAGES),
    start=st.integers(0, 3000),
    cut=st.integers(0, 40),
    put=st.text(max_size=8) | st.sampled_from(["---", "&a", "*a", "[" * 99, "{", ": ", "\n- "]),
)
def test_text_cut_and_put_anywhere(
    tmp_path: Path, page: str, start: int, cut: int, put: str
) -> None:
    _judged(tmp_path, page[:start] + put + page[start + cut :])


@IN_ONE_FOLDER
@given(page=st.sampled_from(PAGES), data=st.data())
def test_an_entry_replaced_renamed_or_removed(
    tmp_path: Path, page: str, data: st.DataObject
) -> None:
    _, head, body = page.split("---\n", 2)
    entries = yaml.safe_load(head)
    within, key = data.draw(st.sampled_from(_places(entries)))
    what = data.draw(st.sampled_from(["replaced", "renamed", "removed"]))
    old = within.pop(key)
    if what == "replaced" and isinstance(within, dict):
        within[key] = data.draw(JUNK)
    elif what == "renamed" and isinstance(within, dict):
        within[data.draw(st.text(max_size=4) | st.integers())] = old
    elif what != "removed":
        within.insert(key, data.draw(JUNK))
    _judged(tmp_path, f"---\n{yaml.safe_dump(entries, allow_unicode=True)}---\n{body}")


@pytest.mark.parametrize(
    "head",
    [
        "[" * 5000,
        "title: " + "1" * 5000,
        "title: 2026-13-45",
        "&a [*a]",
        "? {a: b}\n: c",
        "!!python/object/apply:os.system [ls]",
        "1: 2",
        "",
        "null",
    ],
)
def test_hostile_front_matter(tmp_path: Path, head: str) -> None:
    _judged(tmp_path, f"---\n{head}\n---\n" + PAGES[0].split("---\n", 2)[2])
