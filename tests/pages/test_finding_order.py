"""The sentence on the order of findings says what that order rests on."""

from __future__ import annotations

from typing import Any

import pytest

from perfolio.pages.finding_order import find_saved_share, order_words


def _finding(
    code: str,
    of: str = "",
    *,
    kind: str = "gain",
    after: tuple[str, ...] = (),
    severity: str = "medium",
) -> Any:
    estimate = (
        {
            "kind": kind,
            "of": of,
            "whole": "iteration" if "iteration" in of else "wall",
            "steady": None,
            "reduction": 0.5,
            "on_clock": not of.startswith("CPU time"),
        }
        if of
        else None
    )
    return {"code": code, "severity": severity, "estimate": estimate, "after": list(after)}


@pytest.mark.parametrize(
    ("fired", "says", "never"),
    [
        ([_finding("A1", "wall time")], "", "severe"),
        ([_finding("A1"), _finding("A2")], "The most severe first.", "worth"),
        (
            [_finding("A1", "wall time"), _finding("A2", "wall time")],
            "within one severity by worth.",
            "bounds",
        ),
        (
            [_finding("A1", "wall time"), _finding("A2", "CPU time of all threads; not of run")],
            "what saves time on the clock before what saves cost: shares of the two do not compare",
            "worth most",
        ),
        (
            [_finding("A1", "a typical iteration"), _finding("A2", "wall time")],
            "worth of its own whole (the steady iterations or wall time)",
            "cost",
        ),
        (
            [_finding("A1", "the 9 s, 1 s of which nobody knows"), _finding("A2", "wall time")],
            "(the 9 s, 1 s of which nobody knows, or wall time)",
            "cost",
        ),
        (
            [
                _finding("A1", "wall time"),
                _finding("A2"),
                _finding("A3", "wall time", kind="limit"),
            ],
            "; what nothing bounds comes after that, limits last.",
            "waits for",
        ),
        (
            [_finding("A1", "wall time"), _finding("A2", "wall time", after=("A1",))],
            "; what one of like worth waits for stands before it.",
            "bounds",
        ),
        (
            [
                _finding("A1", "wall time"),
                _finding("A2", "wall time", after=("A1",), severity="low"),
            ],
            "within one severity by worth.",
            "waits for",
        ),
    ],
)
def test_the_order_is_told_as_far_as_it_matters(fired: list[Any], says: str, never: str) -> None:
    words = order_words(fired)
    assert says in words
    assert bool(words) == bool(says)
    assert never not in words


@pytest.mark.parametrize(
    ("of", "words"),
    [
        ("wall time", "the steady iterations"),
        (
            "wall time without short gaps (PC sampling)",
            "the steady iterations without short gaps",
        ),
    ],
)
def test_a_share_of_iterations_names_what_they_are_without(of: str, words: str) -> None:
    worth = {**_finding("A1", of)["estimate"], "steady": 0.7}
    assert find_saved_share(worth) == (words, 0.7)
