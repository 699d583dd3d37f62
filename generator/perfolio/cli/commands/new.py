"""`perfolio new`: the first lines of what can be added, with a test that fails until it is done."""

from __future__ import annotations

import keyword
from pathlib import Path

import click

from perfolio.cli.command_options import EXERCISES, report_errors
from perfolio.cli.skeleton_files import (
    PACKAGE,
    SkeletonFile,
    add_text,
    check_name,
    edit_file,
    fill_skeleton,
    find_clone,
    write_skeleton,
)
from perfolio.common.errors import UsageError

_CLONE = click.option(
    "--project",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    help="The clone of Perfolio to write into. [default: that around the current folder]",
)
_WORD = r"[a-z][a-z0-9_]*"
_PACKAGE = r"[a-z][a-z0-9_]{0,24}"
"""Its name stands twice in a line of the registry."""
_METRIC = rf"(?P<group>{_WORD})\.(?P<name>{_WORD})"
_SLUG = r"[a-z0-9]+(?:-[a-z0-9]+)*"
_RULE = rf"(?P<code>[A-Z][0-9]{{1,3}}[a-z]?)-{_SLUG}"
_SCALARS = "scalars"
_ANY_METRIC = "time.wall"


@click.group()
def new() -> None:
    """Write the skeleton of something that Perfolio lacks, and a test of it that fails.

    Run it in a clone of the project. It overwrites nothing, and prints which test fails, the
    command that runs it, and what to do next.

    \b
    Examples:
      perfolio new rule X7-slow-copies
      perfolio new metric gpu.launch_rate
      perfolio new reader vtune
      perfolio new exercise what-is-a-sample
    """


@new.command()
@click.argument("name", metavar="CODE-SLUG")
@click.option(
    "--metric",
    "measure",
    metavar="NAME",
    help=f"The metric that it judges. [default: {_ANY_METRIC}, to be replaced]",
)
@_CLONE
@report_errors
def rule(*, name: str, measure: str | None, project: Path | None) -> None:
    """Add a rule, such as X7-slow-copies: its file, and three cases of it.

    The letter of CODE says what it is about: C the CPU, D ranks and input, G an idle GPU, K layout
    of kernels, L launches, M stalls, P precision, Q the data, S synchronisation and memory, T
    steps, X copies. The number is a free one, and SLUG a word or two. Until it has thresholds, it
    fires on no run.

    \b
    Examples:
      perfolio new rule X7-slow-copies
      perfolio new rule X7-slow-copies --metric transfer.bandwidth
    """
    found = check_name(name, _RULE, "X7-slow-copies")
    root, code = find_clone(project), found["code"]
    rules = PACKAGE / "findings" / "rules"
    for path in (root / rules).glob(f"{code}-*.md"):
        raise UsageError(f"{path}: has the code {code} already", hint="choose another number")
    words = found.groupdict() | _describe_judgement(root, measure or _ANY_METRIC)
    words["unsure"] = "" if measure else "  # FILL IN: the metric that is compared"
    cases = Path("tests", "findings", "cases", f"{code[0]}.toml")
    files = [
        SkeletonFile(rules / f"{name}.md", fill_skeleton("rule/rule.md", **words)),
        add_text(root, cases, fill_skeleton("rule/cases.toml", **words)),
    ]
    _write(root, files, fill_skeleton("rule/next.txt", **words))


def _describe_judgement(root: Path, name: str) -> dict[str, str]:
    """How a metric is judged, by thresholds that it never reaches; UsageError for no metric."""
    from perfolio.metrics.catalog import load_catalog

    judged = load_catalog(root / PACKAGE / "metrics").get(name)
    if judged is None or judged.shape != "scalar":
        problem = "is a table" if judged else "there is no such metric"
        raise UsageError(f"{name}: {problem}", hint="`perfolio metrics STORE` lists the values")
    sign, direction = ("-", "below") if judged.better == "higher" else ("", "above")
    values = {"threshold": f"{sign}1.0e+9", "beyond": f"{sign}2.0e+9", "short": "0.0"}
    return {"metric": name, "direction": direction, **values}


