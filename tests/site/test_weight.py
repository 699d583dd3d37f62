"""A site of a hundred reports is less than 240 MB, and each is read alone."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from perfolio.pipeline.report_files import report_tree
from perfolio.site.build import build_site
from perfolio.site.file_sync import sync_tree
from tests.kit.kept import SHOWN, digest_of, kept
from tests.kit.samples import PROFILES, sample_documents

pytestmark = pytest.mark.slow

SAMPLES = ("dlrm-cpu-torch", "dlrm-h100-timed", "transformer-h100")
"""The lightest, a heavy one and the heaviest: their mean, 2.33 MB, was that of all samples."""
MANY = 100
MOST = 240_000_000
GROWING = ("index.html", "runs.js", "llms.txt", "assets/perfolio/search-reports.js")
"""What has an entry for each report."""
LEADS = re.compile(r"""href="?(?:\.\./)+([a-z0-9-]+)/""")


@pytest.fixture(scope="module")
def site() -> Path:
    """The site of some samples, with their exercises and courses."""

    def make(folder: Path) -> None:
        with TemporaryDirectory() as docs:
            sync_tree(report_tree([sample_documents(name) for name in SAMPLES]), Path(docs))
            build_site(Path(docs), folder / "site")

    return (
        kept("weight", digest_of(*(PROFILES / name for name in SAMPLES), by=SHOWN), make) / "site"
    )


def sizes(folder: Path) -> dict[str, int]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.stat().st_size for path in files}


def test_a_hundred_reports_are_small(site: Path) -> None:
    found = sizes(site)
    reports = {path.parent.name for path in site.glob("*/findings.json")}
    of_reports = sum(size for path, size in found.items() if path.partition("/")[0] in reports)
    rest = sum(found.values()) - of_reports
    more = sum(found[path] for path in GROWING) * (MANY / len(reports) - 1)

    assert len(reports) == len(SAMPLES)
    assert MANY * of_reports / len(reports) + rest + more < MOST


def test_beside_a_report_stands_no_other(site: Path) -> None:
    reports = {path.parent.name for path in site.glob("*/findings.json")}
    for report in reports:
        pages = list((site / report).rglob("*.html"))
        assert len(pages) > 15
        for page in pages:
            head, _, rest = page.read_text("utf-8").partition("<article")
            frame = head + rest.rpartition("</article>")[2]
            assert reports.isdisjoint(LEADS.findall(frame)), page
            assert ">All reports<" in frame, page
