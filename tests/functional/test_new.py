"""`perfolio new` in a copy of the project: what it writes, what fails then, what it refuses."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from perfolio.common.atomic_output import write_file
from perfolio.common.content_files import load_yaml
from perfolio.common.errors import OutputError
from perfolio.exercises.loader import load_exercise
from perfolio.findings.evaluation.rule_evaluation import evaluate as evaluate_rules
from perfolio.findings.rules.catalog import load_rules
from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.run_measurement import evaluate
from tests.exercises.support import sample_run, sheet_of
from tests.findings.support import results
from tests.functional.conftest import Run
from tests.kit.shared import ROOT
from tests.metrics.support import RUN, store_of

PACKAGE = Path("generator", "perfolio")
PARTS = ("metrics", "exercises/shipped", "findings/rules", "readers/registry.py", "__init__.py")
"""What of the package `perfolio new` reads or writes."""
CASES = ("tests/metrics/cases", "tests/findings/cases")
METRIC = ("metric", "gpu.launch_rate")
TABLE = ("metric", "gpu.slowest_kernels", "--table")
IN_GROUP = ("metric", "time.gap_after_copies", "--file", "gaps")
OF_NEW_GROUP = ("metric", "network.packets")
RULE = ("rule", "X7-slow-copies", "--metric", "gpu.busy_at_most")
RULE_OF_NEW_LETTER = ("rule", "Z12-thing")
READER = ("reader", "vtune")
EXERCISE = ("exercise", "what-is-a-sample")
FILES = {
    METRIC: ["metrics/gpu/scalars.sql", "tests/metrics/cases/gpu.yaml"],
    TABLE: ["metrics/gpu/slowest_kernels.sql", "tests/metrics/cases/gpu.yaml"],
    IN_GROUP: ["metrics/time/gaps.sql", "tests/metrics/cases/time.gaps.yaml"],
    OF_NEW_GROUP: ["metrics/network/scalars.sql", "tests/metrics/cases/network.yaml"],
    RULE: ["findings/rules/X7-slow-copies.md", "tests/findings/cases/X.toml"],
    RULE_OF_NEW_LETTER: ["findings/rules/Z12-thing.md", "tests/findings/cases/Z.toml"],
    READER: [
        *(
            f"readers/vtune/{name}"
            for name in ("__init__.py", "reader.py", "capabilities.toml", "measures.csv")
        ),
        "tests/readers/vtune/__init__.py",
        "tests/readers/vtune/test_reader.py",
        "readers/registry.py",
        "pyproject.toml",
    ],
    EXERCISE: [
        "exercises/shipped/what-is-a-sample/exercise.md",
        "tests/exercises/test_truth_what_is_a_sample.py",
    ],
}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What of a clone of the project `perfolio new` looks at."""
    root = tmp_path / "clone"
    for part in (*(f"{PACKAGE}/{each}" for each in PARTS), *CASES, "pyproject.toml"):
        source, target = ROOT / part, root / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copyfile(source, target)
    return root


def files_of(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }


def placed(names: list[str]) -> set[str]:
    """By path in the project: what is no test, nor of the project as a whole, is of the package."""
    return {
        name if name.startswith(("tests/", "pyproject")) else f"generator/perfolio/{name}"
        for name in names
    }


@pytest.mark.parametrize("arguments", FILES, ids=" ".join)
def test_files_are_written_once_and_no_other_changes(
    run: Run, clone: Path, arguments: tuple[str, ...]
) -> None:
    before = files_of(clone)
    done = run("new", *arguments, cwd=clone / PACKAGE)
    assert done.returncode == 0, done.stderr
    after = files_of(clone)
    assert {name for name in after if after[name] != before.get(name)} == placed(FILES[arguments])
    assert before.keys() <= after.keys()
    said = re.findall(r"^(?:Wrote|Added to) (.*)", done.stdout, re.MULTILINE)
    assert set(said) == placed(FILES[arguments])
    assert "make pytest JOBS=0 ARGS='tests/" in done.stdout

    again = run("new", *arguments, cwd=clone)
    assert (again.returncode, files_of(clone)) == (2, after)
    assert re.search(r"already; (edit it, or )?choose another n", again.stderr)


