"""Pages of a site as one file: names stay unique, links lead within. One script draws charts."""

from __future__ import annotations

from pathlib import Path

import altair as alt
import pytest
import vl_convert

from perfolio.common.errors import SiteError
from perfolio.site import shipped_files
from perfolio.site.single.anchors import PagePlace, place_article
from perfolio.site.single.assembly import build_single_file
from perfolio.site.single.inlining import read_style

WIDE = '<div class="md-typeset__scrollwrap"><div class="md-typeset__table">'
CSV = "name,%2250 %25%22%0A%22%3Cb%3E%22,1%0A"
NAMES = {"r/index.html": "summary", "r/findings.html": "findings", "glossary.html": "glossary"}


@pytest.fixture
def place(tmp_path: Path) -> PagePlace:
    charts = tmp_path / "r" / "charts"
    charts.mkdir(parents=True)
    (charts / "a.csv").write_text('name,"50 %"\n"<b>",1\n')
    (charts / "a.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'><g id='x'/></svg>")
    return PagePlace(tmp_path, "r/findings.html", NAMES)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ('<h2 id="g1">A</h2>', '<h2 id="findings/g1">A</h2>'),
        ('<a href="#g1">A</a>', '<a href="#findings/g1">A</a>'),
        ('<a href="index.html">A</a>', '<a href="#summary">A</a>'),
        ('<a href="../glossary.html#idle">A</a>', '<a href="#glossary/idle">A</a>'),
        ('<a href="../queries.html#q"><code>q</code></a>', "<span><code>q</code></span>"),
        ('<a href="findings.json" class="x">all</a>', "<span>all</span>"),
        ('<a href="javascript:alert(1)">A</a>', "<span>A</span>"),
        ('<a href="https://example.org/?a=1&amp;b">A</a>',) * 2,
        ('<input id="t" name="t"><label for="t">A</label>',
         '<input id="findings/t" name="findings/t"><label for="findings/t">A</label>'),
        ("<table><td class=r>1</table>", f"{WIDE}<table><td class=r>1</table></div></div>"),
        ('<table class="highlighttable"></table>',) * 2,
        ("<script>hacked = 1</script>A &amp; &#60;b&gt;", "A &amp; &#60;b&gt;"),
        ('<figure data-spec="charts/a.js" data-chart="a">A</figure>',
         '<figure data-chart="a">A</figure>'),
        ('A <a href="charts/a.svg" download>Image (SVG)</a> B', "A  B"),
        ('<a href="charts/a.csv" download>Data</a>',
         f'<a href="data:text/csv;charset=utf-8,{CSV}" download="a.csv">Data</a>'),
        ('<a href="charts/none.csv" download>Data</a>', "<span>Data</span>"),
        ('<img src="../../etc/secret.svg" alt="A">', "<span>"),
    ],
)  # fmt: skip
def test_an_article_within_the_file(place: PagePlace, given: str, found: str) -> None:
    assert place_article(given, place) == found


def test_images_are_data_that_a_browser_reads_back(place: PagePlace) -> None:
    shown = place_article('<img class="pf-static" src="charts/a.svg" alt="A &quot;b&quot;">', place)

    assert shown.startswith(
        '<img class="pf-static" src="data:image/svg+xml,%3Csvg xmlns=&#x27;http'
    )
    assert shown.endswith('alt="A &quot;b&quot;">')


def test_a_style_sheet_that_loads_something_is_refused(tmp_path: Path) -> None:
    sheet = tmp_path / "a.css"
    for text in ("a{background:url(b.png)}", "@import 'b.css';", "a{}</style>"):
        sheet.write_text(text)
        with pytest.raises(SiteError, match=r"a\.css"):
            read_style(sheet)
    sheet.write_text("a{background:url( 'data:image/png;base64,AA')}b{fill:url(#c)}")
    assert read_style(sheet)


def test_a_folder_without_report_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match="holds no report r"):
        build_single_file(tmp_path, "r")


@pytest.fixture
def bundles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "perfolio" / "bundle"


def test_it_is_made_once(bundles: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = shipped_files.load_bundle()
    assert len(list(bundles.iterdir())) == 1
    monkeypatch.setattr(shipped_files, "_make_bundle", lambda: pytest.fail("made once more"))

    assert shipped_files.load_bundle() == made


def test_it_is_made_where_it_cannot_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert shipped_files.load_bundle()


def test_it_defines_one_global_name() -> None:
    script = shipped_files.load_bundle().decode()

    assert script.startswith("(function () {")
    assert script.rstrip().endswith("})();")
    assert "window.perfolioVega=" in script


def test_it_holds_the_vega_lite_that_altair_writes_for() -> None:
    wanted = ".".join(alt.SCHEMA_VERSION.lstrip("v").split(".")[:2])

    assert wanted in vl_convert.get_vegalite_versions()
