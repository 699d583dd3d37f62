"""Passages of a rule's advice that are shown only where they follow from the run.

In:  Markdown of a rule file, and results.
Out: Markdown for one run, or for a reader of all rules.

    ::: where run.software has PyTorch and time.data_share > 0.05
    ... {target.workers[0].workers} workers ...
    ::: otherwise
    ...
    :::

`where` needs all its conditions to be known and true, `unless` shows what `where` hides. A
condition is one of `conditions`, or `<table> has <word>`: a cell of text that holds the word; or
`<table>[0].<column> has <word>`, of one cell. `not` before one is true where it is not known to be.
A paragraph or block that names a number (`{metric}`, always with a dot) is left out where the
number is not measured; only numbers are inserted, never a word of the profile. Commands that start
PROGRAM start as many ranks as the run had.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from perfolio.common.errors import ContentError
from perfolio.findings.model.conditions import (
    fill_template,
    get_field_metric,
    is_met,
    look_up,
    parse_condition,
)
from perfolio.findings.model.rule import Condition
from perfolio.findings.model.run_traits import find_setting
from perfolio.metrics.caveats import filter_advice
from perfolio.metrics.model import Cell, Results
from perfolio.metrics.run_commands import CommandSetting, start_commands

_MARK = re.compile(r"^:::(?P<words>[^\n]*)$", re.MULTILINE)
_OPENING = re.compile(r"(?P<kind>where|unless) (?P<conditions>\S.*)")
_HAS = re.compile(r"(?P<table>[a-z0-9_.\[\]]+) has (?P<word>[A-Za-z0-9_.:+/ -]+)")
_FIELD = re.compile(r"\{((?:[a-z0-9_]+\.)+[a-z0-9_.\[\]]+)\}")
_FENCE = "```"


@dataclass(frozen=True)
class PassageCondition:
    """What a passage asks of a run: a condition, or whether a text in a table holds a word."""

    metric: str
    """What it reads: a metric, a table, or one cell of a table."""
    condition: Condition | None = None
    word: str = ""
    negated: bool = False

    def holds(self, results: Results) -> bool:
        """Whether it is known to be so; if negated, whether it is not known to be."""
        if self.condition is not None:
            return (is_met(self.condition, results) is True) != self.negated
        texts = (
            cell.lower() for cell in _find_cells(self.metric, results) if isinstance(cell, str)
        )
        return any(self.word.lower() in text for text in texts) != self.negated


@dataclass(frozen=True)
class AdvicePassage:
    """Markdown, and where it is shown: everywhere without conditions."""

    text: str
    conditions: tuple[PassageCondition, ...] = ()
    negated: bool = False
    said: str = ""
    """The conditions as the rule's author wrote them."""
    otherwise: bool = False
    """Whether it stands in place of the passage before it."""

    def fields(self) -> tuple[str, ...]:
        """The numbers that it names."""
        return tuple(_FIELD.findall(self.text))


@lru_cache(2_048)  # all sections of all rules, of which each document asks several times
def split_passages(text: str) -> tuple[AdvicePassage, ...]:
    """The passages of a section in order; ContentError where a mark is out of place."""
    first, *rest = _MARK.split(text)
    found, opened = [AdvicePassage(first)], AdvicePassage("")
    for words, body in zip(rest[::2], rest[1::2], strict=True):
        opened = _open_passage(words.strip(), body, opened)
        found.append(opened)
    if opened.conditions:
        raise ContentError(f"`::: {opened.said}` is never closed by `:::`")
    return tuple(passage for passage in found if passage.text.strip())


def find_named_metrics(text: str) -> Iterator[str]:
    """Every metric that a section reads, in its conditions and its numbers."""
    for passage in split_passages(text):
        yield from (get_field_metric(condition.metric) for condition in passage.conditions)
        yield from (get_field_metric(field) for field in passage.fields())


def resolve_sections(
    sections: Mapping[str, str], results: Results, tool: str = ""
) -> dict[str, str]:
    """Sections as they are shown for a run of a tool: its passages, with its numbers."""
    known = find_setting(results)
    return {
        heading: filter_advice(_resolve_section(text, results, known), tool)
        for heading, text in sections.items()
    }


def format_for_readers(text: str) -> str:
    """A section with every passage, each below the condition on which it is shown."""
    parts = [
        _quote_passage(passage) if passage.conditions else passage.text.strip()
        for passage in split_passages(text)
    ]
    return "\n\n".join(parts)


