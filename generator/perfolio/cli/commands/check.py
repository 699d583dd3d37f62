"""`perfolio check`: findings for CI, and runs held against others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from perfolio.cli.command_options import (
    CONFIG_OPTION,
    OUTPUT_OPTION,
    RUN_OPTION,
    format_option,
    open_context,
    print_or_write,
    report_errors,
)
from perfolio.cli.share_options import add_share_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perfolio.comparison.run_record import RunRecord
    from perfolio.exporters.ci_checks.model import Check
    from perfolio.pipeline.build_context import Context
    from perfolio.pipeline.run_redaction import ShareRequest

LEVELS = ("critical", "high", "medium", "low", "info", "never")
FORMATS = ("badge", "github", "json", "junit", "markdown", "sarif", "text")
_AGAINST_HINT = "leave it out, or check findings without --against and --base"


@click.command()
@click.argument("subjects", metavar="SUBJECT...", nargs=-1, required=True,
                type=click.Path(path_type=Path))  # fmt: skip
@RUN_OPTION
@click.option(
    "--fail-on",
    "level",
    type=click.Choice(LEVELS),
    help="Fail where a finding is as severe as this, or more.  [default: high]",
)
@click.option(
    "--against",
    metavar="NAME|FILE",
    help="Fail where counted figures are worse than those of a baseline, or of another run.",
)
@click.option(
    "--base",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="A run that took turns with SUBJECT: fail where that is slower; may be given several "
    "times, or be a folder of repeats.",
)
@click.option(
    "--slower-by",
    "floor",
    type=click.FloatRange(0.0, 1000.0),
    default=3.0,
    show_default=True,
    metavar="PERCENT",
    help="With --base, the least slowdown that fails; never less than 2.",
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("baselines"),
    show_default=True,
    help="Folder of the baselines.",
)
@format_option(FORMATS)
@OUTPUT_OPTION
@click.option(
    "--root",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=Path(),
    help="Folder of the sources: files in it are named relative to it. [default: here]",
)
@CONFIG_OPTION
@report_errors
@add_share_options
def check(  # noqa: PLR0913 - one per option
    *,
    subjects: tuple[Path, ...],
    slug: str | None,
    level: str | None,
    against: str | None,
    base: tuple[Path, ...],
    floor: float,
    folder: Path,
    form: str,
    output: Path | None,
    root: Path,
    config: Path | None,
    share: ShareRequest | None,
) -> None:
    """Fail where a run has severe findings, or is worse than others, in a form for CI.

    SUBJECT is a profile, file or folder; a scenario; a store, or a folder of exported runs; or a
    report's findings.json. Exits with 11 where a finding is as severe as --fail-on says. Without
    --run, all runs are checked.

    With --against, the subjects are repeats of one run, and their figures are held against a
    baseline instead: launches, bytes, synchronisations and others, exactly. Times need --base.
    Exits with 11 where a figure is worse, and with 15 where that cannot be told.

    \b
    Examples:
      perfolio check trace.json.gz
      perfolio check site/dlrm/findings.json --fail-on medium --format sarif -o dlrm.sarif
      perfolio check runs/dlrm.d --format markdown >> "$GITHUB_STEP_SUMMARY"
      perfolio check new.json.gz --against main
      perfolio check new.json.gz --against main --format badge -o performance.svg
      perfolio check head/ --base base/
    """
    from perfolio.common.errors import UsageError
    from perfolio.exporters.ci_checks.formats import load_renderer

    is_gate = against is not None or bool(base)
    if is_gate and level is not None:
        raise UsageError("--fail-on is about findings, not about figures", hint=_AGAINST_HINT)
    with open_context(config, share=share) as context:
        if is_gate:
            place = _BasePlace(against, base, folder, floor / 100.0)
            checks = [_check_runs(subjects, slug, place, root, context)]
        else:
            checks = _check_findings(subjects, slug, level or "high", root, context)
    text = load_renderer(form)(checks)
    context.prove([(output.name if output else "standard output", text)])
    print_or_write(text, output)
    _fail_checks(checks, _BASELINE_HINT if against else "" if is_gate else _LEVEL_HINT)


_BASELINE_HINT = "replace the baseline if this is wanted"
_LEVEL_HINT = "--fail-on sets the severity that fails"


class _BasePlace:
    """What runs are held against, as it was given."""

    def __init__(
        self, against: str | None, base: tuple[Path, ...], folder: Path, floor: float
    ) -> None:
        self.against = against
        self.base = base
        self.folder = folder
        self.floor = floor

    @property
    def title(self) -> str:
        """What it is called in sentences: a name, or that of a file."""
        return Path(self.against).name if self.against else "the base"

    @property
    def path(self) -> Path | None:
        """The baseline of this name, else the file or folder; None without either."""
        from perfolio.comparison.baseline_file import find_baseline

        if self.against is None:
            return None
        named, given = self.folder / f"{self.against}.json", Path(self.against)
        return (
            given
            if given.exists() and not named.is_file()
            else find_baseline(self.against, self.folder)
        )


def _check_findings(
    subjects: Sequence[Path], slug: str | None, level: str, root: Path, context: Context
) -> list[Check]:
    from perfolio.exporters.ci_checks.level_check import check_findings
    from perfolio.exporters.ci_checks.source_places import make_locator, make_relative
    from perfolio.pipeline.inputs import read_documents

    locate = make_locator(root)
    return [
        check_findings(one.findings, level, locate, make_relative(subject, root))
        for subject in subjects
        for one in read_documents(subject, slug, context)
    ]


def _check_runs(
    subjects: Sequence[Path], slug: str | None, place: _BasePlace, root: Path, context: Context
) -> Check:
    from perfolio.comparison.baseline_file import read_baseline
    from perfolio.comparison.gate import judge_gate
    from perfolio.exporters.ci_checks.gate_check import check_gate
    from perfolio.exporters.ci_checks.source_places import make_relative
    from perfolio.pipeline.run_comparison import read_records

    path = place.path
    kept: tuple[RunRecord, ...] = ()
    if path is not None and path.parent == place.folder:
        kept = read_baseline(path).records
    elif path is not None:
        kept = tuple(read_records([path], None, context))
    base = read_records(place.base, None, context)
    records = read_records(subjects, slug, context)
    verdict = judge_gate(records, kept, base, against=place.title, floor=place.floor)
    return check_gate(verdict, records, make_relative(subjects[0], root))


def _fail_checks(checks: Sequence[Check], hint: str) -> None:
    """Raise CheckFailedError where one fails, and UndecidedError where one cannot tell."""
    from perfolio.common.errors import CheckFailedError, UndecidedError

    failing = [one for one in checks if one.failing]
    if failing:
        outcomes = "; ".join(f"{one.slug}: {one.outcome}" for one in failing)
        raise CheckFailedError(outcomes, hint=hint)
    for one in checks:
        if one.doubt:
            raise UndecidedError(f"{one.slug}: cannot tell: {one.doubt}")
