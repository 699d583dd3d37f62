"""The page that lists comparisons of several runs with one: the fastest first.

In:  documents of comparisons with one side before, and where their pages lie. Out: Markdown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from perfolio.comparison.compared_tables import describe_difference
from perfolio.pages.comparison_pages import describe_cause, name_cause
from perfolio.pages.template_environment import render

Document = Mapping[str, Any]
_JUDGED = ("faster", "recordings-differ", "cannot-tell", "no-difference", "slower")
"""Verdicts on times that can be compared."""
_UNDECIDED = ("recordings-differ", "cannot-tell")


@dataclass(frozen=True)
class ListedComparison:
    """A comparison of the list: the folder of its page, and its document."""

    folder: str
    document: Document

    @property
    def title(self) -> str:
        """What the runs after are called."""
        return str(self.document["names"]["after"])


def render_comparison_list(comparisons: Sequence[ListedComparison]) -> str:
    """The list, with a link to each page."""
    before = str(comparisons[0].document["names"]["before"])
    return render(
        "comparison/list.md.j2",
        title=f"{before} and {len(comparisons)} others",
        headline=write_headline(comparisons),
        before=before,
        rows=sorted(comparisons, key=_rank_comparison),
        words={
            "cause": describe_cause,
            "named_cause": name_cause,
            "signed": describe_difference,
        },
    )


def write_headline(comparisons: Sequence[ListedComparison]) -> str:
    """Which of them to take, or what would decide that."""
    kinds = {one.document["verdict"]["kind"] for one in comparisons}
    each = sorted(comparisons, key=_rank_comparison)
    faster = [one for one in each if one.document["verdict"]["kind"] == "faster"]
    if faster:
        return f"Take {faster[0].title}: it is the fastest."
    if kinds & {*_UNDECIDED}:
        return "Not decided: record 5 runs of each, in turn, then compare again."
    if kinds <= {"not-comparable"}:
        return "None of them is comparable."
    return "None of them is faster."


def _rank_comparison(one: ListedComparison) -> tuple[bool, float, str]:
    """The least time first; what is not comparable comes last."""
    judged = one.document["verdict"]["kind"] in _JUDGED
    return not judged, float(one.document["difference"]["value"]), one.folder
