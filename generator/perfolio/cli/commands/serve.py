"""`perfolio serve`: the project, or profiles, on a local server."""

from __future__ import annotations

from pathlib import Path

import click

from perfolio.cli.command_options import find_project_here, open_context, report_errors


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--address",
    default="127.0.0.1:8000",
    show_default=True,
    metavar="HOST:PORT",
    help="Where to serve.",
)
@report_errors
def serve(paths: tuple[Path, ...], address: str) -> None:
    """Build the project in the current folder and serve it, rebuilding on every change.

    A change of a profile, metric, rule, template or page is enough.

    With PATHS, the report of these profiles is built and served once, from a temporary folder.
    Ctrl-C ends it.

    \b
    Examples:
      perfolio serve --address 127.0.0.1:8080
      perfolio serve trace.json.gz
    """
    if paths:
        _serve_profiles(paths, address)
        return
    from perfolio.site.serve import serve_site

    serve_site(find_project_here() / "mkdocs.yml", address)


def _serve_profiles(paths: tuple[Path, ...], address: str) -> None:
    from perfolio.common.atomic_output import make_temporary_folder
    from perfolio.pipeline import reports
    from perfolio.site.serve import serve_folder

    with make_temporary_folder() as work, serve_folder(work / "site", address) as server:
        with open_context(lines=True, verdicts=True) as context:
            reports.build(paths, work / "site", context=context)
        host = address.rpartition(":")[0] or "127.0.0.1"
        click.echo(f"Serving on http://{host}:{server.server_port}/ (Ctrl-C ends)")
        server.serve_forever()
