"""How values and words of a profile become Markdown: escaped, bounded, with units.

In:  anything a JSON document holds. Names of functions, files, kernels, titles and
     notes are untrusted: HTML, Markdown, attribute lists, template code, control
     characters, 100 kB in one line.
Out: text that is safe in a paragraph, a heading, a table cell, a link's text, raw
     HTML and an HTML attribute alike.

One escape serves all those places: each ASCII character that any Markdown extension
or HTML could read as markup is written as a character reference. Both a Markdown
parser and a browser turn that back into the character, and neither acts on it.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import PurePosixPath
from typing import cast
from urllib.parse import quote

from perfolio.common import units
from perfolio.common.errors import ContentError
from perfolio.findings.model.rule import WHO, Who
from perfolio.pages.finding_order import order_words

NAME_LIMIT = 96
"""Characters of a name that are shown; the middle of a longer one is left out."""
TITLE_LIMIT = 1_000
"""Characters of the full name in the tooltip."""
PROSE_LIMIT = 4_000
"""Characters of a sentence, a description or a paragraph of notes."""
CODE_LIMIT = 20_000
"""Characters of a query or a command."""
NO_NAME = "(no name)"
_NO_BREAK_SPACE = "\u00a0"
_HARMLESS = r"[A-Za-z0-9 ,.;/%()'?!-]|:(?= |$)|(?<!=)=(?!=)"
"""What stays as it is inside a line, so that the Markdown stays readable: no extension
reads these characters as markup there. `:word:`, `==` and the like do not stay, and neither
does what would make a line a list, quotation, rule or heading."""
_MARKUP = re.compile(rf"(?!{_HARMLESS})[\x00-\x7f]|(?i:(?<=www)\.)")
_LINE_START = re.compile(r"\A(?:\d+[.)](?= |\Z)|[!-/:-@\[-`{-~])")
_OF_ITERATIONS = re.compile("^(a typical iteration|the steady iterations|the steady state)")
_CODE_SPAN = re.compile(r"`([^`\n]+)`")
_SENTENCE_END = re.compile(r"(?<=[.!?]) (?=[A-Z])")
_FENCED = re.compile(r"^(?P<marks>`{3,}).*?^(?P=marks)\s*$", re.MULTILINE | re.DOTALL)
_LIST_ITEM = re.compile(r"(?:^|\n)(?:[-*]|\d+\.) +")
_BACKTICKS = re.compile(r"`+")
_BEFORE_UNIT = re.compile(r"(?<=\d) (?=(?:%|[kMGTPE]?B(?:/s)?|(?:CPU-|thread-|[mµnp])?s)(?!\w))")
"""Where a line must not end: between a number and its unit."""
_HYPHEN_OF_UNIT = re.compile(r"(?<=CPU-|ead-)(?=s\b)")
"""Where it must not end either: inside `CPU-s` and `thread-s`."""
_WORD_JOINER = "\u2060"
_SEPARATOR = "&#58;|&#62;|&#95;|[,/]"
"""How `:`, `>`, `_`, `,` and `/` look once escaped."""
_BREAK = re.compile(rf"(?:{_SEPARATOR})(?!{_SEPARATOR}|[ ;]|\Z)")
"""Where a long name may go to the next line: after its separators."""
_LONG = 28
"""Characters up to which a name stays on one line."""
_LOOK_ALIKES = str.maketrans({"<": "‹", ">": "›", '"': "”", "&": "+", "{": "(", "}": ")"})


def clean(value: object) -> str:
    r"""`value` on one line; characters without a glyph are written out, like `\u202e`."""
    line = str(value)
    if line.isprintable():  # the only space is then the usual one
        return " ".join(line.split())
    spaced = "".join(" " if c.isspace() else c for c in line)
    shown = (
        c if c.isprintable() else c.encode("unicode_escape", "replace").decode("ascii")
        for c in spaced
    )
    return " ".join("".join(shown).split())


def shorten(value: object, limit: int = NAME_LIMIT) -> str:
    """`value` on one line with at most `limit` characters: the middle is left out.

    Both ends are kept because a C++ name begins, and a path ends, with what tells it apart.
    """
    raw = str(value)
    line = clean(raw if len(raw) <= 4 * limit else raw[: 2 * limit] + raw[-2 * limit :])
    if len(line) <= limit:
        return line if len(raw) <= 4 * limit else f"{line[: limit - 1]}…"
    head = (limit - 1) * 2 // 3
    return f"{line[:head].rstrip()}…{line[len(line) - (limit - 1 - head) :].lstrip()}"


def text(value: object, limit: int = PROSE_LIMIT) -> str:
    """`value` as plain words, for any place on a page: nothing in it is markup."""
    return _escape_line(_join_units(shorten(value, limit)))


def name(value: object, limit: int = NAME_LIMIT, shown: str = "") -> str:
    """A name as code; the full one (bounded) is the tooltip where less of it is shown."""
    if value is None or not clean(str(value)[:CODE_LIMIT]):
        return NO_NAME
    line = shorten(shown or value, limit)
    short, full = _escape_line(line), _escape_line(shorten(value, TITLE_LIMIT))
    title = f' title="{full}"' if full != short else ""
    if len(line) > _LONG:
        return f'<code class="pf-name pf-long"{title}>{_BREAK.sub(_add_break, short)}</code>'
    return f'<code class="pf-name"{title}>{short}</code>'


def label(value: object, limit: int = NAME_LIMIT) -> str:
    """Like `name`, but as words instead of code: the title of a run, a heading."""
    short = text(value, limit)
    full = text(value, TITLE_LIMIT)
    return short if full == short else f'<span title="{full}">{short}</span>'


def prose(value: object, limit: int = PROSE_LIMIT) -> str:
    """Sentences of a metric or rule: words between backticks are code, the rest is plain."""
    line = _join_units(shorten(value, limit))
    first, *parts = _CODE_SPAN.split(line)
    return _escape_line(first) + "".join(
        _escape_inside(part) if index % 2 else f"<code>{_escape_inside(part)}</code>"
        for index, part in enumerate(parts)
    )


def first_sentence(value: object) -> str:
    """The first of several sentences, as `prose` shows it."""
    return prose(_SENTENCE_END.split(shorten(value, PROSE_LIMIT), maxsplit=1)[0])


def whole(estimate: Mapping[str, object]) -> str:
    """What an estimate is a share of, in its first words: `wall time`, `an iteration`.

    Shares of a typical iteration and of all steady ones are both of iterations: one word for both.
    """
    return prose(shorten_whole(str(estimate["of"])))


def shorten_whole(of: str) -> str:
    """The first words of what a share is of, as they are."""
    one = _OF_ITERATIONS.sub("an iteration", re.split("[;,]", of, maxsplit=1)[0])
    return one.replace(" of this profiled run", ", as profiled")


def takes(finding: Mapping[str, object]) -> str:
    """What the step of a finding takes, and whom: `days for a developer`."""
    return text(f"{finding['effort']} for {WHO[cast(Who, finding['who'])]}")


def gist(markdown: object) -> str:
    """The first paragraph or list item of a section of a rule, without what only leads to code.

    Sections are Markdown of the rule's author, which stays as it is.
    """
    block = _FENCED.sub("", str(markdown)).strip().split("\n\n", maxsplit=1)[0]
    item = _LIST_ITEM.split(block)[1] if _LIST_ITEM.match(block) else block
    first = " ".join(item.split())
    if not first.endswith(":"):
        return first
    *sentences, last = _SENTENCE_END.split(first)
    return " ".join(sentences) if sentences else f"{last[:-1]}."


def codes(markdown: object) -> str:
    """The first two blocks of code of a section of a rule, fences included; empty without any."""
    return "\n\n".join(block[0].strip() for block in islice(_FENCED.finditer(str(markdown)), 2))


def paragraphs(value: object) -> str:
    """Text of a person (notes, descriptions): paragraphs between empty lines."""
    blocks = re.split(r"\n\s*\n", str(value)[: 4 * PROSE_LIMIT])
    return "\n\n".join(prose(block) for block in blocks if block.strip())


def fence(value: object, language: str = "") -> str:
    """Code as a fenced block, whose fence is longer than any run of backticks inside."""
    lines = [
        "".join(c if c.isprintable() else " " for c in line)
        for line in str(value)[:CODE_LIMIT].strip("\n").split("\n")
    ]
    longest = max((len(run) for line in lines for run in _BACKTICKS.findall(line)), default=0)
    marks = "`" * max(3, longest + 1)
    return "\n".join([f"{marks} {language}".rstrip(), *lines, marks])


def front_matter(value: object, limit: int = 200) -> str:
    """A YAML string that is harmless in HTML too: the theme prints front matter as it is."""
    return json.dumps(shorten(value, limit).translate(_LOOK_ALIKES), ensure_ascii=False)


def quantity(value: object, unit: str, of: Mapping[str, object] | None = None) -> str:
    """A number with its unit, on one line; text is escaped as a name.

    `of` is what it is the value of: where that has an interval, no digit says more than it does.
    Raises ContentError where the unit is not one of `perfolio.common.units.UNITS`.
    """
    if unit not in units.UNITS:
        raise ContentError(f"unknown unit {unit!r}", hint="use one of perfolio.common.units.UNITS")
    if isinstance(value, str):
        return label(value)
    half = units.compute_half_width(of.get("low"), of.get("high")) if of else None
    shown = units.quantity(value, unit, half)
    named = f"{shown} events" if unit == "events" and value is not None else shown
    return _join_units(named).replace(" ", _NO_BREAK_SPACE)


def threshold(value: float, unit: str) -> str:
    """A bound that somebody chose, on one line and without needless zeros: `30 %`."""
    return _join_units(units.format_threshold(value, unit)).replace(" ", _NO_BREAK_SPACE)


def breakable(value: str) -> str:
    """A quantity whose unit may go to the next line, where there is little room."""
    return value.replace(_NO_BREAK_SPACE, " ")


def interval(item: Mapping[str, object], unit: str) -> str:
    """The 95 % interval of a value: `43.1 % to 44.5 %`; empty where it has none.

    A narrow interval of shares gets the decimals that tell its ends apart: `6.08 % to 6.14 %`.
    """
    low, high = item.get("low"), item.get("high")
    if not isinstance(low, (int, float)) or not isinstance(high, (int, float)):
        return ""
    if unit == "ratio":
        shown = [f"{end} %" for end in units.format_interval_ends(low, high, unit)]
    else:
        shown = [quantity(end, unit, item) for end in (low, high)]
    return " to ".join(shown).replace(" %", f"{_NO_BREAK_SPACE}%")


def anchor(value: object) -> str:
    """The identifier of a metric's or rule's heading: `gpu.kernel_time` is `gpu-kernel-time`."""
    return re.sub(r"[^a-z0-9]+", "-", str(value).lower()).strip("-")[:120]


def unit_meaning(unit: str) -> str:
    """What a unit counts: `CPU-seconds, summed over threads: never wall time`."""
    return units.UNITS[unit].meaning


def shell(value: object) -> str:
    """An argument for a command line to copy."""
    return shlex.quote(clean(value))


def own_name(path: object) -> str:
    """The name of a file or folder, without where it lay; as it is where it names none, as `.`."""
    return PurePosixPath(clean(path)).name or clean(path)


def url(value: object) -> str:
    """A folder's name as part of a link's target."""
    return quote(clean(value), safe="")


def _join_units(line: str) -> str:
    """`line` with numbers and their units kept together."""
    return _HYPHEN_OF_UNIT.sub(_WORD_JOINER, _BEFORE_UNIT.sub(_NO_BREAK_SPACE, line))


def _add_break(separator: re.Match[str]) -> str:
    return f"{separator[0]}<wbr>"


def _escape_line(line: str) -> str:
    """A whole line, or the beginning of one."""
    start = _LINE_START.match(line)
    end = start.end() if start else 0
    return _write_references(line[:end]) + _escape_inside(line[end:])


def _escape_inside(line: str) -> str:
    return _MARKUP.sub(lambda match: _write_references(match[0]), line)


def _write_references(characters: str) -> str:
    return "".join(f"&#{ord(character)};" for character in characters)


FILTERS: Mapping[str, Callable[..., str]] = {
    function.__name__: function
    for function in (
        anchor, breakable, clean, codes, fence, first_sentence, front_matter, gist,
        interval, label, name, order_words, own_name, paragraphs, prose, quantity, shell, takes,
        text, threshold, unit_meaning, url, whole,
    )
}  # fmt: skip
"""What templates may use, by name."""
