"""A site built once, a browser without network, and what it did meanwhile.

Four reports: the sample profile through the whole pipeline, a run on a GPU with every
chart of the gallery, the same with hostile names, and layouts that reports rarely have;
and the exercises of a run, with an item of every type.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from perfolio.charts.gallery_rendering import load_gallery, render_figure
from perfolio.charts.model import RenderedChart
from perfolio.charts.spec_packing import write_chart_script
from perfolio.pages.report_rendering import render_index, render_report
from perfolio.pages.run_series import write_runs_script
from perfolio.pipeline.report_files import report_tree
from perfolio.site.build import build_site
from perfolio.site.file_sync import sync_tree
from tests.browser.sheets import sheets
from tests.browser.visits import Options, Visit, visiting
from tests.charts.support import cases
from tests.charts.support import with_names as named
from tests.kit.kept import SHOWN, digest_of, kept
from tests.kit.samples import PROFILES, sample_documents
from tests.pages.support import documents, with_names

Tree = dict[str, str | bytes]

HERE = Path(__file__).parent
TESTS = HERE.parent
ATTACK = (
    '"><script>window.hacked = 1</script><img src="attack" onerror="window.hacked = 1">'
    "</title></style><a href='javascript:window.hacked = 1'>{{ 7 * 7 }}"
)
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
SETTINGS = (
    "primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4,"
    "preferredColorScheme=0"
)
"""A mouse, as Playwright itself says, and a dark system, where a test emulates no other."""
QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-sync",
    "--no-first-run",
    f"--blink-settings={SETTINGS}",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


@pytest.fixture(scope="session")
def chromium() -> Path:
    if found := found_chromium():
        return found
    pytest.skip("needs Chromium: apt-get install chromium-headless-shell")


def found_chromium() -> Path | None:
    """Debian's Chromium; nothing is downloaded. The one without windows takes a quarter less."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    return Path(found) if found else None


@pytest.fixture(scope="session")
def browser(chromium: Path) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        instance = playwright.chromium.launch(
            executable_path=chromium, args=list(QUIET), chromium_sandbox=False
        )
        yield instance
        instance.close()


@pytest.fixture(scope="session")
def site(chromium: Path) -> Path:  # noqa: ARG001
    """The site; not built where there is no browser to open it."""

    def tree() -> Tree:
        with tempfile.TemporaryDirectory() as folder:
            return (
                _sample() | _gallery() | _hostile() | _layouts() | sheets(Path(folder) / "project")
            )

    return kept_site("browser", tree)


def kept_site(name: str, tree: Callable[[], Tree], by: str = "sheets.py") -> Path:
    """The site of these pages, built once for all processes that run tests.

    `by` is the module here that makes them, beside this one: an edit of other tests builds none.
    """

    def make(folder: Path) -> None:
        sync_tree(tree(), folder / "docs")
        build_site(folder / "docs", folder / "site")

    made_by = [HERE / each for each in ("conftest.py", "pages", by)]
    made_by += [TESTS / each for each in ("charts", "pages", "kit/samples.py")]
    return kept(f"site-{name}", digest_of(PROFILES, *made_by, by=SHOWN), make) / "site"


def _sample() -> Tree:
    """The sample profile through the whole pipeline, and the list of all that are here."""
    sample = sample_documents("dlrm-cpu")
    metrics, findings = documents()
    other = {**metrics, "run": {**metrics["run"], "slug": "gallery"}}
    listed = render_index([(sample.metrics, sample.findings), (other, findings)])
    return {**report_tree([sample]), "index.md": listed, **_runs(sample.metrics)}


def _runs(sample: Mapping[str, Any]) -> Tree:
    """The list of runs with call trees: the gallery, and a run before it, of charts alone."""
    tree = [item for item in sample["metrics"] if item["name"] in ("tree.cpu", "cpu.event")]
    runs = [
        {"run": {"slug": slug, "title": slug.title(), "settings": settings}, "metrics": tree}
        for slug, settings in (
            ("dlrm-cpu", {}),
            ("earlier", {}),
            ("gallery", {"workload.before": "earlier"}),
        )
    ]
    (earlier,) = (each for each in cases() if each.name == "cpu_icicle.earlier")
    chart = load_gallery()["cpu_icicle"]
    figure = chart.draw(earlier.results)
    assert figure is not None
    drawn = render_figure(chart, figure, earlier.results, None)
    scripts = {"earlier/charts/cpu_icicle.js": write_chart_script(drawn)}
    return {"runs.js": write_runs_script([(run, {}) for run in runs]), **scripts}


def _gallery() -> Tree:
    """A run on a GPU with every chart of the gallery: numbers of pages and charts differ."""
    return _in_folder("gallery", render_report(*documents(), _charts()))


def _hostile() -> Tree:
    """The same run, where all that a profile can name is an attack."""
    metrics, findings, _ = with_names(ATTACK)
    return _in_folder("hostile", render_report(metrics, findings, _charts(ATTACK)))


def _layouts() -> Tree:
    page = (HERE / "pages" / "layout.md").read_text(encoding="utf-8")
    title = json.dumps({"run": {"title": "Layouts <i>&</i> names"}})
    files = {"index.md": page, "findings.md": "# Findings\n", "findings.json": title}
    return _in_folder("layout", files)


def _charts(name: str = "") -> dict[str, RenderedChart]:
    """The first case of each chart; with `name`, everything in it is called that."""
    gallery = load_gallery()
    drawn = {}
    for case in cases():
        if case.name == case.chart:
            results = named(case.results, name) if name else case.results
            figure = gallery[case.chart].draw(results)
            assert figure is not None
            drawn[case.chart] = render_figure(gallery[case.chart], figure, results, None)
    return drawn


def _in_folder(folder: str, files: Mapping[str, str | bytes]) -> Tree:
    return {f"{folder}/{name}": content for name, content in files.items()}


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Keep requests out of the test's output."""


@pytest.fixture(scope="session")
def server(site: Path) -> Iterator[str]:
    handler = partial(_Silent, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as instance:
        thread = threading.Thread(target=instance.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{instance.server_port}"
        instance.shutdown()
        thread.join()


@pytest.fixture(scope="session", params=["server", "file"])
def base(request: pytest.FixtureRequest, site: Path) -> str:
    """Address of the site: as a server gives it, and as a file manager opens it."""
    return request.getfixturevalue("server") if request.param == "server" else site.as_uri()


@pytest.fixture(scope="session")
def tabs(browser: Browser) -> Iterator[Callable[[Options], Page]]:
    """A tab for each set of options of a browser context, kept: to start one takes four times
    as long as to load a page in it."""
    kept: dict[str, Page] = {}

    def tab(options: Options) -> Page:
        named = repr(sorted(options.items()))
        if named not in kept or kept[named].is_closed():
            kept[named] = browser.new_context(**options).new_page()
        return kept[named]

    yield tab
    for each in kept.values():
        each.context.close()


@pytest.fixture
def visit(tabs: Callable[[Options], Page], request: pytest.FixtureRequest) -> Iterator[Visit]:
    """A new visitor; a parameter of it, given indirectly, holds options of its browser context."""
    with visiting(tabs(getattr(request, "param", {}))) as seen:
        yield seen
