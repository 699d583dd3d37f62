"""`perfolio simulate`: a scenario to a database with known truth."""

from __future__ import annotations

from pathlib import Path

import click

from perfolio.cli.command_options import OutputPath, find_project_here, open_context, report_errors
from perfolio.common.errors import UsageError


@click.command()
@click.argument("scenario", type=click.Path(path_type=Path), required=False)
@click.option(
    "-o",
    "--output",
    type=OutputPath("folder"),
    metavar="DB",
    help="Folder of the database; replaced if a simulation made it.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**32 - 1),
    help="Draw other times from the same distributions.",
)
@report_errors
def simulate(*, scenario: Path | None, output: Path | None, seed: int | None) -> None:
    """Simulate the training loop that SCENARIO describes, a TOML file or its folder, into DB.

    DB is an HPCToolkit database like a measured one, and truth.json in it says what its
    report should find. The same scenario and seed give the same bytes. A profile.toml beside
    SCENARIO goes with it; without one, DB gets one that says that it is simulated. Without
    SCENARIO those of the project in the current folder are simulated that have changed.

    \b
    Example:
      perfolio simulate profiles/dlrm-h100/scenario.toml -o dlrm-h100.d
      perfolio build dlrm-h100.d
    """
    from perfolio.pipeline import inputs
    from perfolio.readers.own_files import find_scenario

    if scenario is None:
        _simulate_project(output, seed)
        return
    if output is None:
        raise UsageError("no folder was given", hint="name one: -o DB")
    with open_context(lines=True) as context:
        done = inputs.simulate_scenario(
            find_scenario(scenario) or scenario, output, seed=seed, context=context
        )
    found = done.truth
    operations = sum(kind["count"] for kind in found["operations"].values())
    click.echo(
        f"{output}: {found['iterations']['count']:,} iterations, {operations:,} GPU operations, "
        f"{found['wall']:.1f} s of wall time; seed {found['seed']}"
    )


def _simulate_project(output: Path | None, seed: int | None) -> None:
    """All scenarios of the project, each with the seed that it names."""
    from perfolio.pipeline import project

    if output is not None or seed is not None:
        raise UsageError("-o and --seed go with SCENARIO", hint="name the scenario to simulate")
    with open_context(lines=True) as context:
        made = project.simulate_project(find_project_here(), context)
    for folder in made:
        click.echo(folder)
