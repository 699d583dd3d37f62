"""A report on four printed sides, of every sample and on both papers."""

from __future__ import annotations

import io
import json
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from perfolio.charts.gallery_rendering import render_all, render_some
from perfolio.charts.model import RenderedChart
from perfolio.cli.main import main
from perfolio.common.cache import Cache
from perfolio.common.errors import OutputError
from perfolio.findings.chart_tables import make_tables
from perfolio.metrics.document import read_results
from perfolio.pages import brief_pages as sides
from perfolio.pages.brief_pages import PAPERS, SIDES, list_brief_charts, print_brief, render_brief
from perfolio.pages.report_view import Report
from perfolio.pipeline.printed_brief import write_brief
from tests.kit.kept import SHOWN, digest_of, kept
from tests.kit.samples import SAMPLES, sample_documents
from tests.pages.support import HOSTILE, Page, documents, with_names

if TYPE_CHECKING:
    from pypdf import PageObject

TITLES = ("What was found", "Roadmap", "Conclusion")
FIRST = "dlrm-cpu-torch"
SIZES = {"a4": (595, 842), "letter": (612, 792)}


@cache
def charts_of(name: str) -> dict[str, RenderedChart]:
    """The charts of a sample that are printed, the same on each paper."""
    one = sample_documents(name)
    drawn = {**read_results(one.metrics), **make_tables(one.findings)}
    names = list_brief_charts(one.metrics, one.findings)
    return render_some(drawn, names, cache=Cache("charts"))  # as the command does


def printed(name: str, paper: str) -> bytes:
    one = sample_documents(name)
    return print_brief(one.metrics, one.findings, charts_of(name), paper)


def kept_print(name: str, paper: str) -> bytes:
    """The same, of an earlier run of the tests where all that it is made from is as it was."""

    def make(folder: Path) -> None:
        (folder / "brief.pdf").write_bytes(printed(name, paper))

    digest = digest_of(_told(name), paper, by=SHOWN)
    return (kept(f"brief-{name}-{paper}", digest, make) / "brief.pdf").read_bytes()


@cache
def _told(name: str) -> str:
    """All that is known of a sample."""
    one = sample_documents(name)
    return json.dumps([one.metrics, one.findings])


def check(name: str, paper: str, data: bytes) -> None:
    from pypdf import PdfReader

    pages = PdfReader(io.BytesIO(data)).pages
    assert len(pages) == SIDES
    assert {tuple(map(round, page.mediabox[2:])) for page in pages} == {SIZES[paper]}
    headline = " ".join(sample_documents(name).findings["verdict"]["headline"].split()[:5])
    assert headline in " ".join(pages[0].extract_text().split())
    for title, page in zip(TITLES, pages[1:], strict=True):
        assert beginning(page).startswith(title)


def beginning(page: PageObject) -> str:
    """What the first texts on a page say: to read all of it takes as long as to print it."""
    from pypdf.generic import DecodedStreamObject, NameObject

    contents = page.get_contents()
    assert contents is not None
    drawn = DecodedStreamObject()
    drawn.set_data(b"ET\n".join([*contents.get_data().split(b"ET\n")[:4], b""]))
    page[NameObject("/Contents")] = drawn
    return page.extract_text()


@pytest.mark.slow
@pytest.mark.pdf
@pytest.mark.parametrize("paper", PAPERS)
def test_a_sample_takes_four_sides(paper: str) -> None:
    check(FIRST, paper, printed(FIRST, paper))


@pytest.mark.pdf
@pytest.mark.slow
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", [name for name in SAMPLES if name != FIRST])
def test_every_other_sample_does(name: str, paper: str) -> None:
    check(name, paper, kept_print(name, paper))


@pytest.mark.pdf
@pytest.mark.parametrize("name", [HOSTILE[0], "x" * 100_000, "many words " * 2_000, ""])
def test_names_of_any_kind_and_length_fit(name: str) -> None:
    from pypdf import PdfReader

    metrics, findings, _ = with_names(name)
    made = PdfReader(io.BytesIO(print_brief(metrics, findings, {})))
    assert len(made.pages) <= SIDES


def test_charts_that_are_not_drawn_are_on_no_side() -> None:
    one = sample_documents("dlrm-cpu")
    drawn = {**read_results(one.metrics), **make_tables(one.findings)}
    charts = render_all(drawn, cache=Cache("charts"))
    shown = {
        name: charts[name] for name in list_brief_charts(one.metrics, one.findings) & charts.keys()
    }
    pages = [render_brief(Report(one.metrics, one.findings, each)) for each in (shown, charts)]

    assert 1 < len(shown) < len(charts)
    assert pages[0] == pages[1]
    assert pages[0].count("data:image/svg+xml") > 1


@pytest.mark.slow
@pytest.mark.pdf
def test_what_never_fits_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sides, "SIDES", 3)
    with pytest.raises(OutputError, match="takes more than 3 sides"):
        print_brief(*documents(), {})


@pytest.mark.parametrize("name", HOSTILE)
def test_names_of_a_profile_are_words(name: str) -> None:
    metrics, findings, charts = with_names(name)
    page = Page(render_brief(Report(metrics, findings, charts)))
    known = set(Page(render_brief(Report(*documents(), charts))).elements)

    assert {tag for tag, _ in page.elements} <= {tag for tag, _ in known}
    assert not [a for _, attributes in page.elements for a, _ in attributes if a.startswith("on")]


def test_links_lead_nowhere_on_paper() -> None:
    page = Page(render_brief(Report(*documents(), charts={})))

    assert not [a for tag, a in page.elements if tag == "a"]


@pytest.mark.slow
@pytest.mark.pdf
def test_the_command_writes_it(tmp_path: Path) -> None:
    one = sample_documents("dlrm-cpu-torch")
    write_brief(one, tmp_path / "new" / "a.pdf", "a4")

    assert (tmp_path / "new" / "a.pdf").read_bytes().startswith(b"%PDF-1.7")
    (tmp_path / "taken").write_text("")
    with pytest.raises(OutputError, match="cannot be written"):
        write_brief(one, tmp_path / "taken" / "a.pdf", "a4")


def test_without_a_printer_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    done = CliRunner().invoke(main, ["handout", "x.json", "-o", str(tmp_path / "a.pdf")])

    assert done.exit_code == OutputError.exit_code
    assert "'pypdf>=7' 'weasyprint>=70'" in done.stderr
    assert not (tmp_path / "a.pdf").exists()
