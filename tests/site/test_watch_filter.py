"""What a build writes itself does not make the server build once more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from mkdocs.livereload import LiveReloadServer
from watchdog.events import FileModifiedEvent

from perfolio.site.watch_filter import ignore_reports


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveReloadServer]:
    """One that watches a folder of pages, as MkDocs begins it, and does not run."""
    (tmp_path / "docs" / "reports").mkdir(parents=True)
    made = LiveReloadServer(lambda: None, "127.0.0.1", 0, str(tmp_path))
    made.watch(str(tmp_path / "docs"))
    yield made
    made.server_close()


def _is_built_after(server: LiveReloadServer, path: Path) -> bool:
    server._want_rebuild = False
    (watch,) = server.observer._handlers
    for handler in server.observer._handlers[watch]:
        handler.dispatch(FileModifiedEvent(str(path)))
    return server._want_rebuild


def test_pages_are_watched_and_reports_are_not(server: LiveReloadServer, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    assert _is_built_after(server, docs / "reports" / "a" / "index.md"), "as MkDocs does"
    schedule = server.observer.schedule
    ignore_reports(server, docs)

    assert not _is_built_after(server, docs / "reports" / "a" / "index.md")
    assert _is_built_after(server, docs / "new" / "page.md")
    assert _is_built_after(server, docs / "reports.md")
    assert server.observer.schedule == schedule
