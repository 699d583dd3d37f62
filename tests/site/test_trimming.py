"""A site has no file that nothing asks for, and no white space between elements."""

import re
from pathlib import Path

import pytest

from generator.site.build import build_site
from generator.site.sync import sync_tree
from generator.site.trimming import trim_page

CODE = "# Start\n\n```text\na\n\n\n    b\n```\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trimmed")
    sync_tree({"index.md": CODE}, folder / "docs")
    build_site(folder / "docs", folder / "site")
    return folder / "site"


def test_source_maps_and_other_languages_are_left_out(site: Path) -> None:
    files = [path for path in site.rglob("*") if path.is_file()]

    assert not [path for path in files if path.suffix == ".map"]
    assert not [path for path in files if "lunr" in path.parts]
    assert not [path for path in files if b"sourceMappingURL" in path.read_bytes()]
    assert sum(path.stat().st_size for path in files) < 500_000


def test_everything_that_a_page_names_is_there(site: Path) -> None:
    page = (site / "index.html").read_text()
    named = re.findall(r'(?:src|href)="([^"#]+)"|"search": "([^"]+)"', page)

    assert len(named) > 10
    assert not [one or other for one, other in named if not (site / (one or other)).is_file()]


def test_code_keeps_its_lines(site: Path) -> None:
    page = re.sub(r"<[^>]*>", "", (site / "index.html").read_text())

    assert "a\n\n\n    b\n" in page


def test_the_frame_has_no_empty_lines_and_the_article_stays() -> None:
    page = "<nav>\n\n   \n  <a>x</a>\n</nav>\n\n<article>\n\n  <pre>\n\n</pre></article>\n\n\n<p>"

    assert trim_page(page) == "<nav>\n<a>x</a>\n</nav>\n<article>\n\n  <pre>\n\n</pre></article>\n<p>"


def test_a_page_without_an_article_stays_whole() -> None:
    assert trim_page("<pre>\n\n</pre>") == "<pre>\n\n</pre>"
