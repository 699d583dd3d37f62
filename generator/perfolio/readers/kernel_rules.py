"""What work a kernel does, by its name: the one table that decides it, for readers and the store.

In:  `kernels.csv`: class of the work, a pattern of names and where it is looked for, of which the
     first row that fits counts, and of collectives what in such a name, besides its operation, says
     that ranks meet in it. Where: the whole `name`; the `function` alone, without namespaces and
     arguments; or the template `argument` of a function that does whatever its arguments say.
Out: the rules, and the collective in which ranks meet by the name of its kernel.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("kernels.csv")
COLLECTIVE = "collective"
CLASS_WORDS = {
    "product": "matrix products",
    "batched product": "batched matrix products",
    "cast or copy": "casts and copies",
    COLLECTIVE: "communication",
}
"""What a class of work is called on pages and in charts, where that is not the class itself."""
_MEETING_OPERATIONS = "all_?reduce|all_?gather|reduce_?scatter|all_?to_?all|barrier"
"""What each rank needs something of every other one for, whatever library does it."""
_LONGEST = 2_000
"""Characters of a name that are looked at."""
_BEFORE = (
    r"^(?:std::enable_if(?:_t)?<[^ ]*(?: [^ ]*){0,4}?\bvoid>(?:::type)? )?"
    r"(?:\(anonymous namespace\)|[^<(])*"
)
"""A return type that has conditions, of a few words, and namespaces."""
_WRAPPERS = (
    r"(?:(?:^|[ :])(?:kernel2?|device_kernel|kentry|trampoline_kernel)|elementwise_kernel\w*"
    r"|reduce_kernel|multi_?tensor_?apply\w*)"
)
_PLACES = {
    "name": "(?is){pattern}",
    "function": f"(?is){_BEFORE}(?:{{pattern}})[^<(:]*(?:[<(]|$)",
    "argument": f"(?is){_BEFORE}{_WRAPPERS}<.*(?:{{pattern}})",
}
"""Where a pattern is looked for. A type or a namespace says what a kernel works on, or whose it is,
not what it does: `finalizeKernel<cutlass::bfloat16_t>` and `flashinfer::norm::RMSNormKernel`."""


@dataclass(frozen=True)
class KernelRule:
    """A row of the table."""

    rank: int
    work: str
    """The class of the work."""
    pattern: str
    """In whatever case; RE2 and Python read it alike."""
    meeting: str
    """What else in such a name says that ranks meet."""


@cache
def load_kernel_rules() -> tuple[KernelRule, ...]:
    """All rules, the first one that fits a name before others."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return tuple(
            KernelRule(
                int(row["rank"]),
                row["class"],
                _PLACES[row["looks_at"]].replace("{pattern}", row["pattern"]),
                row["meeting"] or "",
            )
            for row in csv.DictReader(file)
        )


def name_class(work: str) -> str:
    """A class of work in words: `matrix products`, `attention`, `communication`."""
    return CLASS_WORDS.get(work, work)


def forget_kernel_rules() -> None:
    """Read the table anew when it is next asked for: it was edited."""
    load_kernel_rules.cache_clear()
    _compile_collectives.cache_clear()


def find_meeting(name: str) -> str:
    """The operation in which ranks meet in a kernel of this name; empty where they do not."""
    shown = name[:_LONGEST]
    for pattern, meeting in _compile_collectives():
        if pattern.search(shown):
            found = meeting.search(shown) if meeting else None
            return found[0].lower().replace("_", "") if found else ""
    return ""


@cache
def _compile_collectives() -> Sequence[tuple[re.Pattern[str], re.Pattern[str] | None]]:
    """Rules up to the last one of collectives, and how ranks meet by those."""
    rules = load_kernel_rules()
    last = max(number for number, rule in enumerate(rules) if rule.work == COLLECTIVE)
    return [
        (re.compile(rule.pattern), _compile_meeting(rule) if rule.work == COLLECTIVE else None)
        for rule in rules[: last + 1]
    ]


def _compile_meeting(rule: KernelRule) -> re.Pattern[str]:
    return re.compile("|".join(filter(None, (rule.meeting, _MEETING_OPERATIONS))), re.IGNORECASE)
