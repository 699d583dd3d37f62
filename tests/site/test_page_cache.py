"""Pages that did not change are not converted again, and the site is the same as if they were."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path

import markdown
import pytest
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config

from perfolio.common.cache import Cache
from perfolio.common.errors import SiteError
from perfolio.site.build import build_site
from perfolio.site.file_sync import sync_tree
from perfolio.site.search_index import PAGES as SEARCHED

SITE = Path(build_site.__code__.co_filename).parent
Build = Callable[[], list[str]]

PAGES = {
    "docs/index.md": "# Start\n\n[Other](other.md#there) and [image](image.svg)\n",
    "docs/other.md": "---\nkind: x\n---\n# Other <b>page</b>\n\n## There\n\nText.\n",
    "docs/plain.md": "no heading\n",
    "docs/image.svg": "<svg/>",
}


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """Builds the project in `tmp_path`; returns the Markdown that was converted."""
    settings = {
        "INHERIT": str(SITE / "base.yml"),
        "theme": {"custom_dir": str(SITE / "theme")},
        "hooks": [str(SITE.parent / "pipeline" / "refresh_hook.py"), str(SITE / "hooks.py")],
        "extra": {"perfolio_refresh": True},
        "nav": [{"Start": "index.md"}, {"other": "other.md"}],
    }
    sync_tree({**PAGES, "mkdocs.yml": json.dumps(settings)}, tmp_path)
    converted = _note_conversions(monkeypatch)

    def run() -> list[str]:
        converted.clear()
        build_site(tmp_path / "docs", tmp_path / "site", config=tmp_path / "mkdocs.yml")
        return list(converted)

    return run


def _note_conversions(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """First lines of the Markdown that is converted from now on."""
    converted: list[str] = []
    convert = markdown.Markdown.convert

    def noted(self: markdown.Markdown, source: str) -> object:
        if source:
            converted.append(source.strip().splitlines()[0])
        return convert(self, source)

    monkeypatch.setattr(markdown.Markdown, "convert", noted)
    return converted


def _content(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_second_build_converts_nothing_and_gives_the_same_site(
    build: Build, tmp_path: Path
) -> None:
    first = build()
    before = _content(tmp_path / "site")
    assert first == ["# Start", "# Other <b>page</b>", "no heading"]
    assert build() == []
    assert _content(tmp_path / "site") == before
    assert b"There" in before["other.html"], "its table of contents"


def test_pages_without_a_project_are_kept_for_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sites whose pages have the same paths do not take each other's."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("one", "two"):
        sync_tree({"index.md": f"# {name}\n", "same.md": "# same\n"}, tmp_path / name)
    converted = _note_conversions(monkeypatch)

    build_site(tmp_path / "one", tmp_path / "site of one")
    assert converted == ["# one", "# same"]
    build_site(tmp_path / "two", tmp_path / "site of two")
    assert converted == ["# one", "# same", "# two"]
    before = _content(tmp_path / "site of one")
    build_site(tmp_path / "one", tmp_path / "site of one")
    assert converted == ["# one", "# same", "# two"]
    assert _content(tmp_path / "site of one") == before

    build_site(tmp_path / "one", tmp_path / "site of one", cached=False)
    assert converted[3:] == ["# one", "# same"]


def test_an_edited_page_is_converted_and_no_other(build: Build, tmp_path: Path) -> None:
    build()
    (tmp_path / "docs" / "plain.md").write_text("edited\n")

    assert build() == ["edited"]
    assert "edited" in (tmp_path / "site" / "plain.html").read_text()


def test_a_new_title_in_the_navigation_reaches_pages_that_did_not_change(
    build: Build, tmp_path: Path
) -> None:
    build()
    settings = json.loads((tmp_path / "mkdocs.yml").read_text())
    settings["nav"].append({"Another name": "plain.md"})
    (tmp_path / "mkdocs.yml").write_text(json.dumps(settings))

    for _ in range(2):
        assert build() == []
        assert "Another name" in (tmp_path / "site" / "index.html").read_text()
        assert "Another name" in (tmp_path / "site" / SEARCHED).read_text()


@pytest.mark.parametrize(
    ("path", "text", "complaint"),
    [
        ("docs/image.svg", None, "image.svg"),
        ("docs/other.md", "# Other\n", "does not contain an anchor '#there'"),
    ],
)
def test_a_page_that_did_not_change_still_has_its_links_checked(
    build: Build, tmp_path: Path, path: str, text: str | None, complaint: str
) -> None:
    build()
    if text is None:
        (tmp_path / path).unlink()
    else:
        (tmp_path / path).write_text(text)
    for _ in range(2):  # a build that fails keeps nothing
        with pytest.raises(SiteError, match=complaint):
            build()


def test_a_damaged_kept_page_is_converted_again(build: Build, tmp_path: Path) -> None:
    build()
    kept = tmp_path / ".cache" / "pages" / "plain.md"
    held = kept.read_bytes()
    kept.write_bytes(held[:-1] + bytes([held[-1] ^ 1]))

    assert build() == ["no heading"]
    assert build() == []


def test_pages_that_cannot_be_kept_are_no_error(build: Build, tmp_path: Path) -> None:
    (tmp_path / ".cache").write_text("a file where the folder should be")

    assert len(build()) == 3
    assert len(build()) == 3


HOOKS = [str(SITE.parent / "pipeline" / "refresh_hook.py"), str(SITE / "hooks.py")]


@pytest.mark.parametrize(
    "other",
    [
        {"markdown_extensions": {"pymdownx.snippets": {}}},
        {"hooks": [*HOOKS, "docs_hook.py"]},
        {"hooks": [*HOOKS, "mine.py"]},
        {"plugins": ["search"]},
    ],
)
def test_pages_that_depend_on_more_than_their_text_are_not_kept(
    build: Build, tmp_path: Path, other: dict[str, object]
) -> None:
    for name in ("mine.py", "docs_hook.py"):  # the latter has the name of one of ours
        (tmp_path / name).write_text("def on_page_markdown(markdown, **_): return markdown\n")
    settings = json.loads((tmp_path / "mkdocs.yml").read_text()) | other
    (tmp_path / "mkdocs.yml").write_text(json.dumps(settings))

    assert len(build()) == 3
    assert len(build()) == 3


def test_another_form_of_addresses_converts_all_pages(build: Build, tmp_path: Path) -> None:
    build()
    settings = json.loads((tmp_path / "mkdocs.yml").read_text()) | {"use_directory_urls": True}
    (tmp_path / "mkdocs.yml").write_text(json.dumps(settings))

    assert len(build()) == 3


@pytest.mark.usefixtures("build")
def test_a_quiet_build_keeps_nothing_since_it_hears_no_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs" / "image.svg").unlink()
    quiet = logging.getLogger("mkdocs")
    config = load_config(str(tmp_path / "mkdocs.yml"), site_dir=str(tmp_path / "quiet"))
    config.extra["perfolio_refresh"] = False
    monkeypatch.setattr(quiet, "level", logging.ERROR)
    quiet.manager._clear_cache()  # type: ignore[attr-defined]
    mkdocs_build(config)
    monkeypatch.undo()

    assert not (tmp_path / ".cache" / "pages").exists()


@pytest.mark.slow
def test_a_build_that_verifies_takes_no_kept_page(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build()
    load = Cache.load

    def falsify(cache: Cache, key: str, name: str = "") -> bytes | None:
        return (load(cache, key, name) or b"").replace(b"no heading", b"another number") or None

    monkeypatch.setattr(Cache, "load", falsify)
    site, config = tmp_path / "again", tmp_path / "mkdocs.yml"
    for taken in (True, False):
        build_site(tmp_path / "docs", site, config=config, cached=taken)
        assert ("another number" in (site / "plain.html").read_text()) == taken