def asked(printed: str) -> list[str]:
    """What the command that is printed gives to pytest."""
    (arguments,) = re.findall(r"make pytest JOBS=0 ARGS='(.*)'", printed)
    return str(arguments).split()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [(METRIC, "FILL IN: the query gives no value yet"), (TABLE, "FILL IN: the query gives no row")],
    ids=["value", "table"],
)
def test_the_first_case_of_a_metric_fails_for_its_query(
    run: Run, clone: Path, arguments: tuple[str, ...], reason: str
) -> None:
    name, printed = arguments[1], run("new", *arguments, cwd=clone).stdout
    assert asked(printed) == ["tests/metrics/test_cases.py", "-k", name]
    written: Any = load_yaml((clone / "tests/metrics/cases/gpu.yaml").read_text("utf-8"))
    cases = written[name.partition(".")[2]]
    metric = load_catalog(clone / PACKAGE / "metrics")[name]
    found = []
    for case in cases:
        with store_of(case) as connection:
            found.append(evaluate(connection, RUN, {name: metric})[name])
    assert [each.status for each in found] == ["not_measured", "not_measured"]
    assert "status" not in cases[0]["expect"]
    assert found[0].reason.startswith(reason)
    assert cases[1]["expect"]["reason"] in found[1].reason
    assert cases[1]["expect"]["collect"] in found[1].collect


@pytest.mark.parametrize("arguments", [RULE, RULE_OF_NEW_LETTER], ids=" ".join)
def test_the_first_case_of_a_rule_fails_for_its_sentence(
    run: Run, clone: Path, arguments: tuple[str, ...]
) -> None:
    code, printed = arguments[1].partition("-")[0], run("new", *arguments, cwd=clone).stdout
    assert asked(printed) == ["tests/findings/test_rules.py", "-k", code]
    listed = tomllib.loads((clone / f"tests/findings/cases/{code[0]}.toml").read_text("utf-8"))
    rule = load_rules(clone / PACKAGE / "findings" / "rules")[code]
    assert {each.severity for each in rule.thresholds} == {"medium"}
    for case in listed[code]:
        (finding,) = evaluate_rules(results(case["measured"]), {code: rule})
        assert (finding.status, finding.severity) == (case["status"], case.get("severity"))
        missing = [each for each in case["says"] if each not in finding.sentence + finding.reason]
        assert bool(missing) is (case is listed[code][0])


