"""A scaling study to a site of one page.

In:  a study. Out: a folder with the site.
"""

from __future__ import annotations

from pathlib import Path

from perfolio.charts.comparison_rendering import render_scaling_charts
from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.cache import Cache
from perfolio.comparison.scaling.scaling_study import ScalingStudy
from perfolio.pages.scaling_pages import render_scaling
from perfolio.pipeline.run_documents import Context
from perfolio.site.build import build_site, silence_notice
from perfolio.site.file_sync import sync_tree

_NAME = "Scaling"


def build_scaling_site(study: ScalingStudy, site: Path, context: Context) -> None:
    """The site of a study. Raises OutputError where it cannot be written."""
    silence_notice()
    with make_temporary_folder() as work:
        context.progress.start("scaling: charts and page", None)
        with context.timings.stage("charts"):
            tree = render_scaling(study, render_scaling_charts(study, Cache("charts")))
        context.prove([(name, data) for name, data in tree.items() if isinstance(data, str)])
        sync_tree(tree, work / "docs")
        with context.timings.stage("site"):
            context.progress.start("building the site", None)
            build_site(work / "docs", site, site_name=_NAME)
