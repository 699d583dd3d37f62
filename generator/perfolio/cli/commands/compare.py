"""`perfolio compare`: is it faster, is that real, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from perfolio.cli.command_options import (
    CONFIG_OPTION,
    SITE,
    OutputPath,
    choose_format,
    open_context,
    print_or_write,
    report_errors,
    say_written,
)
from perfolio.cli.share_options import add_share_options
from perfolio.common.errors import UsageError

if TYPE_CHECKING:
    from perfolio.pipeline.build_context import Context
    from perfolio.pipeline.run_comparison import ComparedSide
    from perfolio.pipeline.run_redaction import ShareRequest

FORMATS = ("github", "json", "junit", "markdown", "sarif", "text")
_OF_CHECKS = ("github", "junit", "sarif")
_ENDINGS = {".json": "json", ".md": "markdown", ".txt": "text"}
"""How files end that hold one of the forms; every other place is the folder of a site."""
_GROUPS = ("--before", "--after")
_RUN = click.Path(path_type=Path)
_HINT = "perfolio compare BEFORE AFTER..., or --before RUN ... --after RUN ..."


class GroupCommand(click.Command):
    """A command whose `--before` and `--after` take all that follows, up to the next option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does, with the option before each of its values."""
        return super().parse_args(ctx, repeat_options(args))


def repeat_options(args: list[str]) -> list[str]:
    """`--before a b` as `--before a --before b`."""
    found: list[str] = []
    group = ""
    for one in args:
        if one.startswith("-"):
            group = one if one in _GROUPS else ""
            found += [] if group else [one]
        else:
            found += [group, one] if group else [one]
    return found


@click.command(cls=GroupCommand)
@click.argument("runs", nargs=-1, type=_RUN, metavar="[BEFORE AFTER...]")
@click.option("--before", multiple=True, type=_RUN, metavar="RUN...", help="Runs before a change.")
@click.option("--after", multiple=True, type=_RUN, metavar="RUN...", help="Runs after it.")
@click.option(
    "--run",
    "slugs",
    multiple=True,
    metavar="NAME",
    help="Only this run of a store; or once for each side, in their order.",
)
@click.option(
    "--least",
    type=click.FloatRange(0, 100),
    default=2.0,
    show_default=True,
    metavar="PERCENT",
    help="Least difference that is called one; never less than 2.",
)
@click.option(
    "--took",
    multiple=True,
    metavar="CODE",
    help="This step of the report before was taken, whatever the runs tell; may be given several "
    "times.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice([*FORMATS, SITE]),
    help="What to make; else the ending of -o says it, a folder is a site, and text is printed.",
)
@click.option(
    "-o",
    "--output",
    type=OutputPath("folder"),
    metavar="PLACE",
    help="Write to this .json, .md or .txt file, or make a site in this folder.",
)
@CONFIG_OPTION
@report_errors
@add_share_options
def compare(  # noqa: PLR0913 - one per option
    *,
    runs: tuple[Path, ...],
    before: tuple[Path, ...],
    after: tuple[Path, ...],
    slugs: tuple[str, ...],
    least: float,
    took: tuple[str, ...],
    form: str | None,
    output: Path | None,
    config: Path | None,
    share: ShareRequest | None,
) -> None:
    """Compare runs before and after a change: is it faster, is that real, and why.

    A run is a profile, file or folder; a scenario; a store, or a folder of exported runs; a
    report's findings.json; or a kept run record. A folder of repeats is a group of runs. With three
    runs or more on each side there is a verdict; else two recordings that differ. Each of several
    AFTER is compared with BEFORE: the site begins with their list. Exits with 0
    whatever the verdict is: the forms for CI, github, junit and sarif, say that slower runs fail.

    \b
    Examples:
      perfolio compare before.json.gz after.json.gz
      perfolio compare before.json.gz after.json.gz -o site
      perfolio compare repeats/before repeats/pinned repeats/compiled -o site
      perfolio compare --before a1.json a2.json a3.json --after b1.json b2.json b3.json
      perfolio compare repeats/before repeats/after --format markdown >> "$GITHUB_STEP_SUMMARY"
      perfolio compare runs.duckdb runs.duckdb --run dlrm --run dlrm-pinned --format json
    """
    from perfolio.comparison.record_extraction import DRAWN_ALONE
    from perfolio.site.site_marker import refuse_foreign

    sides = choose_sides(runs, before, after)
    names = choose_names(slugs, len(sides))
    form = form or choose_format(output, _ENDINGS)
    if form == SITE:
        refuse_foreign(output or Path(SITE))  # before any work is done
    elif form == "json" and len(sides) > len(_GROUPS):
        raise UsageError("JSON is of one comparison", hint="name one AFTER, or another form")
    with open_context(config, share=share) as context:
        # A site has the reports of both sides, which draw them.
        measured = context if form == SITE else replace(context, left_out=DRAWN_ALONE)
        compared = _compare_sides(sides, names, least / 100.0, took, measured)
        if form == SITE:
            _write_site(compared, output or Path(SITE), context)
            return
        text = _render(compared, form)
    context.prove([(str(output.name if output else "standard output"), text)])
    print_or_write(text, output)


@dataclass(frozen=True)
class _Comparison:
    """A comparison, both of its sides, and where the runs after are from."""

    document: Mapping[str, Any]
    before: ComparedSide
    after: ComparedSide
    places: tuple[Path, ...]


def _compare_sides(
    sides: Sequence[tuple[Path, ...]],
    names: Sequence[str | None],
    least: float,
    took: tuple[str, ...],
    context: Context,
) -> list[_Comparison]:
    """Each side but the first, held against that."""
    from perfolio.comparison.comparison_document import compare_runs
    from perfolio.pipeline.run_comparison import read_side

    read = [read_side(side, name, context) for side, name in zip(sides, names, strict=True)]
    first, called = read[0], [_name_place(side, context) for side in sides]
    found = []
    for one, side, name in zip(read[1:], sides[1:], called[1:], strict=True):
        given = {"before": called[0], "after": name}
        document = compare_runs(first.records, one.records, least, took, given)
        found.append(_Comparison(document, first, one, side))
    return found


def _name_place(side: tuple[Path, ...], context: Context) -> str:
    """What repeats in one place are called; nothing where places are private, or several."""
    return "" if context.share or len(side) != 1 else side[0].resolve().stem


def _render(compared: Sequence[_Comparison], form: str) -> str:
    """A form of the documents; one for CI names the runs after."""
    if form in _OF_CHECKS:
        from perfolio.exporters.ci_checks.comparison_check import check_comparison
        from perfolio.exporters.ci_checks.formats import load_renderer as load_check_renderer
        from perfolio.exporters.ci_checks.source_places import make_relative

        checks = [
            check_comparison(
                one.document,
                one.before.records,
                one.after.records,
                make_relative(one.places[0], Path()),
            )
            for one in compared
        ]
        return load_check_renderer(form)(checks)
    from perfolio.comparison.formats import load_renderer

    render = load_renderer(form)
    return "\n".join(render(one.document) for one in compared)


def _write_site(compared: Sequence[_Comparison], site: Path, context: Context) -> None:
    from perfolio.common.escaping import to_plain_line
    from perfolio.pipeline.comparison_site import SiteComparison, build_comparison_site

    subjects = []
    for one in compared:
        documents = {"before": one.before.documents, "after": one.after.documents}
        reports = {side: found for side, found in documents.items() if found is not None}
        subjects.append(SiteComparison(one.document, reports))
    build_comparison_site(subjects, site, context)
    for one in compared:
        said = one.document["verdict"]["sentence"]
        click.echo(
            f"{to_plain_line(one.document['names']['after'])}: {said}"
            if len(compared) > 1
            else said
        )
    say_written(site / "index.html")


def choose_sides(
    runs: tuple[Path, ...], before: tuple[Path, ...], after: tuple[Path, ...]
) -> list[tuple[Path, ...]]:
    """The runs of each side, that before first. Raises UsageError where there are not two."""
    if not before and not after and len(runs) >= len(_GROUPS):
        return [(one,) for one in runs]
    if runs or not before or not after:
        raise UsageError("there are not two sides to compare", hint=_HINT)
    return [before, after]


def choose_names(slugs: tuple[str, ...], sides: int) -> list[str | None]:
    """The run of a store on each side. Raises UsageError where there are not as many."""
    if not slugs:
        return [None] * sides
    if len(slugs) == 1:
        return [slugs[0]] * sides
    if len(slugs) != sides:
        raise UsageError(
            f"--run is given {len(slugs)} times for {sides} sides", hint="once, or for each side"
        )
    return list(slugs)
