"""Arguments to a call of the pipeline; an error to one line and its exit code.

perfolio build hpctoolkit-dlrm.d -o site
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

import click

from generator import __version__
from generator.errors import PerfolioError, UsageError

P = ParamSpec("P")
INTERRUPTED = 130
PATHS = click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
STORE = click.argument("store", type=click.Path(path_type=Path))
STORE_OPTION = click.option(
    "--store",
    type=click.Path(path_type=Path),
    metavar="FILE.duckdb",
    help="Keep the store in this file.",
)
RUN_OPTION = click.option(
    "--run", "slug", metavar="NAME", help="Only this run; needed where the store holds several."
)


def reported(command: Callable[P, None]) -> Callable[P, None]:
    """Turn errors into one line on standard error and the error's exit code."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except PerfolioError as problem:
            click.echo(f"perfolio: {problem}", err=True)
            sys.exit(problem.exit_code)
        except BrokenPipeError:
            # The reader of a pipe has seen enough (`| head`): nothing is wrong.
            sys.stderr.close()
            sys.exit(0)
        except KeyboardInterrupt:
            click.echo("perfolio: interrupted; nothing half-written was left", err=True)
            sys.exit(INTERRUPTED)

    return run


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 92},
    epilog="Exit codes: 2 usage, 3 input missing, 4 format, 5 store, 6 totals disagree, "
    "7 query, 8 metric or rule file, 9 output, 10 site, 130 interrupted.",
)
@click.version_option(__version__, prog_name="perfolio")
def main() -> None:
    """From a profile to a report that people trust, in one command.

    \b
    Example:
      perfolio build hpctoolkit-dlrm-database -o site
      open site/index.html
    """


@main.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    "site",
    type=click.Path(path_type=Path),
    default=Path("site"),
    show_default=True,
    help="Folder of the site; replaced as a whole.",
)
@STORE_OPTION
@click.option("--timings", is_flag=True, help="Print how long each stage took.")
@reported
def build(*, paths: tuple[Path, ...], site: Path, store: Path | None, timings: bool) -> None:
    """Build the report site of the profiles at PATHS: one report each, and a start page.

    A PATH is a database's folder, or one that holds such folders. Without PATHS, the
    project in the current folder is built: its pages, and a report per profile in profiles/.

    \b
    Examples:
      perfolio build hpctoolkit-dlrm-database -o site
      perfolio build runs/ -o site --store runs.duckdb --timings
    """
    from generator import pipeline

    with _context() as context:
        if paths:
            documents = pipeline.build(paths, site, store=store, context=context)
        elif store is not None:
            raise UsageError("--store goes with PATHS", hint="name the profiles to build")
        else:
            documents = pipeline.build_project(_project(), site, context=context)
    for one in documents:
        click.echo(f"{one.slug}: {one.findings['verdict']['sentence']}")
    click.echo(f"Wrote {site / 'index.html'}")
    if timings:
        _print_timings(context.timings.seconds)


@main.command()
@PATHS
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE.duckdb",
    help="Store to add the profiles to; created if missing.",
)
@click.option("--timings", is_flag=True, help="Print how long each stage took.")
@reported
def ingest(*, paths: tuple[Path, ...], store: Path, timings: bool) -> None:
    """Read the profiles at PATHS into a DuckDB file that SQL can query.

    What is there already is left alone; a changed profile replaces its former run.

    \b
    Example:
      perfolio ingest hpctoolkit-dlrm-database --store dlrm.duckdb
    """
    from generator import pipeline

    with _context() as context:
        runs = pipeline.ingest_paths(paths, store, context)
    for one in runs:
        what = f"{one.rows:,} values and trace points" if one.changed else "unchanged"
        click.echo(f"run {one.run} {one.slug}: {what}")
    if timings:
        _print_timings(context.timings.seconds)


