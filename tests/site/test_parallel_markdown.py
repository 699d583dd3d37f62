"""Several processes give the site that one gives, and say what one says."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import markdown
import pytest

from perfolio.common import processes
from perfolio.common.errors import PerfolioError, SiteError, WorkerError
from perfolio.site import parallel_markdown
from perfolio.site.build import build_site
from perfolio.site.file_sync import sync_tree

SITE = Path(parallel_markdown.__file__).parent
CODE = '<div class="highlight"><pre><code>select 1\n</code></pre></div>\n'
PAGES = {
    "index.md": "# Start\n\n[Other](b/other.md#there), [run](a/findings.md) and ![i](image.svg)\n",
    "a/findings.md": f"# <b>Findings</b>\n\n## One\n\n{CODE}\nWords [^1].\n\n[^1]: Note.\n",
    "a/index.md": "---\ntitle: Above\n---\nText\n\n| a | b |\n|---|--:|\n| c | 1 |\n",
    "a/findings.json": json.dumps({"run": {"title": "Run <b>A</b>"}}),
    "b/other.md": "---\nday: 2026-01-02\nsearch: {exclude: true}\n---\n# Other\n\n## There\n",
    "b/index.md": "no heading\n\n*[no]: thing\n",
    "image.svg": "<svg/>",
}
Build = Callable[..., dict[str, bytes]]


@pytest.fixture(autouse=True)
def _two(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setattr(processes, "count_processors", lambda: 2)
    monkeypatch.setattr(parallel_markdown, "LITTLE", 1)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def converted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The first lines of what this process converted."""
    found: list[str] = []
    convert = markdown.Markdown.convert

    def noted(self: markdown.Markdown, source: str) -> object:
        found.extend(source.strip().splitlines()[:1])
        return convert(self, source)

    monkeypatch.setattr(markdown.Markdown, "convert", noted)
    return found


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """Builds a site of `PAGES` and others, in one process, two or `copied`; returns its files."""

    def run(
        pages: dict[str, str] | None = None,
        *,
        one: bool = False,
        copied: bool = False,
        **options: object,
    ) -> dict[str, bytes]:
        sync_tree(PAGES | (pages or {}), tmp_path / "docs")
        with monkeypatch.context() as patched:
            if one:
                patched.setattr(processes, "count_processors", lambda: 1)
            if copied:  # this process does all that it would share with its copies
                patched.setattr(parallel_markdown, "count_copies", lambda pieces: pieces)
                patched.setattr(parallel_markdown, "map_in_copies", _map_here)
            build_site(tmp_path / "docs", tmp_path / "site", **options)  # type: ignore[arg-type]
        return {
            path.relative_to(tmp_path / "site").as_posix(): path.read_bytes()
            for path in sorted((tmp_path / "site").rglob("*"))
            if path.is_file()
        }

    return run


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Settings of a project, with a title for a page that has another itself."""
    path = tmp_path / "mkdocs.yml"
    settings = {
        "INHERIT": str(SITE / "base.yml"),
        "theme": {"custom_dir": str(SITE / "theme")},
        "hooks": [str(SITE.parent / "pipeline" / "refresh_hook.py"), str(SITE / "hooks.py")],
        "extra": {"perfolio_refresh": True},
        "nav": [{"Start": "index.md"}, {"Called so": "b/other.md"}],
    }
    path.write_text(json.dumps(settings))
    return path


@pytest.mark.slow
def test_two_processes_give_the_site_that_one_gives(
    build: Build, converted: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    made = build()
    assert converted == []
    assert multiprocessing.active_children() == []
    assert capfd.readouterr() == ("", "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["docs", "site"]

    assert build(one=True, cached=False) == made
    assert len(converted) == 5
    assert build(copied=True, cached=False) == made
    assert len(converted) == 10


@pytest.mark.slow
def test_pages_of_a_project_are_kept_as_by_one_process(
    build: Build, converted: list[str], project: Path, tmp_path: Path
) -> None:
    def kept() -> Iterator[str]:
        return (
            path.relative_to(tmp_path / ".cache" / "pages").as_posix()
            for path in (tmp_path / ".cache").rglob("*.md")
        )

    made = build(config=project, cached=False)
    assert not list(kept())
    assert build(config=project) == made
    found = sorted(kept())
    assert converted == []

    assert build(one=True, config=project) == made
    assert converted == ["# Other"], "a date cannot be kept: each build converts it"
    assert build(one=True, config=project, cached=False) == made
    assert sorted(kept()) == found == ["a/findings.md", "a/index.md", "b/index.md", "index.md"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pages", "complaint"),
    [
        ({"b/index.md": "[x](gone.md)\n", "b/c.md": "[y](lost.md)\n"}, r"gone\.md.*\(and 1 more\)"),
        ({"b/index.md": "[x](other.md#nowhere)\n"}, "does not contain an anchor '#nowhere'"),
    ],
)
def test_what_one_process_says_about_pages_is_said(
    build: Build, pages: dict[str, str], complaint: str, tmp_path: Path
) -> None:
    said = []
    for how in ({}, {"one": True}, {"copied": True}):
        with pytest.raises(SiteError, match=complaint) as caught:
            build(pages, **how)
        said.append(str(caught.value))
    assert said == [said[0]] * 3
    assert not (tmp_path / "site").exists()


@pytest.mark.slow
def test_a_page_of_which_mkdocs_only_informs_is_left_to_it(
    build: Build, converted: list[str], project: Path
) -> None:
    settings = json.loads(project.read_text()) | {
        "validation": {"links": {"absolute_links": "info"}}
    }
    project.write_text(json.dumps(settings))
    build({"b/index.md": "[x](/elsewhere)\n"}, config=project)
    assert converted == ["[x](/elsewhere)"]


@pytest.mark.slow
def test_a_page_that_cannot_be_read_is_said_as_by_one_process(build: Build, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "wrong.md").write_bytes(b"# Wrong\n\n\xff\n")
    (tmp_path / "docs" / "gone.md").symlink_to("nowhere")
    said = []
    for how in ({}, {"one": True}, {"copied": True}):
        with pytest.raises(SiteError) as caught:
            build(**how)
        said.append(str(caught.value))
    assert said == [said[0]] * 3


def _map_here(function: Callable[[str], object], paths: Iterable[str]) -> list[object]:
    return [function(path) for path in paths]


def _ended(_function: object, _arguments: Iterable[object]) -> Iterator[object]:
    raise WorkerError("one of several processes was ended from outside", hint="free memory")


def _never(_function: object, _arguments: object) -> None:
    pytest.fail("other processes begin")


def test_a_process_that_is_ended_ends_the_build(
    build: Build, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(parallel_markdown, "map_in_processes", _ended)
    with pytest.raises(PerfolioError, match="ended from outside; free memory") as caught:
        build()
    assert isinstance(caught.value, WorkerError)
    assert [path.name for path in tmp_path.iterdir()] == ["docs"]


def test_few_pages_are_converted_in_this_process(
    build: Build, converted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel_markdown, "map_in_processes", _never)
    monkeypatch.setattr(parallel_markdown, "LITTLE", 5)
    build()
    assert len(converted) == 5


@pytest.mark.parametrize(
    "other",
    [
        {"markdown_extensions": {"pymdownx.snippets": {}}},
        {"markdown_extensions": {"toc": {"slugify": "FUNCTION"}}},
        {
            "hooks": [
                str(SITE.parent / "pipeline" / "refresh_hook.py"),
                str(SITE / "hooks.py"),
                "mine.py",
            ]
        },
        {"plugins": ["search"]},
    ],
)
def test_a_site_with_code_of_its_own_is_converted_in_this_process(
    build: Build,
    converted: list[str],
    monkeypatch: pytest.MonkeyPatch,
    project: Path,
    other: dict[str, object],
) -> None:
    (project.parent / "mine.py").write_text("")
    monkeypatch.setattr(parallel_markdown, "map_in_processes", _never)
    settings = json.dumps(json.loads(project.read_text()) | other)
    function = "!!python/name:markdown.extensions.toc.slugify_unicode "
    project.write_text(settings.replace('"FUNCTION"', function))
    build(config=project)
    assert len(converted) == 5
