"""What to record next is for the tool at hand: no rule sends a reader to another one."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from perfolio.findings.method.workflow import load_workflow
from perfolio.findings.rules.advice_passages import split_passages
from perfolio.findings.rules.catalog import load_rules
from perfolio.metrics.caveats import filter_advice, filter_commands
from perfolio.metrics.requirements import load_vocabulary
from perfolio.readers.tool_catalog import CAPABILITIES, find_tool_folder

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
