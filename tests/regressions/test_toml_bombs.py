"""TOML of strangers ended in tracebacks: nesting, numbers of 400 and 5,000 digits, NUL in a path.

profile.toml and claims.toml come with a database, a scenario's base is a path. One loader reads
all of them now; whatever it is given ends in one line, and within seconds.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from perfolio.audit.claims import load_claims
from perfolio.audit.expression import parse_formula
from perfolio.common.errors import PerfolioError
from perfolio.common.toml_files import LARGEST, TomlError, load_toml
from perfolio.findings.rules.threshold_overrides import read_overrides
from perfolio.readers.run_description import read_description
from perfolio.simulation.scenario_parser import load
from perfolio.simulation.simulate import compute_fingerprint

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