@new.command()
@click.argument("name", metavar="GROUP.NAME")
@click.option(
    "--file",
    "file",
    metavar="NAME",
    help=f"The file of the group that gets it. [default: {_SCALARS}, the only one in most groups]",
)
@click.option("--table", is_flag=True, help="A table, which is a file of its own.")
@_CLONE
@report_errors
def metric(*, name: str, file: str | None, table: bool, project: Path | None) -> None:
    """Add a metric GROUP.NAME: an entry of a file of SQL, and its cases.

    A single value goes to the end of the group's `scalars.sql`, or of another file of that group,
    as that of gaps in `time`. A new group gets its folder.

    \b
    Examples:
      perfolio new metric gpu.launch_rate
      perfolio new metric time.gap_after_copies --file gaps
      perfolio new metric gpu.slowest_kernels --table
    """
    found = check_name(name, _METRIC, "gpu.launch_rate")
    if table and file:
        raise UsageError("--table and --file exclude each other", hint="a table is its own file")
    root = find_clone(project)
    _refuse_metric(root, name)
    stem = found["name"] if table else _choose_file(root, found["group"], file)
    form, words = "table" if table else "value", found.groupdict() | {"metric": name}
    query = Path(PACKAGE, "metrics", found["group"], f"{stem}.sql")
    cases = Path("tests", "metrics", "cases", f"{_name_cases(root, found['group'], stem)}.yaml")
    sql = fill_skeleton(f"metric/{form}.sql", **words)
    files = [
        SkeletonFile(query, sql) if table else add_text(root, query, sql),
        add_text(root, cases, fill_skeleton(f"metric/{form}.yaml", **words)),
    ]
    _write(root, files, fill_skeleton("metric/next.txt", **words))


@new.command()
@click.argument("slug")
@click.option(
    "--run",
    metavar="NAME",
    help="The run that it is checked on. [default: the sample dlrm-cpu; in a project of your own, "
    "any]",
)
@click.option(
    "--project",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    help="A clone of Perfolio, or your own project. [default: the clone around the current "
    "folder, else this folder where it has exercises/ or profiles/]",
)
@report_errors
def exercise(*, slug: str, run: str | None, project: Path | None) -> None:
    """Add an exercise SLUG, with two questions that any run with CPU samples can answer.

    In a clone it joins those that are shipped, with a test of its key. In a project of your own it
    goes to exercises/SLUG.

    \b
    Examples:
      perfolio new exercise what-is-a-sample
      perfolio new exercise our-halo-exchange --project my-project
    """
    check_name(slug, _SLUG, "what-is-a-sample")
    own = _find_own_project(project)
    words = {"slug": slug, "run": run or ("any" if own else "dlrm-cpu")}
    text = fill_skeleton("exercise/exercise.md", **words)
    if own:
        path = Path(EXERCISES, slug, "exercise.md")
        _write(own, [SkeletonFile(path, text)], fill_skeleton("exercise/next_own.txt", **words))
        return
    root, test = find_clone(project), slug.replace("-", "_")
    files = [
        SkeletonFile(Path(PACKAGE, EXERCISES, "shipped", slug, "exercise.md"), text),
        SkeletonFile(
            Path("tests", EXERCISES, f"test_truth_{test}.py"),
            fill_skeleton("exercise/truth.txt", test=test, **words),
        ),
    ]
    _write(root, files, fill_skeleton("exercise/next.txt", test=test, **words))


