"""A site that is being served is the same as one made at once, and what looks the same is taken."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import jinja2
import pytest
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config

from perfolio.site import frame_cache
from perfolio.site.build import build_site
from perfolio.site.file_sync import sync_tree
from perfolio.site.frame_cache import ShownPages

SITE = Path(frame_cache.__file__).parent
Build = Callable[[], list[str]]
PAGES = {
    "docs/index.md": "# Start\n\n[Other](other.md#there) and [image](image.svg)\n",
    "docs/other.md": "# Other page\n\n## There\n\nText → more.\n",
    "docs/plain.md": "no heading\n",
    "docs/image.svg": "<svg/>",
}


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, object]:
    """Of a project whose theme is a copy of ours."""
    shutil.copytree(SITE / "theme", tmp_path / "theme")
    return {
        "INHERIT": str(SITE / "base.yml"),
        "theme": {"custom_dir": "theme"},
        "hooks": [str(SITE.parent / "pipeline" / "refresh_hook.py"), str(SITE / "hooks.py")],
        "extra": {"perfolio_refresh": False, "perfolio_keep": True},
        "nav": [{"Start": "index.md"}, {"other": "other.md"}],
    }


@pytest.fixture
def build(
    tmp_path: Path, settings: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Build]:
    """Builds as a server does; returns the pages that were put into their frames."""
    sync_tree({**PAGES, "mkdocs.yml": json.dumps(settings)}, tmp_path)
    framed: list[str] = []
    render = jinja2.Template.render

    def noted(self: jinja2.Template, *context: dict[str, object], **named: object) -> str:
        if self.name == "main.html":
            framed.append(context[0]["page"].file.src_uri)  # type: ignore[attr-defined]
        return render(self, *context, **named)

    monkeypatch.setattr(jinja2.Template, "render", noted)
    monkeypatch.setattr(frame_cache, "_shown", None)
    begun: list[bool] = []

    def run() -> list[str]:
        config = load_config(str(tmp_path / "mkdocs.yml"), site_dir=str(tmp_path / "served"))
        if not begun:
            config.plugins.on_startup(command="serve", dirty=False)
            begun.append(True)
        framed.clear()
        mkdocs_build(config)
        made = sorted(framed)
        _compare(tmp_path, monkeypatch)
        return made

    yield run
    frame_cache._shown = None


def _compare(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is served is what a build from nothing gives."""
    with monkeypatch.context() as patched:
        patched.setattr(frame_cache, "_shown", None)
        build_site(root / "docs", root / "site", config=root / "mkdocs.yml", cached=False)
    for path in (root / "site").rglob("*.html"):
        served = root / "served" / path.relative_to(root / "site")
        assert served.read_text() == path.read_text(), path.name


@pytest.mark.slow
def test_nothing_is_framed_again_where_nothing_changed(build: Build) -> None:
    assert build() == ["index.md", "other.md", "plain.md"]
    assert build() == []


@pytest.mark.slow
def test_an_edited_page_is_framed_and_no_other(build: Build, tmp_path: Path) -> None:
    build()
    (tmp_path / "docs" / "plain.md").write_text("edited\n")
    assert build() == ["plain.md"]
    assert "edited" in (tmp_path / "served" / "plain.html").read_text()
    assert build() == []


@pytest.mark.slow
def test_a_title_in_the_navigation_frames_all_pages(build: Build, tmp_path: Path) -> None:
    build()
    (tmp_path / "docs" / "other.md").write_text(PAGES["docs/other.md"].replace("Other", "Another"))
    assert build() == ["other.md"], "its title in the navigation is that of mkdocs.yml"
    text = (tmp_path / "mkdocs.yml").read_text()
    (tmp_path / "mkdocs.yml").write_text(text.replace('"other"', '"Renamed"'))
    assert build() == ["index.md", "other.md", "plain.md"]


@pytest.mark.slow
def test_a_report_frames_no_page_of_others(build: Build, tmp_path: Path) -> None:
    pages = {"index.md": "# Summary\n", "findings.md": "# Findings\n\n## D1\n", "x.md": "# X\n"}
    text = (tmp_path / "mkdocs.yml").read_text()
    text = text.replace('"nav": [', '"nav": [{"Reports": "reports/index.md"}, ')
    (tmp_path / "mkdocs.yml").write_text(text)
    sync_tree({"index.md": "# Reports\n"}, tmp_path / "docs" / "reports")

    def framed(slug: str, title: str) -> set[str]:
        told = {"findings.json": json.dumps({"run": {"title": title}})}
        sync_tree({**pages, **told}, tmp_path / "docs" / "reports" / slug)
        return {path.removeprefix("reports/") for path in build()}

    own = {f"{slug}/{page}" for slug in "ab" for page in pages}
    assert {*framed("b", "Run B")} >= {"index.md", "b/x.md"}
    for title in ("Run A", "Run <b> & B", "The 'run'"):
        assert framed("a", title) == {path for path in own if path[0] == "a"}, title
    assert framed("a", "Run B") == own, "a title that both have: each is told with its folder"
    page = (tmp_path / "served" / "reports" / "a" / "findings.html").read_text()
    assert "Run B (a)" in page


@pytest.mark.slow
def test_a_template_and_a_setting_frame_all_pages(build: Build, tmp_path: Path) -> None:
    build()
    template = tmp_path / "theme" / "partials" / "header.html"
    template.write_text(template.read_text() + "<!-- edited -->")
    assert len(build()) == 3
    text = (tmp_path / "mkdocs.yml").read_text()
    (tmp_path / "mkdocs.yml").write_text(text.replace("{", '{"site_name": "New", ', 1))
    assert len(build()) == 3


def test_a_build_of_its_own_keeps_no_pages(tmp_path: Path, settings: dict[str, object]) -> None:
    sync_tree({**PAGES, "mkdocs.yml": json.dumps(settings)}, tmp_path)
    build_site(tmp_path / "docs", tmp_path / "site", config=tmp_path / "mkdocs.yml")
    assert frame_cache._shown is None


def test_pages_beyond_the_limit_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame_cache, "MOST", 10)
    shown = ShownPages()
    shown.keep("a", "1", b"12345678")
    shown.keep("b", "1", b"1234")
    shown.keep("a", "2", b"1234567890")
    assert shown.pages == {"a": ("2", b"1234567890")}
    assert shown.size == 10
    shown.keep("a", "3", b"12345678901")
    assert shown.pages == {}
    assert shown.size == 0
