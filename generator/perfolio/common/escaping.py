"""Words of a profile for places that read markup, commands or formulas in them.

In:  any text. Out: one line that means only itself there; a cell of CSV that is no formula.
"""

from __future__ import annotations

import re
from typing import TypeVar

from perfolio.common.errors import one_line

_HARMLESS = r"[A-Za-z0-9 ,.;/%()'?!-]|:(?= |$)"
_MARKUP = re.compile(rf"(?!{_HARMLESS})[\x00-\x7f]|(?i:(?<=www)\.)")
_LIST_ITEM = re.compile(r"^(\d*)([-.)])")
"""What may begin an item of a list, with its number if it has one."""
_MENTION = re.compile(r"([@#])(?=\w)")
_NO_WIDTH = "\u200b"
_MOST = 1_000
_FORMULA = re.compile(r"(?:^|(?<=[;\t\r\n]))(?= *[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])")
"""Where a cell would begin with a formula, also one that begins where a spreadsheet divides by
semicolons. Signs of full width are signs in Japanese and Chinese ones."""
T = TypeVar("T")


def to_plain_line(text: object, limit: int = _MOST) -> str:
    """One line without control characters, in which no CI system reads a command.

    GitHub's runner takes `##[error]` anywhere in a line for one, and `::error::` at its beginning.
    """
    line = one_line(str(text), limit).replace("##[", "## [")
    return f": {line[1:]}" if line.startswith("::") else line


def escape_markdown(text: object, limit: int = _MOST) -> str:
    """For a paragraph or table cell of Markdown on GitHub or GitLab: no markup, no mention.

    Mentions and issue numbers are looked for after rendering: only a space of no width
    keeps `@name` from calling somebody.
    """
    return _escape_markup(_MENTION.sub(rf"\1{_NO_WIDTH}", to_plain_line(text, limit)))


def escape_marker(text: object, limit: int = 80) -> str:
    """Words for a comment of HTML, which is not shown: letters, digits and single marks."""
    return " ".join(re.findall(r"[A-Za-z0-9._]+(?:-[A-Za-z0-9._]+)*", to_plain_line(text, limit)))


def format_code(text: object, limit: int = 120) -> str:
    """A name as code in Markdown; nobody looks for mentions there."""
    return f"<code>{_escape_markup(to_plain_line(text, limit))}</code>"


def escape_spreadsheet_cell(cell: T) -> T | str:
    """A cell of CSV: text that a spreadsheet would take for a formula gets an apostrophe."""
    return _FORMULA.sub("'", cell) if isinstance(cell, str) else cell


def _escape_markup(line: str) -> str:
    escaped = _MARKUP.sub(lambda match: f"&#{ord(match[0])};", line)
    return _LIST_ITEM.sub(lambda match: f"{match[1]}&#{ord(match[2])};", escaped)


def escape_command_data(text: object, limit: int = _MOST) -> str:
    """The message of a workflow command of GitHub."""
    return to_plain_line(text, limit).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_command_property(text: object, limit: int = _MOST) -> str:
    """A property of a workflow command of GitHub."""
    return escape_command_data(text, limit).replace(":", "%3A").replace(",", "%2C")
