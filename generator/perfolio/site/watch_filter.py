"""Which changes of files make MkDocs' server build again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.livereload import LiveReloadServer
    from watchdog.events import FileSystemEvent, FileSystemEventHandler

REPORTS = "reports"


def ignore_reports(server: LiveReloadServer, docs: Path) -> None:
    """Watch the folder of pages but for the reports in it, which a build writes itself."""
    reports, schedule = (docs / REPORTS).resolve(), server.observer.schedule

    def filtered(handler: FileSystemEventHandler, path: str, **options: Any) -> Any:
        told = handler.on_any_event

        def tell(event: FileSystemEvent) -> None:
            if not Path(os.fsdecode(event.src_path)).resolve().is_relative_to(reports):
                told(event)

        handler.on_any_event = tell  # type: ignore[method-assign]
        return schedule(handler, path, **options)

    server.observer.schedule = filtered  # type: ignore[method-assign,assignment]
    try:
        server.unwatch(str(docs))
        server.watch(str(docs))
    finally:
        server.observer.schedule = schedule  # type: ignore[method-assign]
