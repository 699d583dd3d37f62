"""Reports of Nsight Compute, by objects with the interface of NVIDIA's reader.

No report is here to read: what is held to is the interface of the wheel.
"""

from __future__ import annotations

import enum
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from perfolio.common.errors import InputError
from perfolio.readers.run_files import read_run
from perfolio.readers.witnesses.ncu_report import read_report
from tests.readers.witnesses.samples import witness


class MsgType(enum.IntEnum):
    OK = 1
    OPTIMIZATION = 2


@dataclass
class Metric:
    own: Any
    its_unit: str = ""

    def value(self) -> Any:
        return self.own

    def unit(self) -> str:
        return self.its_unit


@dataclass
class Action:
    """A launch, as `IAction` gives it."""

    metrics: dict[str, Metric]
    rules: list[dict[str, Any]]

    def name(self) -> str:
        return "void ns::f<int>(int)"

    def metric_names(self) -> list[str]:
        return list(self.metrics)

    def metric_by_name(self, name: str) -> Metric | None:
        return self.metrics.get(name)

    def rule_results_as_dicts(self) -> list[dict[str, Any]]:
        return self.rules


METRICS = {
    "gpu__time_duration.sum": Metric(2000.0, "ns"),
    "dram__bytes_read.sum": Metric(1.5, "Mbyte"),
    "sm__throughput.avg.pct_of_peak_sustained_elapsed": Metric(50.0, "%"),
    "launch__grid_size": Metric(192),
    "launch__block_size": Metric(256),
    "launch__func_cache_config": Metric("CachePreferNone"),
    "device__attribute_display_name": Metric("NVIDIA H100"),
    "device__attribute_compute_capability_major": Metric(9),
    "device__attribute_compute_capability_minor": Metric(0),
    "sass__inst_executed": Metric(None),
}
RULES: list[dict[str, Any]] = [
    {
        "name": "Bottleneck",
        "rule_message": {"title": "T", "message": "Use it.", "type": MsgType.OPTIMIZATION},
        "speedup_estimation": {"type": 2, "speedup": 12.5},
    },
    {"name": "Info", "rule_message": {"message": "So it is.", "type": MsgType.OK}},
    {"name": "Odd"},
]


def test_rows_are_those_of_the_csv() -> None:
    found = read_report([[Action(METRICS, RULES)], [Action({}, [])]], "x")
    assert found.rows["counted_kernel"] == [
        (0, "void ns::f<int>(int)", 192, 256, "0", 9.0),
        (1, "void ns::f<int>(int)", None, None, "0", None),
    ]
    assert {row[1]: row[2] for row in found.rows["kernel_counter"]} == {
        "gpu__time_duration.sum": pytest.approx(2e-6),
        "dram__bytes_read.sum": 1.5e6,
        "sm__throughput.avg.pct_of_peak_sustained_elapsed": 0.5,
        "launch__grid_size": 192.0,
        "launch__block_size": 256.0,
    }
    assert found.rows["counter_rule"] == [
        (0, "Bottleneck", "OPT", "Use it.", 0.125),
        (0, "Info", "INF", "So it is.", None),
        (0, "Odd", "INF", "", None),
    ]
    assert found.device == "NVIDIA H100"


def test_no_rule_means_that_none_was_run() -> None:
    found = read_report([[Action(METRICS, [])]], "x")
    assert found.notes == ["the rules of Nsight Compute were not run: record it with --set full"]


def test_no_launch_is_said() -> None:
    assert "holds no launch" in read_report([], "x").notes[0]


def test_without_the_extra_it_says_how_to_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ncu_report", None)
    monkeypatch.setenv("NCU", "")
    (tmp_path / "run.ncu-rep").write_bytes(b"NVR\0" + bytes(100))
    with pytest.raises(InputError) as caught:
        read_run(tmp_path / "run.ncu-rep")
    assert "pip install ncu-report" in str(caught.value)
    assert "ncu --import run.ncu-rep --csv --page raw > counters.csv" in str(caught.value)


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("echo '==PROF== Connected'; cat rows.csv", ""),
        ("echo '==ERROR== bad file'; exit 1", "ncu cannot export it: ==ERROR== bad file"),
        ('printf \'"ID","Kernel Name"\\n"1","2","3","4"\\n\'', "the CSV that ncu printed"),
    ],
)
def test_without_the_extra_the_program_reads_it(
    printed: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = '"ID","Kernel Name","Grid Size","sm__cycles.sum"'
    rows = f'{head}\n"","","","cycle"\n"0","k","(2, 1, 1)","7"\n'
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "rows.csv").write_text(rows)
    program = tmp_path / "bin" / "ncu"
    said = (
        f'[ "$1 $3 $4 $5" = "--import --csv --page raw" ] || exit 9\ncd {program.parent}\n{printed}'
    )
    program.write_text(f"#!/bin/sh\n{said}\n")
    program.chmod(0o755)
    monkeypatch.setitem(sys.modules, "ncu_report", None)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("NCU", raising=False)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    if expected:
        with pytest.raises(InputError, match=expected):
            witness(tmp_path, b"NVR\0" + bytes(100), "run.ncu-rep")
        return
    found = witness(tmp_path, b"NVR\0" + bytes(100), "run.ncu-rep")
    assert [row[1] for row in found.rows["counted_kernel"]] == ["k"]
    assert found.rows["kernel_counter"] == [(0, "sm__cycles.sum", 7.0)]


def test_what_the_reader_refuses_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def load_report(_path: str) -> None:
        raise RuntimeError("bad magic")

    monkeypatch.setitem(sys.modules, "ncu_report", SimpleNamespace(load_report=load_report))
    with pytest.raises(InputError, match=r"run\.ncu-rep: .* cannot read it: bad magic"):
        witness(tmp_path, b"NVR\0" + bytes(100), "run.ncu-rep")