@new.command()
@click.argument("name")
@_CLONE
@report_errors
def reader(*, name: str, project: Path | None) -> None:
    """Add a reader NAME: a package below readers/ for the files of another tool, and its test.

    It fills a recording of events with begin and end, as most tools write them, and is registered
    behind the others. NAME is that of the package: lower case, as the tool is called.

    \b
    Example:
      perfolio new reader vtune
    """
    check_name(name, _PACKAGE, "vtune")
    if keyword.iskeyword(name):
        raise UsageError(f"{name}: is a word of Python", hint="choose another name")
    root = find_clone(project)
    package, tests = PACKAGE / "readers" / name, Path("tests", "readers", name)
    if (root / package).with_suffix(".py").exists():
        raise UsageError(f"{package}.py: is there already", hint="choose another name")
    made = {
        package / "__init__.py": "package.txt",
        package / "reader.py": "reader.txt",
        package / "capabilities.toml": "capabilities.toml",
        package / "measures.csv": "measures.csv",
        tests / "__init__.py": "",
        tests / "test_reader.py": "test.txt",
    }
    files = [
        SkeletonFile(path, fill_skeleton(f"reader/{source}", name=name) if source else "")
        for path, source in made.items()
    ]
    files += [_register(root, name), _make_independent(root, name)]
    _write(root, files, fill_skeleton("reader/next.txt", name=name))


def _register(root: Path, name: str) -> SkeletonFile:
    """The registry with a reader behind the others, which know their files already."""
    path = PACKAGE / "readers" / "registry.py"
    return edit_file(root, path, (r'    "(?P<key>\w+)",\n', f'    "{name}",\n', ""))


def _make_independent(root: Path, name: str) -> SkeletonFile:
    """The contracts with a reader that knows nothing of the others."""
    known = r'    "perfolio\.readers\.(?P<key>\w+)",\n'
    line = f'    "perfolio.readers.{name}",\n'
    return edit_file(root, Path("pyproject.toml"), (known, line, name))


def _write(root: Path, files: list[SkeletonFile], then: str) -> None:
    """Write the files, and say which, and what to do then."""
    write_skeleton(root, files)
    for each in files:
        click.echo(f"{'Wrote' if each.earlier is None else 'Added to'} {each.path}")
    click.echo(f"\n{then}", nl=False)


def _refuse_metric(root: Path, name: str) -> None:
    """Raise UsageError where the project has a metric of that name."""
    from perfolio.metrics.catalog import load_files

    path = load_files(root / PACKAGE / "metrics").get(name)
    if path is not None:
        raise UsageError(f"{name}: is in {path} already", hint="edit it, or choose another name")


def _choose_file(root: Path, group: str, file: str | None) -> str:
    """The file of a group that gets a value: the one that is named, else that of its scalars."""
    if file is not None:
        check_name(file, _WORD, "--file gaps")
    folder = root / PACKAGE / "metrics" / group
    lists = sorted(path.stem for path in folder.glob("*.sql") if _is_list(path))
    if file is None and lists and _SCALARS not in lists:
        raise UsageError(f"{group}: its values lie in several files", hint=f"--file {lists[0]}")
    chosen = file or _SCALARS
    if (folder / f"{chosen}.sql").exists() and chosen not in lists:
        raise UsageError(
            f"{folder / chosen}.sql: is one table", hint=f"choose another file: {', '.join(lists)}"
        )
    return chosen


def _is_list(path: Path) -> bool:
    """Whether a file holds several metrics, each with its name."""
    return "\nname:" in path.read_text(encoding="utf-8")


def _name_cases(root: Path, group: str, stem: str) -> str:
    """The file of cases of a group, or of one of its files where those are apart."""
    apart = root / "tests" / "metrics" / "cases" / f"{group}.{stem}.yaml"
    return apart.stem if apart.exists() else group


def _find_own_project(project: Path | None) -> Path | None:
    """A project with exercises of its own, where this is no clone; UsageError without either."""
    here = project or Path.cwd()
    try:
        find_clone(project)
    except UsageError as problem:
        if project or any((here / name).is_dir() for name in (EXERCISES, "profiles")):
            return here
        raise UsageError(
            f"{problem.message}, and is no project of yours (exercises/ or profiles/)",
            hint="go to one, or name it: --project DIR",
        ) from problem
    return None
