"""Files beside the pages of a report, for what is no browser: an assistant, a mail, a README.

In:  a `Report`. Out: `report.md.txt`, which the site calls report.md, `badge.svg`, and
     `preview.svg`, the summary as a picture.
     To add one: write `templates/beside/<name>.j2`. Words of a profile are plain there: what
     would be markup in Markdown is escaped by `line`, in XML by `e`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from perfolio.common.escaping import to_plain_line
from perfolio.common.units import compute_half_width, quantity

MOST = 16_000
"""Characters of report.md: some 4,000 tokens of four."""
_LINE = 300
_BADGE = 72


def escape_line(value: object) -> str:
    """Words on one line that are no HTML and no link, bounded."""
    words = to_plain_line(value, _LINE).replace("\N{NO-BREAK SPACE}", " ")
    return words.replace("&", "&amp;").replace("<", "&lt;").replace("[", "\\[")


def format_amount(value: float, unit: str, of: Mapping[str, object] | None = None) -> str:
    """A number with its unit, in as many digits as the interval of its metric tells."""
    return quantity(value, unit, compute_half_width(of.get("low"), of.get("high")) if of else None)


def shorten_headline(headline: str) -> str:
    """A headline without its period, or its first clause: short enough for a badge."""
    sentence = to_plain_line(headline).removesuffix(".")
    return (
        sentence if len(sentence) <= _BADGE else to_plain_line(sentence.partition(": ")[0], _BADGE)
    )


def wrap_lines(words: str, width: int, most: int) -> list[str]:
    """Lines of a picture, of at most `width` characters: `most` of them."""
    line = to_plain_line(words)
    return textwrap.wrap(line, width, max_lines=most, placeholder=" …", break_on_hyphens=False)


def cut_to_limit(text: str) -> str:
    """As many whole lines of a text as it may have."""
    if len(text) <= MOST:
        return text
    head = text[: MOST - 100].rpartition("\n")[0]
    return f"{head}\n\nThe rest is in findings.json.\n"
