"""The site of a project for others to read: its own pages, and reports in which names are hidden.

In:  a project, and documents in which private names were hidden. Out: a site that tells none.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from perfolio.common.atomic_output import make_temporary_folder
from perfolio.pipeline.build_context import Context, RunDocuments
from perfolio.pipeline.project_outcomes import read_outcomes
from perfolio.pipeline.report_files import report_tree
from perfolio.pipeline.reports import make_proof
from perfolio.site.build import build_site
from perfolio.site.file_sync import sync_tree


def build_shared(
    root: Path, reports: str, documents: Sequence[RunDocuments], site: Path, context: Context
) -> list[RunDocuments]:
    """The site of the project in `root` with reports of these documents.

    Those that lie in the folder `reports` of its pages are neither shown nor changed. SiteError
    where a file of the finished site still tells what was hidden.
    """
    context = replace(context, project=root, outcomes=read_outcomes(root))
    for one in documents:
        context.judged(one)
    proof = make_proof(documents, reports)
    pages = root / "docs"
    with make_temporary_folder() as work:
        docs = work / "docs"
        shutil.copytree(
            pages, docs, ignore=lambda folder, _: {reports} if Path(folder) == pages else set()
        )
        sync_tree(report_tree(documents, context), docs / reports)
        with context.timings.stage("site"):
            context.progress.start("building the site", None)
            settings = root / "mkdocs.yml"
            build_site(docs, site, config=settings, cached=False, proof=proof)
    return list(documents)
