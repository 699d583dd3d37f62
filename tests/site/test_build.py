"""The site appears whole or not at all, and replaces nothing of others."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from perfolio.common.errors import OutputError, SiteError
from perfolio.site import build as build_module
from perfolio.site.build import build_site
from perfolio.site.file_sync import sync_tree

PAGES = {
    "index.md": "# Start\n\n[Findings](a/findings.md)\n",
    "a/findings.md": "# Findings\n",
    "a/findings.json": json.dumps({"run": {"title": "Run <b>A</b>"}}),
}


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    sync_tree(PAGES, tmp_path / "docs")
    return tmp_path / "docs"


def beside(site: Path) -> list[str]:
    return sorted(path.name for path in site.parent.iterdir())


def test_builds_pages_styles_and_the_search_index_for_file_urls(docs: Path, tmp_path: Path) -> None:
    build_site(docs, tmp_path / "site", site_name="Mine & <yours>")
    html = (tmp_path / "site" / "a" / "findings.html").read_text()

    assert "<title>Findings · Run &lt;b&gt;A&lt;/b&gt; · Mine &amp; &lt;yours&gt;</title>" in html
    assert (tmp_path / "site" / "a" / "search.js").is_file()
    assert (tmp_path / "site" / "assets" / "perfolio" / "perfolio.js").is_file()
    assert (tmp_path / "site").stat().st_mode & 0o777 == 0o777 & ~current_umask()
    assert beside(tmp_path / "site") == ["docs", "site"]


def current_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_no_page_names_an_address_elsewhere(docs: Path, tmp_path: Path) -> None:
    build_site(docs, tmp_path / "site")

    for page in (tmp_path / "site").rglob("*.html"):
        html = page.read_text()
        assert 'src="http' not in html
        assert 'rel="stylesheet" href="http' not in html
        assert "unpkg.com" not in html


def test_pages_of_a_report_lead_to_no_other_report(tmp_path: Path) -> None:
    report = dict.fromkeys(("index.md", "findings.md", "quality.md", "exercises/index.md"), "# T\n")
    tree = {f"{slug}/{name}": text for slug in "ab" for name, text in report.items()}
    sync_tree({"index.md": "# Start\n"} | tree, tmp_path / "docs")
    build_site(tmp_path / "docs", tmp_path / "site")

    def turns(page: str) -> dict[str, str]:
        html = (tmp_path / "site" / page).read_text()
        return dict(re.findall(r'<a class="pf-turn-\w+" rel="(\w+)" href="([^"]+)"', html))

    def heads(page: str) -> dict[str, str]:
        html = (tmp_path / "site" / page).read_text()
        return dict(re.findall(r'<link rel="(prev|next)" href="([^"]+)"', html))

    for page in ("index.html", "a/index.html", "a/findings.html", "a/exercises/index.html"):
        assert heads(page) == turns(page)
    assert turns("index.html") == {}
    assert turns("a/index.html") == {"prev": "../index.html", "next": "findings.html"}
    assert turns("a/quality.html") == {"prev": "findings.html", "next": "exercises/index.html"}
    assert turns("a/exercises/index.html") == {"prev": "../quality.html"}
    assert turns("b/index.html") == {"prev": "../index.html", "next": "findings.html"}


def test_replaces_an_earlier_site_as_a_whole(docs: Path, tmp_path: Path) -> None:
    build_site(docs, tmp_path / "site")
    (tmp_path / "site" / "stale.html").write_text("")
    build_site(docs, tmp_path / "site")

    assert not (tmp_path / "site" / "stale.html").exists()
    assert beside(tmp_path / "site") == ["docs", "site"]


def test_fills_an_empty_folder_and_follows_a_link(docs: Path, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    build_site(docs, tmp_path / "link")

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "index.html").is_file()


def test_never_replaces_a_folder_of_someone_else(docs: Path, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "thesis.tex").write_text("precious")
    with pytest.raises(OutputError, match="is not empty and was not made by Perfolio"):
        build_site(docs, tmp_path / "home")

    assert (tmp_path / "home" / "thesis.tex").read_text() == "precious"


def test_never_replaces_a_file(docs: Path, tmp_path: Path) -> None:
    (tmp_path / "site").write_text("precious")
    with pytest.raises(OutputError, match="is a file"):
        build_site(docs, tmp_path / "site")


def test_a_broken_link_is_an_error_and_leaves_the_earlier_site(docs: Path, tmp_path: Path) -> None:
    build_site(docs, tmp_path / "site")
    (docs / "index.md").write_text("[nowhere](missing.md) [too](b.md)\n")
    with pytest.raises(SiteError, match=r"MkDocs: .*missing\.md.*\(and 1 more\)") as caught:
        build_site(docs, tmp_path / "site")

    assert "\n" not in str(caught.value)
    assert "Start" in (tmp_path / "site" / "index.html").read_text()
    assert beside(tmp_path / "site") == ["docs", "site"]


def test_a_broken_anchor_is_an_error(docs: Path, tmp_path: Path) -> None:
    (docs / "index.md").write_text("[number](a/findings.md#no-such-metric)\n")
    with pytest.raises(SiteError, match="no-such-metric"):
        build_site(docs, tmp_path / "site")


def test_faulty_settings_are_an_error(docs: Path, tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text("site_name: x\nno_such_setting: [\n")
    with pytest.raises(SiteError, match="MkDocs: "):
        build_site(docs, tmp_path / "site", config=tmp_path / "mkdocs.yml")


def test_a_folder_that_cannot_be_made_is_named(docs: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match=r"file/site: cannot be written: "):
        build_site(docs, tmp_path / "file" / "site")


@pytest.mark.slow
def test_a_full_disk_leaves_nothing_behind(docs: Path, tmp_path: Path) -> None:
    """A limit on the size of files stands for a full disk: both end in an OSError."""
    program = (
        "import resource, sys; from pathlib import Path;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000));"
        "from perfolio.common.errors import OutputError; from perfolio.site.build import "
        "build_site\n"
        "try: build_site(Path(sys.argv[1]), Path(sys.argv[2]))\n"
        "except OutputError as error: print(error)"
    )
    arguments = [sys.executable, "-B", "-c", program, str(docs), str(tmp_path / "site")]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)

    assert "cannot be written: File too large" in done.stdout, done.stderr
    assert beside(tmp_path / "site") == ["docs"]


def test_mkdocs_says_nothing_itself(
    docs: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    build_site(docs, tmp_path / "site")

    assert capfd.readouterr() == ("", "")


def test_texts_of_reports_are_files_and_listed(docs: Path, tmp_path: Path) -> None:
    text = "# A run [1\\]\n\n> The GPU is idle.\n\n## Key figures\n"
    told = {"a/report.md.txt": text, "a/findings.md": "[it](report.md.txt)\n"}
    sync_tree(PAGES | told | {"catalogue.json": "{}"}, docs)
    build_site(docs, tmp_path / "site", site_name="Mine & yours")

    assert (tmp_path / "site" / "a" / "report.md").read_text() == text
    assert not list((tmp_path / "site" / "a").glob("report.*ml*"))
    assert 'href="report.md"' in (tmp_path / "site" / "a" / "findings.html").read_text()
    assert (tmp_path / "site" / "llms.txt").read_text() == (
        "# Mine & yours\n\n"
        "> Performance reports, each made from a recorded profile.\n\n"
        "## Reports\n\n"
        "- [A run [1\\\\]](a/report.md): The GPU is idle. All numbers: a/findings.json\n\n"
        "## Metrics\n\n"
        "- [catalogue.json](catalogue.json): of each metric its definition, what it is over, "
        "its limits, its source and its SQL\n"
    )


def test_a_site_without_reports_lists_none(docs: Path, tmp_path: Path) -> None:
    build_site(docs, tmp_path / "site")
    assert not (tmp_path / "site" / "llms.txt").exists()


def test_a_site_that_knows_its_address_says_what_a_link_shows(docs: Path, tmp_path: Path) -> None:
    here = Path(build_module.__file__).parent
    page = '---\ntitle: Findings\ndescription: "Copies take “half”"\n---\n# Findings\n'
    (docs / "a" / "findings.md").write_text(page)
    settings = tmp_path / "mkdocs.yml"
    settings.write_text(
        f"INHERIT: {here}/base.yml\nsite_name: Mine\nsite_url: https://example.org/perf/\n"
        f"theme: {{custom_dir: {here}/theme}}\nhooks: [{here}/hooks.py]\n"
        "nav: [{Start: index.md}, {Run &lt;b&gt;: [{Findings: a/findings.md}]}]\n"
    )
    build_site(docs, tmp_path / "site", config=settings)
    html = (tmp_path / "site" / "a" / "findings.html").read_text()
    address = "https://example.org/perf/a/findings.html"

    assert f'<link rel="canonical" href="{address}">' in html
    assert '<meta property="og:title" content="Findings · Run &lt;b&gt;">' in html
    assert '<meta property="og:description" content="Copies take “half”">' in html
    assert f'<meta property="og:url" content="{address}">' in html
    assert f"<loc>{address}</loc>" in (tmp_path / "site" / "sitemap.xml").read_text()


def test_one_that_does_not_has_neither_addresses_nor_a_sitemap(docs: Path, tmp_path: Path) -> None:
    build_site(docs, tmp_path / "site")

    assert "og:" not in (tmp_path / "site" / "a" / "findings.html").read_text()
    assert not list((tmp_path / "site").glob("sitemap*"))


@pytest.mark.parametrize("address", [None, "https://reports.example/project/"])
def test_a_missing_page_needs_no_other_file_and_leads_home_where_that_is_known(
    docs: Path, tmp_path: Path, address: str | None
) -> None:
    """A server shows it for an address of any depth, below the path of a project."""
    settings = tmp_path / "mkdocs.yml"
    known = f"site_url: {address}\n" if address else ""
    settings.write_text(f"site_name: A <b> site\nplugins: [perfolio]\n{known}")
    build_site(docs, tmp_path / "site", config=settings)
    page = (tmp_path / "site" / "404.html").read_text("utf-8")
    assert re.findall(r"(?:href|src)=\"([^\"]*)", page) == ([address] if address else [])
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert "<b>" not in page
