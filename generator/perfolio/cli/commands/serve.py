"""`perfolio serve`: the project, or profiles, on a local server."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import click

from perfolio.cli.command_options import (
    find_project_here,
    is_project,
    open_context,
    report_errors,
)


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--address",
    default="127.0.0.1:8000",
    show_default=True,
    metavar="HOST:PORT",
    help="Where to serve.",
)
@click.option(
    "--upload",
    is_flag=True,
    help="Let a page build reports of profiles that are dropped on it; for this machine alone.",
)
@report_errors
def serve(paths: tuple[Path, ...], address: str, *, upload: bool) -> None:
    """Build the project in the current folder and serve it, rebuilding on every change.

    A change of a profile, metric, rule, template or page is enough.

    With PATHS, the report of these profiles is built and served once, from a temporary folder.
    Ctrl-C ends it.

    With --upload, open the address that is printed, and drop a profile or the folder of a run on
    the page. Its report is built as by `perfolio build`, beside what is served, and goes at the
    end. Without PATHS and outside of a project, there is a page for that alone.

    \b
    Examples:
      perfolio serve --address 127.0.0.1:8080
      perfolio serve trace.json.gz
      perfolio serve --upload
    """
    from perfolio.site.serve import accept_uploads, build_start_page, serve_site

    with accept_uploads(address) if upload else nullcontext() as uploads:
        fragment = uploads.fragment if uploads is not None else ""
        if paths:
            _serve_built(lambda site: _build_profiles(paths, site), address, fragment)
        elif upload and not is_project(Path.cwd()):
            _serve_built(build_start_page, address, fragment)
        else:
            root = find_project_here()
            if upload:
                click.echo(f"Once it is built, drop profiles on http://{address}/{fragment}")
            serve_site(root / "mkdocs.yml", address)


def _serve_built(build: Callable[[Path], None], address: str, fragment: str) -> None:
    """Serve the site that `build` makes, from a temporary folder."""
    from perfolio.common.atomic_output import make_temporary_folder
    from perfolio.site.serve import serve_folder

    with make_temporary_folder() as work, serve_folder(work / "site", address) as server:
        build(work / "site")
        host = address.rpartition(":")[0] or "127.0.0.1"
        click.echo(f"Serving on http://{host}:{server.server_port}/{fragment} (Ctrl-C ends)")
        server.serve_forever()


def _build_profiles(paths: tuple[Path, ...], site: Path) -> None:
    from perfolio.common.processes import end_side_process
    from perfolio.pipeline import reports

    with open_context(lines=True, verdicts=True) as context:
        reports.build(paths, site, context=context)
    end_side_process()  # a server has no use for it
