"""Passages of advice: shown where their conditions hold, with the run's numbers."""

from __future__ import annotations

import pytest

from perfolio.common.errors import ContentError
from perfolio.findings.model.conditions import look_up
from perfolio.findings.rules.advice_passages import (
    find_named_metrics,
    format_for_readers,
    refuse_empty,
    resolve_sections,
    split_passages,
)
from perfolio.findings.rules.catalog import load_rules
from perfolio.metrics.caveats import is_sampling_tool
from perfolio.readers.tool_catalog import list_tools
from tests.findings.support import metrics, results

TORCH = {"run.software": [{"kind": "framework", "name": "PyTorch", "seen": 3}]}
TEXT = """Always.

::: where run.software has PyTorch
Use a loader.

```python
{"no": 1}

loader()
```
::: otherwise
Use threads.
:::
After."""


def shown(text: str, **given: object) -> str:
    return resolve_sections({"What to do": text}, results(**given))["What to do"]  # type: ignore[arg-type]


def test_a_passage_is_shown_where_a_table_has_the_word() -> None:
    with_torch = shown(TEXT, tables=TORCH)
    assert (
        with_torch == 'Always.\n\nUse a loader.\n\n```python\n{"no": 1}\n\nloader()\n```\n\nAfter.'
    )
    assert shown(TEXT) == "Always.\n\nUse threads.\n\nAfter."


@pytest.mark.parametrize(
    ("gaps", "seen"), [(0.3, True), (0.2, False), (None, False)], ids=["above", "at", "unknown"]
)
def test_a_number_must_be_known_to_show_a_passage(gaps: float | None, seen: bool) -> None:
    text = "A\n::: where time.data_share > 0.2\nB\n:::\n"
    given = {} if gaps is None else {"time.data_share": gaps}
    assert ("B" in shown(text, measured=given)) is seen
    assert ("B" in shown(text.replace("where", "unless"), measured=given)) is not seen
    assert ("B" in shown(text.replace("where", "where not"), measured=given)) is not seen


def test_all_of_several_conditions_have_to_hold() -> None:
    text = "A\n::: where run.software has PyTorch and time.data_share > 0.2\nB\n:::\n"
    assert "B" in shown(text, tables=TORCH, measured={"time.data_share": 0.3})
    assert "B" not in shown(text, tables=TORCH, measured={"time.data_share": 0.1})
    assert "B" not in shown(text, measured={"time.data_share": 0.3})


WAITS = {
    "cpu.gpu_waits": [
        {"function": "cudaStreamSynchronize", "called_file": "/x/torch/optim/adam.py"},
        {"function": "cudaStreamSynchronize", "called_file": "/x/train.py"},
    ]
}


@pytest.mark.parametrize(
    ("condition", "seen", "of_none"),
    [
        ("cpu.gpu_waits has train.py", True, False),
        ("cpu.gpu_waits[0].called_file has train.py", False, False),
        ("cpu.gpu_waits[0].called_file has torch/optim/", True, False),
        ("not cpu.gpu_waits[0].called_file has torch/optim/", False, True),
        ("not cpu.gpu_waits[0].called_file has train.py", True, True),
        ("not cpu.gpu_waits has train.py", False, True),
    ],
)
def test_a_word_is_sought_in_a_table_or_in_one_cell(
    condition: str, seen: bool, of_none: bool
) -> None:
    text = f"A\n::: where {condition}\nB\n:::\n"
    assert ("B" in shown(text, tables=WAITS)) is seen
    assert ("B" in shown(text)) is of_none


def test_a_block_has_the_runs_numbers_or_is_left_out() -> None:
    text = "An iteration takes {time.iteration_median}.\n\nMore {here}."
    assert shown(text, measured={"time.iteration_median": 0.0036}) == (
        "An iteration takes 3.60 ms.\n\nMore {here}."
    )
    assert shown(text) == "More {here}."


def test_items_of_a_list_stay_one_list() -> None:
    text = "- a\n::: where run.software has PyTorch\n- b\n:::\n- c\n\nd"
    assert shown(text, tables=TORCH) == "- a\n- b\n- c\n\nd"
    assert shown(text) == "- a\n- c\n\nd"


def test_no_word_of_a_profile_gets_into_advice() -> None:
    with pytest.raises(ContentError, match="no number"):
        shown("It is {run.software[0].name}.", tables=TORCH)


@pytest.mark.parametrize(
    "text",
    [
        "::: where time.wall\nA",
        "A\n:::\n",
        "::: otherwise\nA\n:::",
        "::: where a.b\nA\n::: otherwise\nB\n::: otherwise\nC\n:::",
        "::: where a.b\nA\n::: where c.d\nB\n:::",
        "::: when a.b\nA\n:::",
        "::: where a.b is large\nA\n:::",
    ],
)
def test_a_mark_out_of_place_is_refused(text: str) -> None:
    with pytest.raises(ContentError):
        split_passages(text)


@pytest.mark.parametrize("text", ["::: where a.b\nA\n:::", "It takes {time.wall}.", ""])
def test_a_section_that_some_run_would_not_show_is_refused(text: str) -> None:
    with pytest.raises(ContentError, match="every run shows"):
        refuse_empty(text)


def test_each_tool_leaves_something_of_each_section_of_each_rule() -> None:
    """Tools that take no samples leave the same of a text; a document has no empty section."""
    sampling = [tool for tool in list_tools() if is_sampling_tool(tool)]
    for tool in (*sampling, "PyTorch profiler"):
        for rule in load_rules().values():
            for text in rule.sections.values():
                refuse_empty(text, tool)


def test_a_section_that_some_tool_would_not_show_is_refused() -> None:
    refuse_empty("Record more samples.", "HPCToolkit")
    with pytest.raises(ContentError, match="every run of PyTorch profiler shows"):
        refuse_empty("Take the usual samples.", "PyTorch profiler")


def test_readers_of_all_rules_see_every_passage_and_its_condition() -> None:
    page = format_for_readers(TEXT)
    assert "> *Where `run.software has PyTorch`:*\n>\n> Use a loader." in page
    assert "> *Otherwise:*\n>\n> Use threads." in page
    assert page.endswith("After.")


def test_what_advice_reads_is_known() -> None:
    named = set(find_named_metrics(TEXT + "\n\n{time.wall} {gpu.kernels[0].share}"))
    assert named == {"run.software", "time.wall", "gpu.kernels"}


@pytest.mark.parametrize("code", load_rules())
def test_advice_inserts_only_columns_that_exist_and_hold_numbers(code: str) -> None:
    """A word of the profile would be printed as Markdown."""
    rule = load_rules()[code]
    tables = [name for name, metric in metrics().items() if metric.shape == "table"]
    empty = results(tables=dict.fromkeys(tables, ()))
    for text in rule.sections.values():
        for passage in split_passages(text):
            for field in passage.fields():
                look_up(field, empty)
                column = field.rpartition(".")[2]
                units = {each.name: each.unit for each in metrics()[field.split("[")[0]].columns}
                assert units.get(column, "1") != "text"
