"""`perfolio scaling`: how well a program scales, and what it loses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from perfolio.comparison.scaling.efficiency_factors import Work
    from perfolio.comparison.scaling.scaling_study import ScalingStudy
    from perfolio.pipeline.build_context import Context
    from perfolio.pipeline.run_redaction import ShareRequest

TALP = "talp"
"""A form that is a folder, and where it is made unless -o says so."""
FORMATS = ("extrap", "json", TALP, "text")
_ENDINGS = {".json": "json", ".jsonl": "extrap", ".txt": "text"}
"""How files end that hold one of the forms; every other place is the folder of a site."""


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--work",
    type=click.Choice(["strong", "weak"]),
    help="Strong: all ranks together do the same work at each size. Weak: each rank does.  "
    "[default: as the runs tell]",
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
    help="Write to this .json, .jsonl or .txt file, or make a site in this folder.",
)
@CONFIG_OPTION
@report_errors
@add_share_options
def scaling(
    *,
    runs: tuple[Path, ...],
    work: Work | None,
    form: str | None,
    output: Path | None,
    config: Path | None,
    share: ShareRequest | None,
) -> None:
    """Say how well a program scales, and where it loses time from size to size.

    A RUN is a profile with all of its ranks, a scenario, a store or a run record. Sizes are GPUs,
    or ranks without any; runs of one size are repeats. Efficiencies are those of POP, and multiply
    exactly. With five sizes of three runs each, calling contexts get models.

    \b
    Examples:
      perfolio scaling run1 run2 run4 run8
      perfolio scaling runs/* --work strong -o site
      perfolio scaling runs/* --format extrap -o times.jsonl
    """
    from dataclasses import replace

    from perfolio.comparison.record_extraction import DRAWN_ALONE
    from perfolio.comparison.scaling.scaling_study import study_scaling
    from perfolio.pipeline.run_comparison import read_records
    from perfolio.pipeline.study_sites import build_scaling_site
    from perfolio.site.site_marker import refuse_foreign

    form = form or choose_format(output, _ENDINGS)
    if form == SITE:
        refuse_foreign(output or Path(SITE))  # before any work is done
    with open_context(config, share=share) as context:
        measured = replace(context, left_out=DRAWN_ALONE)
        study = study_scaling(read_records(runs, None, measured), work)
        if form == SITE:
            build_scaling_site(study, output or Path(SITE), context)
            say_written((output or Path(SITE)) / "index.html")
            return
        if form == TALP:
            write_talp(study, output or Path(TALP), context)
            return
        text = render(study, form)
        context.prove([(str(output.name if output else "standard output"), text)])
    print_or_write(text, output)


def write_talp(study: ScalingStudy, folder: Path, context: Context) -> None:
    """A folder that TALP-Pages takes. Raises OutputError where it cannot be written."""
    from perfolio.comparison.scaling.scaling_exports import format_talp
    from perfolio.site.file_sync import replace_tree

    files = format_talp(study)
    context.prove(files.items())
    replace_tree(files, folder)
    click.echo(f"Wrote {folder}")


def render(study: ScalingStudy, form: str) -> str:
    """The study in one of the forms that are a text."""
    from perfolio.comparison.scaling.scaling_exports import format_extrap
    from perfolio.comparison.scaling.scaling_study import make_scaling_document
    from perfolio.comparison.scaling.scaling_tables import format_study

    if form == "json":
        document = make_scaling_document(study)
        return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    forms = {"extrap": format_extrap, "text": format_study}
    return forms[form](study)
