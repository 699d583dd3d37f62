"""What has to be kept in mind with a metric or a rule, on the runs of one tool.

In:  the caveat of a metric or a rule's advice. Out: those of its sentences that hold.

A sentence that names a tool which takes samples is about the runs that it recorded; a caveat that
speaks of samples, about runs of such tools. `capabilities.toml` says which do.
"""

from __future__ import annotations

import re
from functools import cache

from generator.sources.tools import CAPABILITIES, folder_of, tools
from generator.toml import read_toml

_SENTENCE = re.compile(r"(?<=\.)\s+(?=[A-Z])")
_FENCE = "```"
_SAMPLES = re.compile(r"\bsampl", re.IGNORECASE)


@cache
def caveat_on(caveat: str, tool: str) -> str:
    """The sentences of a caveat that hold for runs that `tool` recorded."""
    kept = _sentences_on(caveat, tool)
    if tool in tools() and not takes_samples(tool):
        kept = [sentence for sentence in kept if not _SAMPLES.search(sentence)]
    return " ".join(kept)


@cache
def advice_on(text: str, tool: str) -> str:
    """Markdown without the sentences that are about runs of other tools; code stays as it is."""
    lines, is_code = [], False
    for line in text.split("\n"):
        is_code ^= line.startswith(_FENCE)
        bullet, words = (line[:2], line[2:]) if line.startswith("- ") else ("", line)
        kept = words if is_code else " ".join(_sentences_on(words, tool))
        if kept or not words:
            lines.append(bullet + kept)
    return "\n".join(lines)


def _sentences_on(text: str, tool: str) -> list[str]:
    others = [name for name in tools() if name != tool and takes_samples(name)]
    known = tool in tools()
    return [
        sentence
        for sentence in _SENTENCE.split(text)
        if not known or not any(name in sentence for name in others)
    ]


@cache
def takes_samples(tool: str) -> bool:
    """Whether a tool samples threads, rather than recording begins and ends."""
    return bool(read_toml(folder_of(tool) / CAPABILITIES).get("samples", False))
