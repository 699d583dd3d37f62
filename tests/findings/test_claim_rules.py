"""The rule on claims, fed by the claims that an audit judged.

Also: What to record next is for the tool at hand: no rule sends a reader to another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from perfolio.findings.claim_rules import judge_claims
from perfolio.findings.document import make_findings_document
from perfolio.findings.method.workflow import load_workflow
from perfolio.findings.rules.advice_passages import split_passages
from perfolio.findings.rules.catalog import load_rules
from perfolio.metrics.caveats import filter_advice, filter_commands
from perfolio.metrics.document import make_metrics_document
from perfolio.metrics.requirements import load_vocabulary
from perfolio.readers.tool_catalog import CAPABILITIES, find_tool_folder
from tests.findings.support import results, validate
from tests.findings.test_document import RUN


def _claim(value: str, bound: str, ratio: float | None, kind: str = "speedup") -> dict[str, Any]:
    verdict = "unbounded" if ratio is None or ratio > 1.0 else "within its bound"
    return {"kind": kind, "claimed": value, "measured": bound, "ratio": ratio, "verdict": verdict}


RULES = load_rules()
(CODE,) = (code for code, rule in RULES.items() if rule.needs.input == "claims")
BOLD = _claim("100×", "at most 1.0024×", 99.76)
MODEST = _claim("1.10×", "at most 2.00×", 0.55)


def _document() -> dict[str, Any]:
    given = results({"gpu.operation_time": 2.0, "gpu.copy_to_kernel": 1.5, "run.ranks": 0.0})
    return make_findings_document(make_metrics_document(RUN, given))


def _judged(*claims: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    document = _document()
    document["findings"] = judge_claims(document["findings"], {"claims": list(claims)}, RULES)
    validate(document)
    return document, next(one for one in document["findings"] if one["code"] == CODE)


def test_a_promise_above_its_bound_fires_before_milder_findings() -> None:
    document, finding = _judged(MODEST, BOLD)
    assert (finding["status"], finding["severity"]) == ("fired", "high")
    assert finding["value"] == pytest.approx(99.76)
    assert finding["sentence"] == (
        "1 of 2 promised speed-ups exceed their bound; the boldest promises 100×, where "
        "at most 1.0024× is possible."
    )
    assert document["findings"][0]["code"] == CODE


def test_promises_within_their_bounds_pass() -> None:
    _, finding = _judged(MODEST)
    assert finding["status"] == "passed"
    assert finding["sentence"] == "1 of 1 promised speed-ups lie within their bounds."
    margin = finding["margin"]
    assert (margin["threshold"], margin["relative"]) == (1.0, pytest.approx(0.45))
    assert margin["distance"] == pytest.approx(0.45)
    assert margin["sentence"] == (
        "It would fire where the boldest claim were above its bound; it is 0.550× of it."
    )


@pytest.mark.parametrize("claims", [(), (_claim("3", "4", 0.75, "value"),),
                                    (_claim("10×", "", None),)])  # fmt: skip
def test_without_a_promise_whose_bound_is_known_it_does_not_apply(claims: Any) -> None:
    document, finding = _judged(*claims)
    assert finding["status"] == "not_applicable"
    assert "promises no speed-up" in finding["reason"]
    codes = [one["code"] for one in _document()["findings"]]
    assert [one["code"] for one in document["findings"]] == codes


TOOLS = ("PyTorch profiler", "Nsight Systems", "rocprofv3")
FOREIGN = re.compile(r"hpcrun|hpcprof|hpcstruct|HPCToolkit")


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("code", load_rules())
def test_a_rule_names_no_command_of_a_tool_that_samples(tool: str, code: str) -> None:
    rule = load_rules()[code]
    told = [
        filter_advice(passage.text, tool)
        for section in rule.sections.values()
        for passage in split_passages(section)
    ]
    told += [filter_commands(text, tool) for text in rule.needs.decide_with.values()]
    if rule.input is not None:
        told += [filter_commands(text, tool) for text in rule.input.collect.values()]
    assert [text for text in told if FOREIGN.search(text)] == []


@pytest.mark.parametrize("tool", TOOLS)
def test_what_a_run_lacks_is_recorded_with_its_own_tools(tool: str) -> None:
    vocabulary = load_vocabulary(find_tool_folder(tool) / CAPABILITIES)
    assert [text for text in _commands(tool) if FOREIGN.search(text)] == []
    hidden = {each.by for each in vocabulary.hidden}
    assert {"lost_graphs", "lost_launches", "lost_times", "captured_launches"} <= hidden
    assert all(each.collect for each in vocabulary.hidden if each.by != "whole_graphs")


def _commands(tool: str) -> Iterator[str]:
    vocabulary = load_vocabulary(find_tool_folder(tool) / CAPABILITIES)
    for entry in vocabulary.entries:
        yield from (*entry.collect.values(), *entry.never.values(), entry.what)
    for hidden in vocabulary.hidden:
        yield from (*hidden.collect.values(), hidden.why)
    for step in load_workflow():
        for task in step.tasks:
            yield from (filter_commands(text, tool) for text in task.collect.values())


def test_runs_of_the_tool_itself_keep_its_commands() -> None:
    command = "hpcrun -e CPUTIME -t PROGRAM\nncu PROGRAM"
    assert filter_commands(command, "HPCToolkit") == command
    assert filter_commands(command, "PyTorch profiler") == "ncu PROGRAM"
    assert filter_commands(command, "a tool of tomorrow") == command
