"""A site has no file that nothing asks for, and no white space between elements."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from pathlib import Path

import material
import pytest
from jinja2 import FileSystemLoader

from perfolio.site.build import build_site
from perfolio.site.file_sync import sync_tree
from perfolio.site.minify import ThemeLoader, trim_article, trim_page

CODE = "# Start\n\n```text\na\n\n\n    b\n```\n\n| a |\n|--:|\n| 1 |\n"


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

    assert len(named) > 8
    assert not [one or other for one, other in named if not (site / (one or other)).is_file()]


def test_tools_of_the_header_and_settings_come_from_one_script(site: Path) -> None:
    page, script = (site / name for name in ("index.html", "assets/perfolio/tools.js"))
    tools = ("palette", "search-query", "__config")

    assert '<script src="assets/perfolio/tools.js" data-pf-scope=""></script>' in page.read_text()
    assert all(name in script.read_text() for name in tools)
    assert not [name for name in tools if re.search(f'["_]{name}"', page.read_text())]


def test_code_keeps_its_lines(site: Path) -> None:
    page = re.sub(r"<[^>]*>", "", (site / "index.html").read_text())

    assert "a\n\n\n    b\n" in page


def test_the_frame_has_no_empty_lines_and_the_article_stays() -> None:
    page = "<nav>\n\n   \n  <a>x</a>\n</nav>\n\n<article>\n\n  <pre>\n\n</pre></article>\n\n\n<p>"

    assert (
        trim_page(page) == "<nav>\n<a>x</a>\n</nav>\n<article>\n\n  <pre>\n\n</pre></article>\n<p>"
    )


class Told(HTMLParser):
    """Elements and words of a page: browsers end cells, rows and items themselves."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(f"{tag} {attrs}")

    def handle_data(self, data: str) -> None:
        self.found.extend(data.split())


def test_what_html_ends_itself_is_not_ended() -> None:
    link = '<a class="x y" href="a.html">\na b\n</a>'
    lists = f'<div class="md-sidebar"><ul>\n<li>\n{link}\n</li>\n<li>c</li>\n</ul></div>'
    table = "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></table>"
    whole = f"{lists}<article><p>x</p>{table}\n<ul><li>1</li>\n<li>2</li></ul></article><p>"
    short = trim_page(whole)

    assert Told(short).found == Told(whole).found
    assert '<ul><li><a class="x y" href=a.html>a b</a><li>c</ul>' in short
    assert "<tr><th>a</thead><tbody><tr><td>1<td>2</table>" in short
    assert "<article><p>x<table>" not in short, "a table may stand in a paragraph"
    assert "<li>1</li>\n<li>2</li>" in short, "items beside one another are parted by white space"
    scripted = whole.replace("<p>x</p>", "<script>'</td><td>'</script>")
    assert "</td><td>" in trim_page(scripted)


@pytest.mark.parametrize(
    ("article", "short"),
    [
        ("<div><p>a</p>\n<p>b</p>\n</div>", "<div><p>a\n<p>b\n</div>"),
        ("<p>a</p><ul><li>b</li></ul>", "<p>a<ul><li>b</li></ul>"),
        ("<p>a</p>b <span><p>c</p></span>", "<p>a</p>b <span><p>c</p></span>"),
        ("<p>a</p><table></table>", "<p>a</p><table></table>"),
        ("<code>&lt;/p&gt;<b>", "<code>&lt;/p&gt;<b>"),
    ],
)
def test_paragraphs_end_where_the_next_block_begins(article: str, short: str) -> None:
    assert trim_page(f"<article>{article}</article>") == f"<article>{short}</article>"


def test_an_article_says_the_same_in_fewer_signs() -> None:
    cells = '<th style="text-align: right;">a</th><td style="text-align:right">1</td>'
    names = "<code>a&#95;b&#58;&#58;c</code>&#60;&#38;&#35;&#62;"

    rows = "<table>\n<tr>\n  <td>a</td>\n<td>b\nc</td>\n</tr>\n</table>\n<p>"

    assert trim_article(rows) == "<table><tr><td>a</td><td>b\nc</td></tr></table>\n<p>"
    assert trim_article(cells) == "<th class=r>a</th><td class=r>1</td>"
    assert trim_article(names) == "<code>a_b::c</code>&#60;&#38;&#35;&#62;"
    assert html.unescape(trim_article(names)) == html.unescape(names)


@pytest.mark.parametrize(
    "kept",
    [
        '<td style="text-align: center;">',
        '<td class="x" style="text-align: right;">',
        "&lt;td style=&quot;text-align: right;&quot;&gt;",
        "&#38;#95; &amp;#95;",
        '<script>"&#95;"</script>',
    ],
)
def test_what_would_be_something_else_stays(kept: str) -> None:
    assert trim_article(kept) == kept


def test_numbers_of_tables_stand_right(site: Path) -> None:
    page, style = site / "index.html", site / "assets" / "perfolio" / "site.css"

    assert "<td class=r>1</tbody>" in page.read_text()
    assert "table td.r" in style.read_text()


def test_no_change_of_a_class_makes_a_browser_style_the_whole_page(site: Path) -> None:
    css = (site / "assets" / "perfolio" / "site.css").read_text()
    changing = re.compile(r"\[class|\.no-js|\[data-md-color-switching")
    of_any_element = re.compile(r"[ >](\*|:{1,2}(?!is\b|where\b)[a-z-]+(\([^()]*\))?)+$")

    selectors = [
        selector.strip()
        for heads in re.findall(r"[^{}@;]+(?=\{)", css)
        for selector in re.split(r",(?![^(]*\))", heads)
    ]
    below = [selector for selector in selectors if of_any_element.search(selector)]

    assert len(selectors) > 1000
    assert below
    assert not [one for one in below if changing.search(of_any_element.sub("", one))]


def test_colours_change_at_once_and_other_transitions_stay(site: Path) -> None:
    css = (site / "assets/perfolio/site.css").read_text()
    theme = "".join(
        path.read_text() for path in Path(material.__file__).parent.rglob("stylesheets/main.*.css")
    )

    def transitions_of(sheet: str, what: str) -> list[str]:
        values = re.findall(r"transition:([^;}]*)", sheet)
        return [value for value in values if re.search(rf"(?<![a-z-])({what})\b", value)]

    fades = "color|border|background-color|border-color"
    moves = "opacity|transform|max-height|width"
    assert transitions_of(theme, fades)
    assert not transitions_of(css, fades)
    assert len(transitions_of(css, moves)) == len(transitions_of(theme, moves)) > 20
    assert not [value for value in transitions_of(css, ".*") if not value or value[-1] == ","]


def test_a_page_without_an_article_stays_whole() -> None:
    assert trim_page("<pre>\n\n</pre>") == "<pre>\n\n</pre>"


def test_the_theme_is_listed_without_the_icons_that_no_site_copies() -> None:
    folders = [str(Path(material.__file__).parent / "templates")]
    listed = ThemeLoader(folders).list_templates()
    every = FileSystemLoader(folders).list_templates()

    assert listed == [name for name in every if "/." not in f"/{name}"]
    assert len(every) > 10 * len(listed)