@pytest.mark.slow
def test_the_test_of_a_reader_fails_for_want_of_events(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "clone"
    for name in ("generator", "tests"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(ROOT / "pyproject.toml", root / "pyproject.toml")
    printed = run("new", *READER, cwd=root).stdout
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *asked(printed)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root / "generator")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout
    assert "holds no event; FILL IN" in done.stdout
    assert "1 failed, 1 passed" in done.stdout


@pytest.mark.slow
def test_the_test_of_an_exercise_fails_for_want_of_answers(run: Run, clone: Path) -> None:
    (path,) = asked(run("new", *EXERCISE, cwd=clone).stdout)
    made = load_exercise(clone / PACKAGE / "exercises" / "shipped" / EXERCISE[1] / "exercise.md")
    names: dict[str, Any] = {}
    exec(compile((clone / path).read_text("utf-8"), path, "exec"), names)
    names["sample_sheet"] = lambda _: sheet_of(made, sample_run(made.run))
    with pytest.raises(AssertionError, match="FILL IN: the right answers"):
        names["test_what_is_a_sample"]()


@pytest.mark.parametrize(
    "arguments", [READER, ("reader", "r" * 25), ("exercise", "e" * 40)], ids=["one", "long", "text"]
)
def test_what_is_written_in_python_has_our_style(
    run: Run, clone: Path, arguments: tuple[str, ...]
) -> None:
    before = files_of(clone)
    assert run("new", *arguments, cwd=clone).returncode == 0
    written = [name for name, text in files_of(clone).items() if text != before.get(name)]
    sources = [name for name in written if name.endswith(".py")]
    assert sources
    of_whole_packages = "--ignore=INP001,I001"  # only a part of the project lies here
    for check in (["check", of_whole_packages], ["format", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *check, "--no-cache", *sources],
            cwd=clone,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout


def test_a_metric_joins_the_catalogue(run: Run, clone: Path) -> None:
    for arguments in (METRIC, TABLE, IN_GROUP, OF_NEW_GROUP):
        run("new", *arguments, cwd=clone)
    found = load_catalog(clone / PACKAGE / "metrics")
    names = {arguments[1] for arguments in (METRIC, TABLE, IN_GROUP, OF_NEW_GROUP)}
    assert found.keys() - load_catalog().keys() == names
    assert found["gpu.slowest_kernels"].shape == "table"
    assert {found[name].caveat for name in names} == {""}


@pytest.mark.parametrize("folder", ["exercises", "profiles"])
def test_a_project_of_ones_own_gets_an_exercise(run: Run, tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir()
    done = run("new", *EXERCISE, cwd=tmp_path)
    path = tmp_path / "exercises" / "what-is-a-sample" / "exercise.md"
    assert (done.returncode, load_exercise(path).run) == (0, "any")
    assert "perfolio worksheet check what-is-a-sample --on RUN" in done.stdout
    assert run("new", *EXERCISE, cwd=tmp_path).returncode == 2


def test_a_project_that_is_named_is_meant_wherever_one_is(
    run: Run, clone: Path, tmp_path: Path
) -> None:
    (tmp_path / "own").mkdir()
    (clone / "within").mkdir()
    before = files_of(clone)
    for own in (Path("..") / "own", Path("within")):
        assert run("new", *EXERCISE, "--project", own, cwd=clone).returncode == 0
        made = clone / own / "exercises" / EXERCISE[1] / "exercise.md"
        assert made.is_file()
        assert run("new", "metric", "gpu.thing", "--project", own, cwd=clone).returncode == 2
    shutil.rmtree(clone / "within")
    assert files_of(clone) == before


@pytest.mark.slow
def test_the_check_of_an_own_exercise_fails_as_is_said(
    run: Run, store: Path, tmp_path: Path
) -> None:
    assert run("new", *EXERCISE, "--project", tmp_path).returncode == 0
    done = run("worksheet", "check", EXERCISE[1], "--on", store, cwd=tmp_path)
    assert done.returncode == 8
    assert "is too close to the answer" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("metric", "launches"),
        ("metric", "GPU.launches"),
        ("metric", "../x.y"),
        ("metric", "gpu.a\nb"),
        ("metric", f"gpu.{'a' * 300}"),
        ("metric", "time.thing", "--file", "../gaps"),
        ("exercise", "../mine"),
        ("exercise", "Mine"),
        ("exercise", "mine\x1b[31m"),
        ("rule", "slow-copies"),
        ("rule", "X7"),
        ("rule", "X7-Slow"),
        ("rule", "X1-again"),
        ("rule", "X7-slow-copies", "--metric", "gpu.no_such"),
        ("rule", "X7-slow-copies", "--metric", "gpu.kernels"),
        ("reader", "a/b"),
        ("reader", "class"),
        ("reader", "a" * 30),
        ("reader", "registry"),
        ("reader", "events"),
    ],
    ids=repr,
)
def test_names_that_cannot_be_are_refused(
    run: Run, clone: Path, arguments: tuple[str, ...]
) -> None:
    (clone / PACKAGE / "readers" / "events").mkdir(parents=True)
    (clone / PACKAGE / "readers" / "events" / "__init__.py").touch()
    before = files_of(clone)
    done = run("new", *arguments, cwd=clone)
    assert (done.returncode, files_of(clone)) == (2, before)
    assert re.fullmatch(r"perfolio: [^\n\x1b]+; [^\n\x1b]+\n", done.stderr)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("time.thing",), "its values lie in several files; --file "),
        (("gpu.thing", "--file", "kernels"), "is one table; choose another file"),
        (("gpu.thing", "--table", "--file", "scalars"), "exclude each other"),
    ],
)
def test_where_a_metric_belongs_is_asked(
    run: Run, clone: Path, arguments: tuple[str, ...], says: str
) -> None:
    done = run("new", "metric", *arguments, cwd=clone)
    assert done.returncode == 2
    assert says in done.stderr


@pytest.mark.parametrize("arguments", [METRIC, READER, EXERCISE], ids=" ".join)
def test_outside_of_a_clone_it_says_where_to_go(
    run: Run, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    done = run("new", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert "lies in no clone of Perfolio" in done.stderr
    assert "--project DIR" in done.stderr
    assert not any(tmp_path.iterdir())


def test_nothing_is_left_of_what_could_not_be_written(run: Run, clone: Path) -> None:
    before = files_of(clone)

    def fail_at_last(target: Path, data: bytes) -> None:
        if target.name == "pyproject.toml":
            raise OutputError(f"{target}: cannot be written: no space")
        write_file(target, data)

    with patch("perfolio.cli.skeleton_files.write_file", fail_at_last):
        assert run("new", *READER, cwd=clone).returncode == 9
    assert files_of(clone) == before
    assert not (clone / PACKAGE / "readers" / "vtune").exists()


def test_a_link_leads_nothing_out_of_the_project(run: Run, clone: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (clone / "tests" / "readers").symlink_to(tmp_path / "outside")
    assert run("new", *READER, cwd=clone).returncode == 2
    assert not any((tmp_path / "outside").iterdir())