@main.command()
@STORE
@click.argument("sql")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "json"]),
    default="table",
    show_default=True,
    help="How to print the rows.",
)
@reported
def query(store: Path, sql: str, form: Any) -> None:
    """Run one SQL query on STORE, which is opened read-only.

    \b
    Examples:
      perfolio query dlrm.duckdb "FROM total ORDER BY name"
      perfolio query dlrm.duckdb "SELECT name, value FROM cost WHERE scope = 'point'" --format csv
      perfolio query dlrm.duckdb "SELECT column_name, comment FROM duckdb_columns()"
    """
    from generator.store.connect import open_store
    from generator.store.query import run_query

    with open_store(store) as connection:
        for piece in run_query(connection, sql, form):
            click.echo(piece, nl=False)


@main.command()
@STORE
@RUN_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print the whole metrics document.")
@reported
def metrics(*, store: Path, slug: str | None, as_json: bool) -> None:
    """List every metric of a run: name, title, value with its unit, status, reason.

    \b
    Examples:
      perfolio metrics dlrm.duckdb
      perfolio metrics dlrm.duckdb --json | jq '.metrics[] | {name, value}'
    """
    from generator import pipeline
    from generator.units import quantity

    with _context() as context:
        one = pipeline.documents_of_run(store, slug, context)
    if as_json:
        click.echo(json.dumps(one.metrics, ensure_ascii=False, indent=1))
        return
    for metric in one.metrics["metrics"]:
        table = metric["shape"] == "table"
        rows = f"{len(metric['rows']):,} row{'' if len(metric['rows']) == 1 else 's'}"
        value = rows if table else quantity(metric["value"], metric["unit"])
        measured = metric["status"] == "measured"
        click.echo(
            f"{metric['name']:32} {value if measured else 'not measured':>16}  "
            f"{metric['title']}" + ("" if measured else f" ({metric['reason']})")
        )


@main.command()
@STORE
@click.option(
    "--docs",
    type=click.Path(path_type=Path),
    default=Path("docs/reports"),
    show_default=True,
    help="Folder that the pages are written to.",
)
@reported
def report(store: Path, docs: Path) -> None:
    """Write the pages of every run in STORE as Markdown, with charts and JSON documents.

    Only what changed is written, and pages of runs that are gone are removed.

    \b
    Example:
      perfolio report dlrm.duckdb --docs docs/reports
    """
    from generator import pipeline

    with _context() as context:
        documents = pipeline.write_reports(store, docs, context)
    for one in documents:
        click.echo(f"{docs / one.slug / 'index.md'}")


@main.command()
@click.option(
    "--address",
    default="127.0.0.1:8000",
    show_default=True,
    metavar="HOST:PORT",
    help="Where to serve.",
)
@reported
def serve(address: str) -> None:
    """Build the project in the current folder and serve it, rebuilding on every change.

    A change of a profile, metric, rule, template or page is enough.

    \b
    Example:
      perfolio serve --address 127.0.0.1:8080
    """
    from generator.site.serve import serve_site

    serve_site(_project() / "mkdocs.yml", address)


@main.command()
@click.argument("path", type=click.Path(path_type=Path))
@reported
def info(path: Path) -> None:
    """Say what the database at PATH holds, and what can be concluded from it.

    \b
    Example:
      perfolio info hpctoolkit-dlrm-database
    """
    from generator.inspection import inspect

    with _context() as context:
        lines = inspect(path, context)
    for line in lines:
        click.echo(line)


@contextmanager
def _context() -> Iterator[Any]:
    """A pipeline context whose progress is shown on a terminal."""
    from generator.pipeline import Context
    from generator.progress import shown

    with shown() as progress:
        yield Context(progress=progress)


def _project() -> Path:
    """The project in the current folder."""
    root = Path.cwd()
    if not (root / "mkdocs.yml").is_file() or not (root / "profiles").is_dir():
        raise UsageError(
            f"{root}: there is no project here (mkdocs.yml and profiles/)",
            hint="name the profiles: perfolio build PATH",
        )
    return root


def _print_timings(seconds: dict[str, float]) -> None:
    for name, taken in seconds.items():
        click.echo(f"{name:>10} {taken:7.2f} s", err=True)
    click.echo(f"{'total':>10} {sum(seconds.values()):7.2f} s", err=True)
