"""What a build lets the process beside it do; nothing is imported until it is done.

In:  documents of a run. Out: its charts; a folder of Markdown.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perfolio.common.processes import map_in_copies

if TYPE_CHECKING:
    from perfolio.charts.model import RenderedChart
    from perfolio.pipeline.build_context import Context, RunDocuments

_Made = tuple[dict[str, str | bytes], list[str]]
"""Files by path, and what was to be said meanwhile."""
_LIBRARIES = (
    "perfolio.pipeline.report_files", "altair",
    "mkdocs.commands.build", "mkdocs.config.defaults", "babel.dates", "pymdownx.inlinehilite",
    "material.plugins.search.plugin", "markdown.extensions.admonition", "pymdownx.details",
    "markdown.extensions.def_list", "markdown.extensions.footnotes", "pymdownx.superfences",
    "markdown.extensions.md_in_html", "pymdownx.tabbed", "perfolio.site.minify",
    "pygments.lexers.shell", "pygments.formatters.html", "perfolio.site.glossary_tooltips",
)  # fmt: skip
"""What takes long to import, and is needed for charts and for the site."""


def prepare() -> None:
    """Import what charts, pages and the site need, and load what pages read, before it is asked."""
    from perfolio.charts.gallery import list_chart_names
    from perfolio.site.build import silence_notice

    silence_notice()
    for name in (*_LIBRARIES, *(f"perfolio.charts.gallery.{name}" for name in list_chart_names())):
        import_module(name)
    from perfolio.common.content_files import code_digest
    from perfolio.exercises.catalog import load_exercises
    from perfolio.metrics.catalog import load_catalog
    from perfolio.pages.template_environment import load_templates

    load_exercises(None)
    load_catalog()
    code_digest()
    load_templates()


def draw_charts(
    metrics: Mapping[str, Any], findings: Mapping[str, Any]
) -> dict[str, RenderedChart]:
    """The charts of a run."""
    from perfolio.pipeline.report_files import render_charts

    return render_charts(metrics, findings)


def write_report(
    one: RunDocuments,
    charts: Mapping[str, RenderedChart],
    docs: Path,
    context: Context,
    beside: Collection[str] | None = None,
) -> list[str]:
    """The report of a run and what stands beside it (of these names, or all) into a new folder.

    What was to be said of it.
    """
    from perfolio.exercises.run_view import Run
    from perfolio.pages.report_rendering import list_page_makers
    from perfolio.pipeline.shared_pages import NotedRuns, list_part_makers
    from perfolio.site.file_sync import sync_tree

    said: list[str] = []
    runs, folder = NotedRuns({one.slug: Run(one.metrics, one.findings)}), f"{one.slug}/"
    parts = list_part_makers(runs, replace(context, say=said.append))
    shared = [partial(make, runs) for name, make in parts.items() if name in (beside or parts)]
    pages = list_page_makers(one.metrics, one.findings, charts, one.live)
    pieces = [("", each) for each in shared] + [(folder, each) for each in pages]

    def make_piece(piece: tuple[str, Callable[[], Mapping[str, str | bytes]]]) -> _Made:
        place, make = piece
        before = len(said)
        return {f"{place}{path}": content for path, content in make().items()}, said[before:]

    made = map_in_copies(make_piece, pieces)
    tree = {path: content for files, _ in made for path, content in files.items()}
    sync_tree(tree | {f"{folder}{path}": text for path, text in one.live.items()}, docs)
    return list(dict.fromkeys(line for _, lines in made for line in lines))
