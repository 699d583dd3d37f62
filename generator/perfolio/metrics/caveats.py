"""What has to be kept in mind with a metric or a rule, on the runs of one tool.

In:  the caveat of a metric or a rule's advice. Out: those of its sentences that hold.

A sentence that names a tool which takes samples is about the runs that it recorded; one that speaks
of samples, about runs of such tools. `capabilities.toml` says which do, and which commands are
theirs: on a run of another tool, these would record another profile, and not what this one lacks.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from perfolio.common.toml_files import read_toml
from perfolio.readers.tool_catalog import CAPABILITIES, find_tool_folder, list_tools

_SENTENCE = re.compile(r"(?<=\.)\s+(?=[A-Z])")
_FENCE = "```"
_EMPTY_CODE = re.compile(r"```\w*\n```\n?")
_ANY_SAMPLE = re.compile(r"\bsampl", re.IGNORECASE)
_SAMPLES = re.compile(
    r"\bsampl(ed|ing)\b|\b(PC|host|no|the|its|their|loses|usual) samples?\b|^samples?\b"
    r"|\bsamples? (of (CPU|elapsed|PC|the|launching|functions|threads)|that|was|were|came?|show)",
    re.IGNORECASE,
)
"""Samples that a profiler takes, and not those that a model is trained with."""


@cache
def filter_caveat(caveat: str, tool: str) -> str:
    """The sentences of a caveat that hold for runs that `tool` recorded."""
    return " ".join(_filter_sentences(caveat, tool, _ANY_SAMPLE))


def take_first_sentence(definition: str) -> str:
    """What a metric is, in one line."""
    return _SENTENCE.split(definition, maxsplit=1)[0]


@cache
def filter_definition(definition: str, tool: str) -> str:
    """A definition but for sentences on runs of other tools; its first one always stands."""
    first, *rest = _SENTENCE.split(definition)
    return " ".join([first, *_filter_sentences(" ".join(rest), tool, _ANY_SAMPLE)]).strip()


@cache
def filter_advice(text: str, tool: str) -> str:
    """Markdown without the sentences that are about runs of other tools; code stays as it is."""
    lines, is_code = [], False
    for line in text.split("\n"):
        is_code ^= line.startswith(_FENCE)
        bullet, words = (line[:2], line[2:]) if line.startswith("- ") else ("", line)
        filtered = (
            filter_commands(words, tool) if is_code else " ".join(_filter_sentences(words, tool))
        )
        if filtered or not words:
            lines.append(bullet + filtered)
    return _EMPTY_CODE.sub("", "\n".join(lines))


@cache
def filter_commands(text: str, tool: str) -> str:
    """Lines of commands without those of other tools that take samples."""
    foreign = _find_foreign_commands(tool)
    return "\n".join(line for line in text.split("\n") if not (foreign and foreign.search(line)))


def _filter_sentences(text: str, tool: str, samples: re.Pattern[str] = _SAMPLES) -> list[str]:
    """Those that name no other tool that takes samples and, without samples, speak of none."""
    sentences = [sentence for sentence in _SENTENCE.split(text) if sentence]
    if tool not in list_tools():
        return sentences
    others = [name for name in list_tools() if name != tool and is_sampling_tool(name)]
    foreign = _find_foreign_commands(tool)
    return [
        sentence
        for sentence in sentences
        if not any(name in sentence for name in others)
        and not (foreign and foreign.search(sentence))
        and (is_sampling_tool(tool) or not samples.search(sentence))
    ]


@cache
def is_sampling_tool(tool: str) -> bool:
    """Whether a tool samples threads, rather than recording begins and ends."""
    return bool(read_toml(find_tool_folder(tool) / CAPABILITIES).get("samples", False))


@cache
def _find_foreign_commands(tool: str) -> re.Pattern[str] | None:
    """Commands of other tools that take samples; None where there are none, or the tool is none."""
    if tool not in list_tools():
        return None
    own = _read_commands(find_tool_folder(tool))
    others = {name for folder in list_tools().values() for name in _read_commands(folder)} - own
    return re.compile(rf"\b({'|'.join(sorted(others))})\b") if others else None


def _read_commands(folder: Path) -> set[str]:
    listed = read_toml(folder / CAPABILITIES).get("commands", [])
    return set(map(str, listed)) if isinstance(listed, list) else set()
