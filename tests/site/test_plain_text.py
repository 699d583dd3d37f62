"""Texts that inline patterns need not search are those in which they find nothing."""

from __future__ import annotations

import functools
from typing import Any

import markdown
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from perfolio.site.plain_text import PATTERNS, SIGN
from tests.pages.support import SETTINGS

NAMED = "perfolio.site.plain_text:Unmarked"
PAGE = """# T

PC samples, and *PC samples*

a & b
: PC samples

| PC samples | 1.5 ms |
|:--|--:|
| a_b_c | `PC` |
| PC samples | <b>PC samples</b> &amp; |
| **x** | line |

- [ ] PC samples
- one *two* PC samples

<details markdown="1"><summary>PC samples</summary>
PC samples, *once* and PC samples

PC samples
</details>

two  \nlines, PC samples[^1]

*[PC samples]: at regular intervals

[^1]: PC samples
"""


@functools.cache
def settings() -> dict[str, dict[str, Any]]:
    told = yaml.safe_load(SETTINGS.read_text(encoding="utf-8"))["markdown_extensions"]
    return {name: options or {} for name, options in told.items()}


def parser(*added: str, without: tuple[str, ...] = ()) -> markdown.Markdown:
    chosen = [name for name in (*settings(), *added) if name not in without]
    return markdown.Markdown(extensions=chosen, extension_configs=settings())


@functools.cache
def patterns() -> dict[str, Any]:
    made = parser()
    assert len(made.inlinePatterns) == len(PATTERNS)
    return {name: made.inlinePatterns[name] for name in PATTERNS}


@given(st.text(st.sampled_from("ab1 .,:;!?()]{}=|~^+@#%/>\"'-\n\u2060µ")))
def test_no_pattern_finds_anything_in_a_text_without_signs(text: str) -> None:
    if SIGN.search(text):
        return
    found = [name for name, each in patterns().items() if each.getCompiledRegExp().search(text)]
    assert not found


@pytest.mark.parametrize(
    "marked",
    ["`a`", "\\*", "[^1]", "[a][b]", "[a](b)", "![a](b)", "![a][b]", "[a]", "![a]",
     "<https://a.example>", "<a@b.example>", "a  \nb", "<b>", "&amp;", "*a*", "_a_"],
)  # fmt: skip
def test_what_patterns_find_has_a_sign(marked: str) -> None:
    assert any(each.getCompiledRegExp().search(marked) for each in patterns().values())
    assert SIGN.search(marked)


def test_pages_are_the_same_as_when_all_texts_are_searched() -> None:
    page = parser().convert(PAGE)
    assert page == parser(without=(NAMED,)).convert(PAGE)
    elsewhere = 2  # where the abbreviation is explained, and in an element that is no Markdown
    assert page.count("<abbr") == PAGE.count("PC samples") - elsewhere, page


@pytest.mark.parametrize(
    ("added", "text", "found"),
    [
        ("pymdownx.keys", "++ctrl++", "<kbd"),
        ("pymdownx.magiclink", "https://a.example", "<a href"),
        ("pymdownx.mark", "==a==", "<mark>"),
    ],
)
def test_patterns_of_a_project_are_found(added: str, text: str, found: str) -> None:
    assert found in parser(added).convert(text)
    assert found not in parser().convert(text)
