"""A project's site is not built again where nothing has changed, and only there."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from perfolio.pipeline import build_state as module
from perfolio.pipeline.build_state import SiteState, find_site_state
from perfolio.site import build
from perfolio.site.build import build_site

NOTE = Path(".cache") / "build" / "site"
OURS = Path(build.__file__).parent
HOOKS = ["generator/perfolio/pipeline/refresh_hook.py", "generator/perfolio/site/hooks.py"]
SETTINGS = {
    "INHERIT": "generator/perfolio/site/base.yml",
    "site_name": "Mine",
    "theme": {"custom_dir": "generator/perfolio/site/theme", "features": ["toc.follow"]},
    "hooks": HOOKS,
    "extra": {"perfolio_refresh": False},
    "nav": [{"Start": "index.md"}],
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of one page, built."""
    root = tmp_path_factory.mktemp("standing") / "project"
    (root / "docs" / "deep").mkdir(parents=True)
    (root / "docs" / "index.md").write_text("# Start\n")
    (root / "docs" / "deep" / "image.svg").write_text("<svg/>")
    (root / "generator").symlink_to(OURS.parents[1])
    _settings(root)
    _build(root)
    return root


@pytest.fixture
def root(made: Path) -> Path:
    """That project, whose site stands: what a test changes, it puts back."""
    assert _stands(made)
    return made


def _settings(root: Path, **others: object) -> None:
    (root / "mkdocs.yml").write_text(json.dumps(SETTINGS | others))


def _build(root: Path) -> None:
    now = find_site_state(root, root / "site")
    build_site(root / "docs", root / "site", config=root / "mkdocs.yml")
    now.keep()


def _stands(root: Path) -> bool:
    return find_site_state(root, root / "site").holds()


def _edit(place: str) -> Callable[[Path], Callable[[], object]]:
    """Another file of the same size, written at another time."""

    def change(root: Path) -> Callable[[], object]:
        path = root / place
        before, at = path.read_bytes(), path.stat()
        path.write_bytes(before[:-1] + b"X")
        os.utime(path, ns=(at.st_atime_ns, at.st_mtime_ns + 1))

        def back() -> None:
            path.write_bytes(before)
            os.utime(path, ns=(at.st_atime_ns, at.st_mtime_ns))

        return back

    return change


def _add(place: str) -> Callable[[Path], Callable[[], object]]:
    def change(root: Path) -> Callable[[], object]:
        (root / place).write_text("new")
        return (root / place).unlink

    return change


def _take(place: str) -> Callable[[Path], Callable[[], object]]:
    def change(root: Path) -> Callable[[], object]:
        moved = root / place
        away = moved.rename(root / "away")
        return lambda: away.rename(moved)

    return change


def _set(**others: object) -> Callable[[Path], Callable[[], object]]:
    def change(root: Path) -> Callable[[], object]:
        _settings(root, **others)
        return lambda: _settings(root)

    return change


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(_edit("docs/index.md"), id="a page edited"),
        pytest.param(_add("docs/deep/more.md"), id="a page added"),
        pytest.param(_take("docs/deep/image.svg"), id="an image gone"),
        pytest.param(_edit("site/index.html"), id="a page of the site edited"),
        pytest.param(_add("site/more.html"), id="a page of the site added"),
        pytest.param(_take("site/index.html"), id="a page of the site gone"),
        pytest.param(_take("site"), id="the site gone"),
        pytest.param(_set(site_name="Another"), id="a setting changed"),
        pytest.param(_take(os.fspath(NOTE)), id="the note gone"),
        pytest.param(_edit(os.fspath(NOTE)), id="the note damaged"),
    ],
)
def test_a_site_stands_only_while_nothing_has_changed(
    root: Path, change: Callable[[Path], Callable[[], object]]
) -> None:
    back = change(root)
    try:
        assert not _stands(root)
    finally:
        back()
    assert _stands(root)


def test_a_site_elsewhere_does_not_stand(root: Path) -> None:
    assert not find_site_state(root, root / "public").holds()


@pytest.mark.parametrize("name", ["code_digest", "versions"])
def test_a_site_of_other_code_does_not_stand(
    root: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, lambda *_: "another")
    assert not _stands(root)


@pytest.mark.parametrize(
    "others",
    [
        {"hooks": ["mine.py"]},
        {"hooks": [*HOOKS, "mine.py"]},
        {"plugins": ["search"]},
        {"markdown_extensions": ["pymdownx.snippets"]},
        {"theme": {"custom_dir": "mine"}},
        {"theme": {"name": "readthedocs"}},
        {"theme": "readthedocs"},
        {"INHERIT": "mine.yml"},
        {"INHERIT": None},
    ],
    ids=str,
)
def test_nothing_is_known_where_code_of_others_takes_part(
    tmp_path: Path, others: dict[str, object]
) -> None:
    (tmp_path / "generator").symlink_to(OURS.parents[1])
    _settings(tmp_path)
    assert find_site_state(tmp_path, tmp_path / "site").made_from is not None
    _settings(tmp_path, **others)
    now = find_site_state(tmp_path, tmp_path / "site")
    assert now.made_from is None
    now.keep()
    assert not (tmp_path / NOTE).exists()


@pytest.mark.parametrize("text", ["site_name: !ENV NAME\n", "a: [\n", "- a\n"])
def test_nothing_is_known_of_settings_of_the_environment_or_damaged_ones(
    tmp_path: Path, text: str
) -> None:
    (tmp_path / "mkdocs.yml").write_text(text)
    assert find_site_state(tmp_path, tmp_path / "site").made_from is None


def test_a_note_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / ".cache").touch()
    SiteState(tmp_path, tmp_path / "site", "").keep()
    assert not SiteState(tmp_path, tmp_path / "site", "").holds()
