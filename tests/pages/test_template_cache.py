"""Templates are compiled once, and again when they or the code change; whom they name."""

from __future__ import annotations

from pathlib import Path

import jinja2
import pytest
from jinja2 import meta

from perfolio.pages import template_cache, template_environment
from perfolio.pages.template_cache import TemplateCache, compute_template_digests
from tests.kit.shared import ROOT

_FOLDER = Path(template_environment.__file__).parent / "templates"
_TEXTS = {
    path.relative_to(_FOLDER).as_posix(): path.read_text("utf-8")
    for path in sorted(_FOLDER.rglob("*.j2"))
}
PAGE = "{{ name }} takes {{ 3 | shown }}"


def environment(text: str = PAGE, word: str = "s") -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.DictLoader({"page.md": text}),
        bytecode_cache=TemplateCache(),
        autoescape=True,
    )
    made.filters["shown"] = lambda number: f"{number} {word}"
    return made


def rendered(made: jinja2.Environment) -> str:
    return made.get_template("page.md").render(name="main")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "perfolio" / "templates"


def test_a_template_is_compiled_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert rendered(environment()) == "main takes 3 s"
    assert len(list(cache.iterdir())) == 1
    monkeypatch.setattr(jinja2.Environment, "compile", lambda *_: pytest.fail("compiled again"))
    assert rendered(environment()) == "main takes 3 s"


def test_an_edited_template_is_compiled_again(cache: Path) -> None:
    rendered(environment())
    assert rendered(environment("{{ name }} waits")) == "main waits"
    assert rendered(environment()) == "main takes 3 s"
    assert len(list(cache.iterdir())) == 2


def test_a_filter_that_changes_is_not_folded_into_an_old_template(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert rendered(environment()) == "main takes 3 s"
    monkeypatch.setattr(template_cache, "code_digest", lambda: "edited")
    assert rendered(environment(word="seconds")) == "main takes 3 seconds"


def test_without_a_cache_templates_are_compiled_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert [rendered(environment()) for _ in range(2)] == ["main takes 3 s"] * 2


def test_those_of_reports_and_of_the_theme_are_kept() -> None:
    from mkdocs.config import load_config
    from mkdocs.structure.files import Files

    config = load_config(str(ROOT / "mkdocs.yml"))
    made = config.plugins.on_env(config.theme.get_env(), config=config, files=Files([]))
    assert isinstance(made.bytecode_cache, TemplateCache)
    assert isinstance(template_environment.make_environment().bytecode_cache, TemplateCache)


def _as_jinja_says(name: str) -> set[str]:
    parsed = template_environment.make_environment().parse(_TEXTS[name])
    found = {name}
    for each in meta.find_referenced_templates(parsed):
        assert each is not None, "a template that is named by an expression"
        found |= _as_jinja_says(each)
    return found


@pytest.mark.parametrize("name", _TEXTS)
def test_the_templates_that_a_template_names(name: str) -> None:
    assert template_cache._find_named(name, _TEXTS) == _as_jinja_says(name)


def test_a_digest_changes_with_a_template_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.j2").write_text('{% extends "b.j2" %}')
    (tmp_path / "b.j2").write_text("b")
    (tmp_path / "c.j2").write_text("c")
    before = compute_template_digests(tmp_path)
    (tmp_path / "b.j2").write_text("another")
    after = compute_template_digests(tmp_path)

    assert [name for name in after if after[name] != before[name]] == ["a.j2", "b.j2"]
