"""What commands share: options, the one-line error, the project in the current folder."""

from __future__ import annotations

import errno
import io
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, ParamSpec

import click

from perfolio.common.address_space import check_address_space
from perfolio.common.atomic_output import write_file
from perfolio.common.errors import (
    InputError,
    OutputError,
    PerfolioError,
    UsageError,
    WorkerError,
    one_line,
)
from perfolio.common.processes import provide_home
from perfolio.common.remote_folders import RemoteAddress, find_address
from perfolio.common.signals import make_interruptible
from perfolio.common.special_files import is_stream

if TYPE_CHECKING:  # the pipeline imports everything: a command does so when it runs
    from perfolio.cli.output_guard import Kind
    from perfolio.pipeline.build_context import Context, StageTimings
    from perfolio.pipeline.run_redaction import ShareRequest

P = ParamSpec("P")


class OutputPath(click.Path):
    """A place that a command writes to: no place that it reads is destroyed by that."""

    def __init__(self, kind: Kind, *, unless: str = "", **settings: Any) -> None:
        super().__init__(path_type=Path, **settings)
        self.kind = kind
        self.unless = unless
        """The option in whose place this one is not written."""


class LakePlace(click.Path):
    """A folder of a lake, or an address of fsspec."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """A path, or a RemoteAddress, which click would not print without what may be secret."""
        return find_address(str(value)) or super().convert(value, param, ctx)


SITE = "site"
"""What a command makes at a place that is no file of another form, and where by default."""
_PAGES = {".html", ".htm"}
INTERRUPTED = 130
EXERCISES = "exercises"
SLOW_MODEL = 0.05
"""Seconds from which on --timings names a model."""
_FREE_MEMORY = "free some, or raise the limit of this process (ulimit -v, or of its container)"
_CANNOT_WRITE = {errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC, errno.EROFS}
PATHS = click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
STORE = click.argument("store", type=click.Path(path_type=Path))
_LONGEST_LINE = 200
STORE_OPTION = click.option(
    "--store",
    type=OutputPath("store"),
    metavar="FILE.duckdb",
    help="Keep the store in this file.",
)


def check_line(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """A line that people read, such as a title; click's error for what is none."""
    del context
    if value is None or (value.strip() and value.isprintable() and len(value) <= _LONGEST_LINE):
        return value and value.strip()
    raise click.BadParameter(
        f"must be one line of 1 to {_LONGEST_LINE} characters", param=parameter
    )


NAME_OPTION = click.option(
    "--name",
    callback=check_line,
    metavar="TEXT",
    help="What the run is called. [default: as profile.toml says, else as the file or its folder]",
)
RUN_OPTION = click.option(
    "--run", "slug", metavar="NAME", help="Only this run; needed where the store holds several."
)

CONFIG_OPTION = click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Thresholds that replace the rules' own (a perfolio.toml).",
)

TIMINGS_OPTION = click.option(
    "--timings",
    is_flag=True,
    help="Print how long each stage took, and each model of the store above 50 ms with its room.",
)
PROJECT_OPTION = click.option(
    "--project",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="The project whose exercises/ join those that are shipped.",
)
SUBJECT = click.argument("subject", type=click.Path(path_type=Path))
OUTPUT_OPTION = click.option(
    "-o",
    "--output",
    type=OutputPath("file", dir_okay=False),
    metavar="FILE",
    help="Write to this file instead of printing.",
)


def format_option(names: Sequence[str]) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """`--format`, with text as what is printed without it."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(names),
        default="text",
        show_default=True,
        help="What to print.",
    )


def print_or_write(text: str, output: Path | None) -> None:
    """To standard output, or whole into a file. Raises OutputError where that cannot be."""
    if output is None:
        click.echo(text, nl=False)
        return
    write_file(output, text.encode("utf-8", "replace"))
    say_written(output)


def choose_format(output: Path | None, endings: Mapping[str, str]) -> str:
    """What a place is to hold: by its ending, else the folder of a site; text for a stream.

    Raises UsageError for a page in one file.
    """
    if output is None or (is_stream(output) and not output.is_dir()):
        return "text"
    if output.suffix.lower() in _PAGES:
        raise UsageError(
            f"{output}: the page is a folder, not one file",
            hint=f"name the folder: -o {output.with_suffix('')}",
        )
    return endings.get(output.suffix.lower(), SITE)


def say_written(place: Path) -> None:
    """Say where a result is; on standard error where the result may be on the other."""
    click.echo(f"Wrote {place}", err=is_stream(place))


def report_errors(command: Callable[P, None]) -> Callable[P, None]:
    """Turn errors into one line on standard error and the error's exit code."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        _prepare_process()
        try:
            check_address_space()
            _refuse_replacing()
            make_interruptible(command)(*args, **kwargs)
            sys.stdout.flush()
        except PerfolioError as problem:
            _print_error(problem)
        except BrokenPipeError:
            # The reader of a pipe has seen enough (`| head`): nothing is wrong.
            sys.stderr.close()
            sys.exit(0)
        except OSError as problem:
            _print_error(_explain_system_error(problem))
        except (MemoryError, SystemError):  # the latter by libraries that got no memory
            _print_error(WorkerError("no memory is left", hint=_FREE_MEMORY))
        except UnicodeEncodeError as problem:
            _print_error(InputError(f"{problem.object!a:.300}: is not UTF-8", hint="rename it"))
        except KeyboardInterrupt:
            with suppress(OSError):  # the terminal may be gone
                click.echo("perfolio: interrupted; nothing half-written was left", err=True)
            sys.exit(INTERRUPTED)

    return run


