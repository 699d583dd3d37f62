"""`perfolio audit`: the claims of another report."""

from __future__ import annotations

from pathlib import Path

import click

from generator.commands.common import (
    OUTPUT_OPTION,
    RUN_OPTION,
    SUBJECT,
    format_option,
    print_or_write,
    reported,
    shown_context,
)

FORMATS = ("json", "markdown", "text")


@click.command()
@click.argument("claims", metavar="CLAIMS.toml", type=click.Path(path_type=Path))
@SUBJECT
@RUN_OPTION
@format_option(FORMATS)
@OUTPUT_OPTION
@reported
def audit(*, claims: Path, subject: Path, slug: str | None, form: str, output: Path | None) -> None:
    """Hold the claims of another report against the data of a run.

    SUBJECT is a profile, file or folder; a scenario; a store, or a folder of exported runs; or a
    report's findings.json. Prints for each claim what was measured, by how much it is off, and
    which known mistake gives its value on the same data, if one does. Promised factors are held
    against Amdahl's bound.

    \b
    Example:
      perfolio audit docs/examples/dlrm-gpu-claims.toml dlrm.duckdb
    """
    from generator import pipeline
    from generator.audit.claims import HINT
    from generator.audit.formats import renderer
    from generator.sources.description import read_text
    from generator.subject import documents_at, only

    text = read_text(claims, HINT)
    with shown_context() as context:
        one = only(documents_at(subject, slug, context))
    found = pipeline.audited(text, one.metrics, one.findings, str(claims))
    print_or_write(renderer(form)(found, one.slug), output)
