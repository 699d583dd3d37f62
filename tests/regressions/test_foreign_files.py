"""Files of strangers: what is in them ends in one line, and is never run."""

from __future__ import annotations

import os
import re
import time
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from perfolio.audit.claims import load_claims
from perfolio.audit.expression import parse_formula
from perfolio.cli.main import main
from perfolio.common.errors import InputError, PerfolioError
from perfolio.common.toml_files import LARGEST, TomlError, load_toml
from perfolio.findings.rules.threshold_overrides import read_overrides
from perfolio.pipeline import reports
from perfolio.pipeline.build_context import Context
from perfolio.pipeline.verification.site_verification import _find_project
from perfolio.readers import registry
from perfolio.readers.run_description import read_description
from perfolio.simulation.scenario_parser import load
from perfolio.simulation.simulate import compute_fingerprint
from tests.readers.witnesses.samples import FILES, TRACE

# TOML of strangers ended in tracebacks: nesting, numbers of 400 and 5,000 digits, NUL in a path.
#
# profile.toml and claims.toml come with a database, a scenario's base is a path. One loader reads
# all of them now; whatever it is given ends in one line, and within seconds.

HOSTILE = {
    "lists": "title = " + "[" * 5_000,
    "tables": "title = " + "{a=" * 5_000,
    "long number": "model_flops_per_iteration = " + "1" * 5_000,
    "large number": "model_flops_per_iteration = 1" + "0" * 400,
    "hexadecimal": "model_flops_per_iteration = 0x" + "f" * 100_000,
    "NUL": 'base = "\\u0000"',
    "parts of a key": "a." * 100_000 + "a = 1",
    "quoted parts": "'a' . " * 100_000 + "a = 1",
    "header": f"[{'a.' * 5_000}a]",
    "headers": "\n".join(f"[{'a.' * 31}a{i}]" for i in range(10)) + "\nb = " + "[" * 40 + "]" * 40,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_every_file_of_a_stranger_ends_in_one_line(text: str, tmp_path: Path) -> None:
    for name in ("profile.toml", "scenario.toml", "perfolio.toml"):
        (tmp_path / name).write_text(text)
    begun = time.process_time()
    for read in (
        lambda: read_description(tmp_path),
        lambda: load(tmp_path / "scenario.toml"),
        lambda: compute_fingerprint(tmp_path / "scenario.toml"),
        lambda: read_overrides(tmp_path / "perfolio.toml"),
        lambda: load_claims(text, ()),
    ):
        with pytest.raises(PerfolioError) as caught:
            read()
        assert "\n" not in str(caught.value)
    assert time.process_time() - begun < 5.0


def test_numbers_are_those_of_64_bits() -> None:
    assert load_toml(f"a = {2**63 - 1}\nb = -{2**63}") == {"a": 2**63 - 1, "b": -(2**63)}
    for number in (2**63, -(2**63) - 1):
        with pytest.raises(TomlError, match="64 are allowed"):
            load_toml(f"a = [[{number}]]")


def test_a_long_text_is_no_long_key() -> None:
    text = "See a.b.c. " * 1_000
    assert load_toml(f'a = "{text}"') == {"a": text}


def test_a_file_is_bounded_and_regular(tmp_path: Path) -> None:
    path = tmp_path / "perfolio.toml"
    path.write_bytes(b"#" * (LARGEST + 1))
    with pytest.raises(PerfolioError, match="is larger than"):
        read_overrides(path)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(PerfolioError, match="no regular file"):
        read_overrides(path)
    with pytest.raises(PerfolioError, match="no regular file"):
        read_overrides(tmp_path)


def test_a_number_in_a_formula_fits() -> None:
    for text in ("1" * 400, "1e400", "2 * " + "1" * 400):
        with pytest.raises(PerfolioError, match="is no formula"):
            parse_formula(text)


# A number beyond 64 bits in a log of nccl-tests ended in a traceback, and so did a rank of a
# trace: each witness made its numbers by itself. One check holds for all rows of all witnesses now,
# and names file and line.

NUMBERS = (
    "9223372036854775808", "-9223372036854775809", "2147483648", "-1", "1e30", "1e308", "1e400",
    "-1e308", "NaN", "inf", "-Infinity", "0x1F", "1,234,567", "١٢٣", "²", "9" * 5_000, "true", "",
)  # fmt: skip
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def with_each_number(text: str, number: str) -> list[str]:
    """The text with one of its numbers replaced, for each of them."""
    return [text[: at.start()] + number + text[at.end() :] for at in NUMBER.finditer(text)]


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_a_number_is_read_or_refused_in_a_line(name: str, tmp_path: Path) -> None:
    path, refused = tmp_path / name, list[str]()
    for number in NUMBERS:
        for text in with_each_number(FILES[name], number):
            path.write_text(text, encoding="utf-8")
            try:
                registry.read(path)
            except InputError as problem:
                refused.append(str(problem))
    assert refused
    assert all(str(path) in each and "\n" not in each for each in refused)


@pytest.mark.parametrize(
    ("name", "old", "new", "line", "said"),
    [
        ("nccl.log", " 0\n#", " " + "9" * 30 + "\n#", 3, "wrong: 1000000000000000"),
        ("nccl.log", "   8  ", f"   {1 << 63}  ", 3, "bytes: 9223372036854775808 is no number"),
        ("nccl.log", "0.22", "1e305", 3, "bus_bandwidth: inf is no number"),
        ("ncu.csv", "(7, 1, 1)", f"({'9' * 30}, 1, 1)", 4, "blocks: 9999999999999999999999"),
        ("pmc_perf.csv", ",256,", ",1e300,", 2, "blocks: one of 991 bits is no number"),
        ("deepspeed.txt", "1.5 B", "1e308 B", 4, "1e308 B: is no figure"),
    ],
)
def test_file_and_line_of_a_number_are_named(
    name: str, old: str, new: str, line: int, said: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    assert old in FILES[name]
    path.write_text(FILES[name].replace(old, new, 1))
    with pytest.raises(InputError) as told:
        registry.read(path)
    assert str(told.value).startswith(f"{path}: line {line}: {said}")


def test_a_rank_beyond_what_can_be_is_no_rank(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_text(TRACE.replace('"rank":3', f'"rank":{1 << 70}'))
    assert registry.read(path).tables["profile"].num_rows


# An exercise ran code: its text was compiled by Jinja without a sandbox, wherever it lay.
#
# `perfolio build trace.json` took the exercises of the current folder, a download folder say, so
# that `{{ run.__globals__[...] }}` in one ran as the user; `perfolio verify` took the project
# around a site of somebody else, whose mkdocs.yml names hooks. Texts are data now, and what is not
# named is not read.

EXERCISE = """---
title: Hostile
objectives: {a: b}
steps: [{id: s1, title: S, minutes: 6}]
---
{{ run.__globals__["__builtins__"]["__import__"]("os").system("touch flag") }}

```item
{id: a, type: number, step: s1, tests: [a], ask: How long?, answer: {metric: time.wall},
 explain: So.}
```
"""


@pytest.fixture
def download(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an exercise of a stranger."""

    def ran(command: str) -> int:
        (tmp_path / "flag").touch()
        return len(command)

    monkeypatch.setattr(os, "system", ran)
    folder = tmp_path / "exercises" / "own"
    folder.mkdir(parents=True)
    (folder / "exercise.md").write_text(EXERCISE, "utf-8")
    return tmp_path


def called(folder: Path, *args: str) -> Result:
    with chdir(folder):
        return CliRunner(catch_exceptions=False).invoke(main, args)


def test_its_text_is_refused_by_name(download: Path) -> None:
    done = called(download, "worksheet", "check", "own")
    path = download / "exercises" / "own" / "exercise.md"
    assert f"{path}:6: {{{{ run.__globals__" in done.stderr
    assert done.exit_code == 8
    assert not (download / "flag").exists()


def test_profiles_are_built_without_the_exercises_of_the_current_folder(
    download: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path | None] = []

    def built(*_: Any, context: Context, **__: Any) -> list[Any]:
        asked.append(context.project)
        return []

    monkeypatch.setattr(reports, "build", built)
    assert called(download, "build", "x.d", "-o", "site").exit_code == 0
    assert called(download, "build", "x.d", "-o", "site", "--project", ".").exit_code == 0
    assert called(download, "build", "x.d", "--project", "exercises").exit_code == 2
    assert asked == [None, Path()]


def test_a_site_does_not_bring_its_project(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "mkdocs.yml").write_text("hooks: [hostile.py]")
    (tmp_path / "elsewhere").mkdir()
    with chdir(tmp_path / "elsewhere"), pytest.raises(InputError, match="--project"):
        _find_project(tmp_path / "site", Context())
