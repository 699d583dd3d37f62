"""What has to be kept in mind with a metric, on the runs of one tool.

In:  the caveat of a metric, in sentences. Out: those of its sentences that hold.

A sentence that names a tool is about runs that it recorded; one that speaks of samples, about runs
of tools that take any. `capabilities.toml` says which do.
"""

from __future__ import annotations

import re
from functools import cache

from generator.sources.tools import CAPABILITIES, folder_of, tools
from generator.toml import read_toml

_SENTENCE = re.compile(r"(?<=\.)\s+(?=[A-Z])")
_SAMPLES = re.compile(r"\bsampl", re.IGNORECASE)


@cache
def caveat_on(caveat: str, tool: str) -> str:
    """The sentences of a caveat that hold for runs that `tool` recorded."""
    others = tuple(name for name in tools() if name != tool)
    if tool not in tools():
        return caveat
    kept = [
        sentence
        for sentence in _SENTENCE.split(caveat)
        if not any(name in sentence for name in others)
        and (takes_samples(tool) or not _SAMPLES.search(sentence))
    ]
    return " ".join(kept)


@cache
def takes_samples(tool: str) -> bool:
    """Whether a tool samples threads, rather than recording begins and ends."""
    return bool(read_toml(folder_of(tool) / CAPABILITIES).get("samples", False))
