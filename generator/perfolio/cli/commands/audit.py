"""`perfolio audit`: the claims of another report."""

from __future__ import annotations

from pathlib import Path

import click

from perfolio.cli.command_options import (
    OUTPUT_OPTION,
    RUN_OPTION,
    SUBJECT,
    format_option,
    open_context,
    print_or_write,
    report_errors,
)

FORMATS = ("json", "markdown", "text")


@click.command()
@click.argument("claims", metavar="CLAIMS.toml", type=click.Path(path_type=Path))
@SUBJECT
@RUN_OPTION
@format_option(FORMATS)
@OUTPUT_OPTION
@report_errors
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
    from perfolio.audit.claims import HINT
    from perfolio.audit.formats import load_renderer
    from perfolio.pipeline import run_documents
    from perfolio.pipeline.inputs import choose_only_run, read_documents
    from perfolio.readers.run_description import read_text

    text = read_text(claims, HINT)
    with open_context() as context:
        one = choose_only_run(read_documents(subject, slug, context))
    found = run_documents.audit_claims(text, one.metrics, one.findings, str(claims))
    print_or_write(load_renderer(form)(found, one.slug), output)
