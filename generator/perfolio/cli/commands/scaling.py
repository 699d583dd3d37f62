"""`perfolio scaling`: how well a program scales, and what it loses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from perfolio.cli.command_options import (
    CONFIG_OPTION,
    OutputPath,
    open_context,
    print_or_write,
    report_errors,
)
from perfolio.cli.share_options import add_share_options

if TYPE_CHECKING:
    from perfolio.comparison.scaling.efficiency_factors import Work
    from perfolio.comparison.scaling.scaling_study import ScalingStudy
    from perfolio.pipeline.run_redaction import ShareRequest

FORMATS = ("json", "text")
_ENDINGS = {".json": "json", ".txt": "text"}


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
    type=click.Choice(FORMATS),
    help="What to make; else the ending of -o says it, and text is printed.",
)
@click.option(
    "-o",
    "--output",
    type=OutputPath("file"),
    metavar="FILE",
    help="Write to this .json or .txt file.",
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
      perfolio scaling runs/* --work strong -o scaling.json
    """
    from dataclasses import replace

    from perfolio.comparison.record_extraction import DRAWN_ALONE
    from perfolio.comparison.scaling.scaling_study import study_scaling
    from perfolio.pipeline.run_comparison import read_records

    form = form or choose_format(output)
    with open_context(config, share=share) as context:
        measured = replace(context, left_out=DRAWN_ALONE)
        study = study_scaling(read_records(runs, None, measured), work)
        text = render(study, form)
        context.prove([(str(output.name if output else "standard output"), text)])
    print_or_write(text, output)


def choose_format(output: Path | None) -> str:
    """What a place is to hold, by its ending."""
    return "text" if output is None else _ENDINGS.get(output.suffix.lower(), "text")


def render(study: ScalingStudy, form: str) -> str:
    """The study in one of the forms that are a text."""
    from perfolio.comparison.scaling.scaling_study import make_scaling_document
    from perfolio.comparison.scaling.scaling_tables import format_study

    if form == "json":
        document = make_scaling_document(study)
        return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    return format_study(study)
