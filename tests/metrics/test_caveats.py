"""Which sentences hold on the runs of a tool."""

from __future__ import annotations

import pytest

from perfolio.metrics.caveats import filter_advice, filter_caveat, filter_definition

SAMPLING, RECORDING = "HPCToolkit", "PyTorch profiler"


@pytest.mark.parametrize(
    ("tool", "left"),
    [
        (SAMPLING, "Shares of time. Samples that were lost count for none. HPCToolkit sees less."),
        (RECORDING, "Shares of time."),
        ("a tool nobody knows", None),
    ],
)
def test_sentences_on_other_tools_are_left_out(tool: str, left: str | None) -> None:
    text = "Shares of time. Samples that were lost count for none. HPCToolkit sees less."
    assert filter_caveat(text, tool) == (left or text)


def test_the_first_sentence_of_a_definition_stands() -> None:
    text = "What samples of threads show. No sample is no time. Sums of threads."
    assert filter_definition(text, RECORDING) == "What samples of threads show. Sums of threads."
    assert filter_definition(text, SAMPLING) == text


@pytest.mark.parametrize(
    "line",
    [
        "- A batch is made sample by sample in Python.",
        "sampler = DistributedSampler(data, shuffle=True)",
        "Put several samples into one launch.",
    ],
)
def test_samples_of_a_model_are_no_samples_of_a_profiler(line: str) -> None:
    assert filter_advice(line, RECORDING) == line
