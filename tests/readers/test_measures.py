"""What a tool calls things, and what they are: each way."""

from __future__ import annotations

import pytest

from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.requirements import load_vocabulary
from perfolio.readers.measures import find_measure, find_tool_name, load_measures
from perfolio.readers.tool_catalog import find_tool_folder, list_tools

KNOWN = load_measures(find_tool_folder("HPCToolkit"))


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("CPUTIME (sec)", "cpu_time"),
        ("GKER:COUNT", "kernel_launches"),
        ("GXCOPY:H2D (B)", "copy_bytes:H2D"),
        ("GINS:STL_ANY", "stalled_samples"),
        ("GINS:STL_GMEM", "stalled_samples:GMEM"),
        ("perf::INSTRUCTIONS", "perf::INSTRUCTIONS"),
        ("GCYCLES", "GCYCLES"),
    ],
)
def test_a_name_and_its_measure(name: str, measure: str) -> None:
    assert find_measure(name, KNOWN) == measure
    assert find_tool_name(measure, KNOWN) == name


def test_no_two_names_have_one_measure() -> None:
    assert len({each.name for each in KNOWN}) == len({each.measure for each in KNOWN}) == len(KNOWN)


def test_each_tool_says_what_it_can_record() -> None:
    assert "HPCToolkit" in list_tools()
    assert find_tool_folder("a tool of tomorrow") == find_tool_folder("HPCToolkit")
    assert load_vocabulary().entry("kernel_time") is not None


def test_metrics_name_no_tool_in_what_they_need() -> None:
    names = {each.name for each in KNOWN}
    found = [(one.name, need) for one in load_catalog().values() for need in one.needs]
    assert [each for each in found if each[1] in names] == []
    quoted = [
        one.name for one in load_catalog().values() if any(f"'{n}'" in one.sql for n in names)
    ]
    assert quoted == []
