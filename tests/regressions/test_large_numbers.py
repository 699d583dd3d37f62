"""A number beyond 64 bits in a log of nccl-tests ended in a traceback, and so did a rank of a
trace: each witness made its numbers by itself. One check holds for all rows of all witnesses now,
and names file and line.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from perfolio.common.errors import InputError
from perfolio.readers import registry
from tests.readers.witnesses.samples import FILES, TRACE

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
