"""What plain `mkdocs build|serve|gh-deploy` calls in a project, so that it shows fresh reports.

A project's mkdocs.yml names it below `hooks`, beside `site/hooks.py`, and asks for it by
`extra: {perfolio_refresh: true}`. `perfolio build` makes them itself, before it calls MkDocs.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority

from perfolio.common.errors import PerfolioError

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig


@event_priority(100)  # before the reports are put into the navigation
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Bring the reports up to date."""
    if config.extra.get("perfolio_refresh"):
        _refresh_reports(Path(config.config_file_path).resolve().parent)
    return config


class _LogProgress:
    """Tells in MkDocs' log what is being done: a first build of several reports takes minutes."""

    def start(self, name: str, total: float | None) -> None:
        """Begin a task."""
        logging.getLogger("mkdocs.plugins").info("%s%s", name, f" ({total:g})" if total else "")

    def advance(self, steps: float) -> None:
        """Nothing."""

    def rename(self, name: str) -> None:
        """Nothing."""


def _refresh_reports(root: Path) -> None:
    from perfolio.pipeline.project import refresh_project

    log = logging.getLogger("mkdocs.plugins")
    try:
        refresh_project(root, progress=_LogProgress(), say=log.info)
    except PerfolioError as error:
        raise PluginError(str(error)) from error
