"""Size of a site and time of its last two stages, for one report and for many.

    python -m tests.bench.site [DATABASE] [--reports 100]

The database is read and evaluated once. Its report is then written as often as asked for, each
time under another name and title, and one site is made of all of them. Seconds are of the
processor, in this process: other work on the machine does not change them.
"""

from __future__ import annotations

import argparse
import copy
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from perfolio.charts.gallery_rendering import render_all
from perfolio.common.cache import Cache
from perfolio.findings.chart_tables import make_tables
from perfolio.metrics.document import read_results
from perfolio.pages.report_rendering import (
    render_catalogue,
    render_index,
    render_queries,
    render_report,
)
from perfolio.pipeline.build_context import RunDocuments
from perfolio.pipeline.run_documents import ingest_paths, make_documents
from perfolio.site.build import build_site
from perfolio.site.file_sync import sync_tree

SAMPLE = Path("profiles") / "dlrm-cpu"


def main() -> None:
    """Measure one report, then as many as asked for, and print both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database", nargs="?", type=Path, default=SAMPLE)
    parser.add_argument("--reports", type=int, default=100)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store.duckdb"
        (run,) = ingest_paths([given.database], store)
        (documents,) = make_documents(store, [run.run])
        print(f"{given.database}")
        for count in (1, given.reports):
            print_site(documents, count, Path(folder) / f"of-{count}")


def print_site(documents: RunDocuments, count: int, folder: Path) -> None:
    """Make a site of `count` reports, and print what it took and weighs."""
    start = time.process_time()
    sync_tree(reports(documents, count), folder / "docs")
    written = time.process_time()
    build_site(folder / "docs", folder / "site")
    built = time.process_time()
    sizes = sizes_of(folder / "site")
    print(f"\n{count} report{'s' if count > 1 else ''}: {sum(sizes.values()) / 1e6:.2f} MB")
    print(f"  pages {written - start:.1f} CPU-s, site {built - written:.1f} CPU-s")
    for part, size in sizes.most_common(12):
        print(f"  {size / 1e6:9.3f} MB  {part}")


def reports(documents: RunDocuments, count: int) -> dict[str, str | bytes]:
    """A folder of reports of the same run, which have names and titles of their own."""
    cache = Cache("charts")
    drawn = {**read_results(documents.metrics), **make_tables(documents.findings)}
    charts = render_all(drawn, cache=cache)
    named = [renamed(documents, number) for number in range(count)]
    tree: dict[str, str | bytes] = {
        "index.md": render_index([(one.metrics, one.findings) for one in named]),
        "queries.md": render_queries([one.metrics for one in named]),
        "catalogue.json": render_catalogue([one.metrics for one in named]),
    }
    for one in named:
        pages: Mapping[str, str | bytes] = render_report(one.metrics, one.findings, charts)
        tree |= {f"{one.slug}/{name}": content for name, content in pages.items()}
    return tree


def renamed(documents: RunDocuments, number: int) -> RunDocuments:
    """The same documents as of another run."""
    findings = copy.deepcopy(documents.findings)
    metrics = findings["metrics"]
    for run in (findings["run"], metrics["run"]):
        run["slug"] = f"{run['slug']}-{number}"
        run["title"] = f"{run['title']}, run {number}"
    return RunDocuments(metrics, findings)


def sizes_of(site: Path) -> Counter[str]:
    """Bytes of a site's files: those of reports by name or folder, all others as one each."""
    sizes: Counter[str] = Counter()
    for path in site.rglob("*"):
        if path.is_file():
            parts = path.relative_to(site).parts
            report = (site / parts[0] / "findings.json").is_file()
            sizes[f"<report>/{parts[1]}" if report else parts[0]] += path.stat().st_size
    return sizes


if __name__ == "__main__":
    main()
