"""On which templates a page depends is what Jinja says."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import meta

from perfolio.pages import template_environment
from perfolio.pages.template_dependencies import compute_template_digests, find_named_templates

_FOLDER = template_environment.TEMPLATES
_TEXTS = {
    path.relative_to(_FOLDER).as_posix(): path.read_text("utf-8")
    for path in sorted(_FOLDER.rglob("*.j2"))
}


def _as_jinja_says(name: str) -> set[str]:
    parsed = template_environment.make_environment().parse(_TEXTS[name])
    found = {name}
    for each in meta.find_referenced_templates(parsed):
        assert each is not None, "a template that is named by an expression"
        found |= _as_jinja_says(each)
    return found


@pytest.mark.parametrize("name", _TEXTS)
def test_the_templates_that_a_template_names(name: str) -> None:
    assert find_named_templates(name, _TEXTS) == _as_jinja_says(name)


def test_a_digest_changes_with_a_template_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.j2").write_text('{% extends "b.j2" %}')
    (tmp_path / "b.j2").write_text("b")
    (tmp_path / "c.j2").write_text("c")
    before = compute_template_digests(tmp_path)
    (tmp_path / "b.j2").write_text("another")
    after = compute_template_digests(tmp_path)

    assert [name for name in after if after[name] != before[name]] == ["a.j2", "b.j2"]