def refuse_empty(text: str, tool: str = "") -> None:
    """ContentError where a run, of that tool if one is named, could leave nothing of a section."""
    always = [passage.text for passage in split_passages(text) if not passage.conditions]
    blocks = [block for part in always for block in _split_blocks(part) if not _FIELD.search(block)]
    if not any(filter_advice(block, tool) for block in blocks):
        raise ContentError(f"holds nothing that every run{f' of {tool}' if tool else ''} shows")


def _open_passage(words: str, body: str, before: AdvicePassage) -> AdvicePassage:
    """The passage that follows a mark: of new conditions, of the opposite, or of none."""
    if words == "" and before.conditions:
        return AdvicePassage(body)
    if words == "otherwise" and before.conditions and not before.otherwise:
        return AdvicePassage(
            body, before.conditions, not before.negated, before.said, otherwise=True
        )
    opening = _OPENING.fullmatch(words)
    if opening is None or before.conditions:
        raise ContentError(f"`::: {words}` is out of place")
    conditions = tuple(
        _parse_passage_condition(each) for each in opening["conditions"].split(" and ")
    )
    return AdvicePassage(body, conditions, opening["kind"] == "unless", words)


def _parse_passage_condition(text: str) -> PassageCondition:
    plain = text.strip().removeprefix("not ")
    negated = plain != text.strip()
    if has := _HAS.fullmatch(plain):
        return PassageCondition(has["table"], word=has["word"], negated=negated)
    condition = parse_condition(plain)
    return PassageCondition(condition.metric, condition, negated=negated)


def _resolve_section(text: str, results: Results, known: CommandSetting) -> str:
    shown = [passage.text for passage in split_passages(text) if _is_shown(passage, results)]
    blocks = (_fill_block(block, results) for part in shown for block in _split_blocks(part))
    return _join_blocks(start_commands(block, known) for block in blocks if block is not None)


def _join_blocks(blocks: Iterable[str]) -> str:
    """Blocks with empty lines between them, but for items of one list."""
    text = ""
    for block in blocks:
        same_list = block.startswith("- ") and text.rpartition("\n\n")[2].startswith("- ")
        text += ("" if not text else "\n" if same_list else "\n\n") + block
    return text


def _is_shown(passage: AdvicePassage, results: Results) -> bool:
    true = all(asked.holds(results) for asked in passage.conditions)
    return not passage.conditions or true != passage.negated


def _find_cells(field: str, results: Results) -> Iterable[Cell]:
    """The one cell that `field` names, or all cells of the table; ContentError without one."""
    if "[" in field:
        looked = look_up(field, results)
        return () if looked is None else (looked.value,)
    if field not in results:
        raise ContentError(f"unknown metric {field!r}")
    return (cell for row in results[field].rows for cell in row)


@lru_cache(4_096)
def _split_blocks(text: str) -> tuple[str, ...]:
    """Paragraphs, lists and whole blocks of code: what empty lines divide."""
    return tuple(_divide_text(text))


def _divide_text(text: str) -> Iterator[str]:
    block: list[str] = []
    in_code = False
    for line in text.strip().split("\n"):
        in_code ^= line.lstrip().startswith(_FENCE)
        if line.strip() or in_code:
            block.append(line)
        elif block:
            yield "\n".join(block)
            block = []
    if block:
        yield "\n".join(block)


def _fill_block(block: str, results: Results) -> str | None:
    """`block` with its numbers; None where one is not measured."""
    if "{" not in block:
        return block
    texts = {field: _format_number(field, results) for field in _FIELD.findall(block)}
    if not all(texts.values()):
        return None
    return _FIELD.sub(lambda match: texts[match[1]] or "", block)


def _format_number(field: str, results: Results) -> str | None:
    """A measured number as text; ContentError for a text, which pages would print unescaped."""
    looked = look_up(field, results)
    if looked is not None and isinstance(looked.value, str):
        raise ContentError(f"{{{field}}} is no number")
    return fill_template(f"{{{field}}}", results)


def _quote_passage(passage: AdvicePassage) -> str:
    said = passage.said.partition(" ")[2]
    shown = {False: "Where", True: "Unless"}[passage.negated]
    head = f"*{shown} `{said}`:*" if not passage.otherwise else "*Otherwise:*"
    lines = [head, "", *passage.text.strip().split("\n")]
    return "\n".join(f"> {line}".rstrip() for line in lines)