def _refuse_replacing() -> None:
    """Raise OutputError where an output of the command that is called would destroy an input."""
    context = click.get_current_context()
    written: list[tuple[Path, Kind]] = []
    read: list[Path] = []
    for each in context.command.params:
        given = context.params.get(each.name or "")
        paths = given if isinstance(given, tuple) else [given] if given else []
        if not isinstance(each.type, OutputPath):
            read += _list_local_paths(paths) if isinstance(each.type, click.Path) else []
        elif not context.params.get(each.type.unless):
            written += [(path, each.type.kind) for path in paths]
    if written and (read or len(written) > 1):
        from perfolio.cli.output_guard import OutputPlace, refuse_replacing

        refuse_replacing([OutputPlace(*each) for each in written], read)


def _list_local_paths(given: Sequence[Path | RemoteAddress]) -> Iterator[Path]:
    """What was given of this machine."""
    for one in given:
        yield from [one] if isinstance(one, Path) else one.local_paths


def _prepare_process() -> None:
    """Bear a terminal of Latin-1, which has no "…", and a user without a home."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    provide_home()


def _print_error(problem: PerfolioError) -> NoReturn:
    """Print an error as one line, and what was printed before it, and exit."""
    click.echo(f"perfolio: {problem}", err=True)
    try:
        sys.stdout.flush()
    except OSError:  # a full disk: Python would try once more, and complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(problem.exit_code)


def _explain_system_error(problem: OSError) -> PerfolioError:
    """What the system refused, and nothing closer to it has explained."""
    where = one_line(f"{problem.filename}", 200) + ": " if problem.filename else ""
    kind = OutputError if problem.errno in _CANNOT_WRITE else InputError
    return kind(f"{where}{problem.strerror or problem}")


@contextmanager
def open_context(
    config: Path | None = None,
    *,
    lines: bool = False,
    verdicts: bool = False,
    project: Path | None = None,
    share: ShareRequest | None = None,
    name: str = "",
) -> Iterator[Context]:
    """A pipeline context whose progress is shown on a terminal, with thresholds of `config`.

    With `lines`, it is told in lines where there is no terminal. With `verdicts`, those are
    printed as soon as they are known. With `share`, documents are for others to read. Exercises of
    `project` join those that are shipped; those of the current folder do so only where a command is
    about them. `name` is what the only run is called.
    """
    from perfolio.common.progress import show_progress
    from perfolio.findings.rules.threshold_overrides import ThresholdOverrides, read_overrides
    from perfolio.pipeline.build_context import Context, say_nothing

    overrides = read_overrides(config) if config else ThresholdOverrides()
    with show_progress(lines=lines) as progress:
        say = progress.say if verdicts else say_nothing
        yield Context(
            progress=progress, say=say, overrides=overrides, project=project, share=share, name=name
        )


def format_count(number: int, what: str) -> str:
    """`1 sheet`, `2 sheets`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def get_terminal_width() -> int:
    """Columns to print in: the terminal's, or 80 in a pipe; COLUMNS overrides both."""
    return shutil.get_terminal_size().columns


def find_project_here() -> Path:
    """The project in the current folder."""
    root = Path.cwd()
    if not is_project(root):
        raise UsageError(
            f"{root}: there is no project here (mkdocs.yml and profiles/)",
            hint="name the profiles: perfolio build PATH",
        )
    return root


def is_project(root: Path) -> bool:
    """Whether a folder is a project."""
    return (root / "mkdocs.yml").is_file() and (root / "profiles").is_dir()


def find_exercises_here() -> Path | None:
    """The current folder, where it may hold exercises."""
    here = Path.cwd()
    return here if (here / EXERCISES).is_dir() else None


def check_project(project: Path | None) -> None:
    """Raise UsageError where a project that is named has no exercises."""
    if project is not None and not (project / EXERCISES).is_dir():
        raise UsageError(f"{project}: has no folder {EXERCISES}/", hint="--project .")


def print_timings(timings: StageTimings) -> None:
    """Seconds per stage, their sum, and of slow models with their room, on standard error."""
    from perfolio.store.model_catalog import load_models

    for name, taken in timings.seconds.items():
        click.echo(f"{name:>10} {taken:7.2f} s", err=True)
    click.echo(f"{'total':>10} {sum(timings.seconds.values()):7.2f} s", err=True)
    for name, taken in sorted(timings.models.items(), key=lambda one: -one[1]):
        if taken > SLOW_MODEL:
            click.echo(f"{'model':>10} {taken:7.2f} s  {load_models()[name].room}/{name}", err=True)
