"""What all tests share: options, Hypothesis profiles, and skips that must not hide failures."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from perfolio.common import cache
from tests.kit.forked import hatchet_forked
from tests.kit.kept import KEPT

if TYPE_CHECKING:  # tests that need no run start without what makes it
    from perfolio.pipeline.build_context import RunDocuments

settings.register_profile("dev", max_examples=50, deadline=None)
settings.register_profile(
    "ci",  # the same examples each time: what lands does not depend on luck
    settings.get_profile("dev"),
    derandomize=True,
    print_blob=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "nightly", settings.get_profile("ci"), max_examples=300, derandomize=False
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "dev"))

REQUIRED = {
    "browser": "PERFOLIO_REQUIRE_BROWSER",
    "pdf": "PERFOLIO_REQUIRE_PDF",
    "torch": "PERFOLIO_REQUIRE_TORCH",
}
"""Markers of tests that need more than Python, and the variable that promises it."""


def pytest_configure() -> None:
    """What commands cache lies beside what tests keep, not in the user's own folder.

    So does compiled code, also where the environment asks for none: each of some hundred
    processes would compile it again. Nothing that a package brings hides here what makes it, and no
    documents are kept: a test may change in memory what they follow from.
    """
    cache.PREPARED = Path(os.devnull)
    user = KEPT.with_name("user")
    (user / "perfolio").mkdir(parents=True, exist_ok=True)
    (user / "perfolio" / "documents").touch()  # in place of the folder
    os.environ["XDG_CACHE_HOME"] = str(user)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(KEPT.with_name("compiled"))
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What ten thousand tests are made of is no garbage: nothing searches it while it grows."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """It stays: no search for garbage looks at it again, nor as often, for there is little."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_unconfigure() -> None:
    """Let the interpreter clear up, so that modules do not complain of what is left."""
    gc.unfreeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-snapshots",
        action="store_true",
        help="write the snapshot files again instead of comparing with them",
    )


@pytest.fixture
def update_snapshots(request: pytest.FixtureRequest) -> bool:
    """Whether snapshot files are to be written instead of compared."""
    return bool(request.config.getoption("--update-snapshots"))


@pytest.fixture(autouse=True, scope="session")
def _hatchet_forked() -> Iterator[None]:
    with hatchet_forked():
        yield


@pytest.fixture
def on_a_terminal() -> Iterator[None]:
    """A shell that starts the tests in the background ignores SIGINT for them: listen to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where a browser, PDF or PyTorch is promised, a test of it that skips has failed."""
    report = yield
    for marker, variable in REQUIRED.items():
        promised = os.environ.get(variable) == "1" and item.get_closest_marker(marker)
        if promised and report.skipped:
            report.outcome = "failed"
            report.longrepr = f"skipped although {variable}=1: {call.excinfo}"
    return report


@pytest.fixture
def known_trace(monkeypatch: pytest.MonkeyPatch) -> RunDocuments:
    """Documents of the sample of the profiler, which are not made again from its store."""
    from perfolio.exporters import arrow_tables, export_files
    from perfolio.readers import registry
    from tests.kit.samples import PROFILES, documents_at, store_at

    (trace,) = registry.find(PROFILES / "dlrm-cpu-torch")
    made = {(store_at(trace), None): documents_at(trace)}
    for module in (export_files, arrow_tables):
        monkeypatch.setattr(
            module, "make_documents_of_run", lambda store, run, *_: made[store, run]
        )
    return documents_at(trace)
