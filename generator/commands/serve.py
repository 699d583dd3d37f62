"""`perfolio serve`: the project on a local server."""

from __future__ import annotations

import click

from generator.commands.common import project_here, reported


@click.command()
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

    serve_site(project_here() / "mkdocs.yml", address)
