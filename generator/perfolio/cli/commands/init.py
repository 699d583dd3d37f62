"""`perfolio init`: a project of one's own, which builds at once."""

from __future__ import annotations

import html
import json
from pathlib import Path

import click

from perfolio import __version__
from perfolio.cli.command_options import check_line, report_errors
from perfolio.cli.skeleton_files import (
    SkeletonFile,
    fill_skeleton,
    read_skeleton,
    write_skeleton,
)
from perfolio.common.escaping import escape_markdown

_WORKFLOWS = Path(".github", "workflows")
_FILES = {
    "mkdocs.yml": Path("mkdocs.yml"),
    "index.md": Path("docs", "index.md"),
    "requirements.txt": Path("requirements.txt"),
}
"""Skeletons with words to fill in, and where their files go."""
_COPIED = {
    "scenario.toml": Path("profiles", "example", "scenario.toml"),
    "profile.toml": Path("profiles", "example", "profile.toml"),
    "perfolio.toml": Path("perfolio.toml"),
    "gitignore.txt": Path(".gitignore"),
    "pages.yml": _WORKFLOWS / "pages.yml",
    "performance.yml": _WORKFLOWS / "performance.yml",
}


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--title",
    callback=check_line,
    metavar="TEXT",
    help="Title of the site. [default: Performance of FOLDER]",
)
@report_errors
def init(*, folder: Path, title: str | None) -> None:
    """Make a project in FOLDER: a site with a report for each profile in profiles/.

    It has a simulated example, so that `perfolio serve` shows a report at once, and two workflows
    for GitHub: one publishes the site, one fails a pull request that got worse. `mkdocs serve`
    works in it as well. No file that is there is overwritten.

    \b
    Examples:
      perfolio init reports
      perfolio init . --title "Performance of our solver"
    """
    name = folder.resolve().name
    words = {
        "title": f"Performance of {name}" if title is None else title,
        "version": __version__,
        "folder": str(folder),
    }
    files = [
        SkeletonFile(path, fill_skeleton(f"project/{source}", **_quote_words(source, words)))
        for source, path in _FILES.items()
    ]
    files += [
        SkeletonFile(path, read_skeleton(f"project/{source}")) for source, path in _COPIED.items()
    ]
    write_skeleton(folder, files)
    for each in files:
        click.echo(f"Wrote {folder / each.path}")
    click.echo(f"\n{fill_skeleton('project/next.txt', **words)}", nl=False)


def _quote_words(source: str, words: dict[str, str]) -> dict[str, str]:
    """Words as the language of a file needs them."""
    title = words["title"]
    if source.endswith(".yml"):
        return words | {"title": json.dumps(html.escape(title, quote=False), ensure_ascii=False)}
    return words | {"title": escape_markdown(title)}
