"""What holds in every document: all samples keep it, and each invariant can fail."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from perfolio.findings.document import make_findings_document
from perfolio.findings.invariants import INVARIANTS, NOTE, find_defects
from perfolio.findings.rules.catalog import load_rules
from perfolio.metrics.document import make_metrics_document, read_results
from perfolio.metrics.model import Results
from tests.findings.support import results
from tests.kit.samples import SAMPLES, sample_documents

RUN = {
    "slug": "a-run", "title": "A run", "digest": "0" * 64, "path": "/somewhere", "files": [],
    "tool": "HPCToolkit", "warnings": ["A warning of the reader."],
}  # fmt: skip
CELLS = [{"gpu": 0, "period": "between", "state": state, "beside": "none", "gap": gap,
          "time": time, "share": time, "number": 1.0}
         for state, gap, time in (("copy waited for", "none", 0.4), ("kernel", "none", 0.3),
                                  ("idle", "other", 0.3))]  # fmt: skip
COPYING = {"time.wall": 1.0, "time.copy_busy": 0.4, "time.copy_wait_share": 0.4,
           "time.exposed_copy": 0.4, "time.kernel_busy": 0.3, "time.gpu_busy": 0.7,
           "time.gpu_utilisation": 0.7}  # fmt: skip

ITERATING = {"time.iterations": 2.0, "time.steady_iterations": 2.0, "time.steady_complete": 0.5,
             "time.iteration_median": 0.25}  # fmt: skip


def _iteration(start: float, duration: float, mark: str = "") -> dict[str, Any]:
    return {"iteration": 1, "start": start, "duration": duration, "mark": mark}


def _given(measured: dict[str, float] | None = None, **tables: Any) -> Results:
    named = {name.replace("__", "."): rows for name, rows in tables.items()}
    return results({**COPYING, **(measured or {})}, {"time.gpu_ledger": CELLS, **named})


def _document(given: Results) -> dict[str, Any]:
    return make_findings_document(make_metrics_document(RUN, given))


def _finding(document: dict[str, Any], code: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in document["findings"] if each["code"] == code)
    return found


def _defects(document: dict[str, Any], given: Results) -> list[str]:
    return find_defects(document, given, load_rules())


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_samples_keep_all_of_it(name: str) -> None:
    document = sample_documents(name).findings
    assert _defects(document, read_results(document["metrics"])) == []


def test_a_document_that_keeps_it_has_no_warning_of_it() -> None:
    document = _document(_given())
    assert document["metrics"]["run"]["warnings"] == RUN["warnings"]
    assert _finding(document, "X1")["estimate"]["reduction"] == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("measured", "tables", "told"),
    [
        ({"time.idle_in_long_gaps": 0.5, "calls.wait_share": 1.4}, {}, "calls.wait_share is 1.4"),
        ({"time.kernel_busy": 0.8}, {}, "time.kernel_busy is 0.8 and time.gpu_busy 0.7"),
        ({}, {"time__wall_parts": [{"part": "Kernels", "time": 0.5, "share": 0.5}]},
         "The parts of time.wall_parts sum to 0.5, and time.wall is 1"),
        ({}, {"time__wall_parts": [{"part": "Kernels", "time": 1.0, "share": 1.5}]},
         "A share in time.wall_parts is 1.5"),
        ({"time.wall": 2.0}, {}, "The time of GPU 0 sums to 1, and time.wall is 2"),
        (ITERATING | {"steps.typical": 0.3}, {}, "steps.typical is 0.3, and time.iteration_median"),
        (ITERATING, {"time__iteration_times": [_iteration(0.0, 0.3), _iteration(0.3, 0.3)]},
         "do not have time.iteration_median, 0.25"),
        (ITERATING, {"time__iteration_times": [_iteration(0.0, 0.25, "warm-up"),
                                               _iteration(0.25, 0.25)]},
         "Of the iterations listed 1 are not time.steady_iterations"),
        (ITERATING, {"time__iteration_times": [_iteration(0.0, 0.25), _iteration(0.25, 0.25)],
                     "time__phases": [{"phase": "steady state", "start": 0.5, "duration": 0.5}]},
         "The steady state and its iterations are 0.5 s apart"),
        (ITERATING, {"time__iteration_classes": [{"class": "host", "time": 0.1, "share": 1.0}]},
         "time.iteration_classes is of iterations of 0.1 s, and their mean is 0.25"),
    ],
)  # fmt: skip
def test_figures_that_cannot_be_are_told_in_the_report(
    measured: dict[str, float], tables: dict[str, Any], told: str
) -> None:
    document = _document(_given(measured, **tables))
    known, *warnings = document["metrics"]["run"]["warnings"]
    assert known == RUN["warnings"][0]
    (found,) = (each for each in warnings if told in each)
    assert found.startswith("A defect of Perfolio: ")
    assert found.endswith(NOTE.partition("{}")[2])


def _saved(document: dict[str, Any]) -> None:
    _finding(document, "X1")["estimate"]["saved"] = 0.35


def _reduction(document: dict[str, Any]) -> None:
    _finding(document, "X1")["estimate"]["reduction"] = 1.5


def _weaker(document: dict[str, Any]) -> None:
    _finding(document, "X1")["estimate"]["weaker"] = 0.9


def _wider(document: dict[str, Any]) -> None:
    _finding(document, "X1")["estimate"]["wider"] = 0.1


def _expected(document: dict[str, Any]) -> None:
    _finding(document, "X1")["expected"]["high"] = 1.2


def _cause(document: dict[str, Any]) -> None:
    next(each for each in document["causes"]["nodes"] if each["key"] == "gpu")["share"] = 0.9


def _breakdown(document: dict[str, Any]) -> None:
    document["breakdown"]["parts"] = [{"share": 0.5}]


def _joint(document: dict[str, Any]) -> None:
    _steps(document)[0]["joint"] = 0.01


def _twice(document: dict[str, Any]) -> None:
    _steps(document).append(_steps(document)[0])


def _unknown(document: dict[str, Any]) -> None:
    step = _steps(document)[0]
    _steps(document).insert(0, step | {"code": "P2", "most": None, "joint": 0.0})


def _too_early(document: dict[str, Any]) -> None:
    _steps(document)[0]["after"] = [_steps(document)[0]["code"]]


def _phases(document: dict[str, Any]) -> None:
    document["roadmap"]["phases"].reverse()


def _all(document: dict[str, Any]) -> None:
    document["worth"]["most"]["saved"] = 3.0


def _value(document: dict[str, Any]) -> None:
    _finding(document, "X1")["value"] = None


def _metric(document: dict[str, Any]) -> None:
    _finding(document, "X1")["metric"] = "time.iteration_copy_wait_share"


def _steps(document: dict[str, Any]) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = document["roadmap"]["phases"][0]["steps"]
    return steps


@pytest.mark.parametrize(
    ("break_it", "told"),
    [
        (_saved, "X1 saves up to 0.35 s of 0.3 s"),
        (_reduction, "The bound of X1 is 1.5 of its whole"),
        (_weaker, "X1 saves more by a weaker assumption: 0.9"),
        (_wider, "X1 saves less by going further: 0.1"),
        (_expected, "What is expected of X1 is 1.2 of its bound"),
        (_cause, "The parts of run are"),
        (_breakdown, "The parts of the breakdown are 0.5 of it"),
        (_joint, "steps save 0.01"),
        (_twice, "comes twice"),
        (_too_early, "or before"),
        (_unknown, "Nothing bounds P2, and it is before X1"),
        (_phases, "The phases of the roadmap are out of order"),
        (_all, "All steps save 3 of 1"),
        (_value, "X1 fired without a value"),
        (_metric, "X1 fired, and time.iteration_copy_wait_share was not measured"),
    ],
)
def test_each_invariant_can_fail(break_it: Any, told: str) -> None:
    document = deepcopy(_document(_given()))
    break_it(document)
    assert any(told in each for each in _defects(document, _given()))


def test_an_invariant_has_a_sentence_of_what_holds() -> None:
    assert all(each.__doc__ for each in INVARIANTS)
