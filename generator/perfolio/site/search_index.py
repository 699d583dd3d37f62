"""Search indexes: a page to its entries, and entries to the scripts that hold them.

In:  a page's HTML. Out: `PageEntries`, which can be kept as JSON; of those of all pages, these
     files:

    <report>/search.js                     all pages of a report
    assets/perfolio/search-pages.js        the pages that are of no report
    assets/perfolio/search-reports.js      of each report what it found, in one line each

Words of all entries stand in each once, in order of how often they come, and an entry names them by
their places: half of what the words would take. Signs for these are none of a word, so that whoever
looks for a name finds it, or finds that it is not there.

They are scripts because `fetch` does not work on file://. `theme/assets/perfolio/search.js` loads
those that a page needs when somebody begins to search.
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, TypedDict

from perfolio.charts.spec_packing import write_place

if TYPE_CHECKING:
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page
    from mkdocs.structure.toc import AnchorLink

Entry = list[str]
"""Where a section is (an address below the scope), its title as HTML, and its words, escaped."""

PAGES = "assets/perfolio/search-pages.js"
REPORTS = "assets/perfolio/search-reports.js"
_OWN = "search.js"
_MARK = "findings.md"
"""The page by which a folder is known as a report."""
_BRIEFED = ("index.md", "findings.md")
"""Pages of a report that say what it found."""
_LINE = 100
"""Characters of a section that stand in the index of all reports."""
_FRAME = re.compile(r'<p class="pf-kicker">.*?</p>|<div class="pf-banner">.*?</div>', re.DOTALL)
"""What all pages of a report begin with: its title, and whether it is simulated."""
_NUMBERS = re.compile(r"<td class=r>.*?</td>", re.DOTALL)
"""Cells of numbers, for which nobody searches."""
_FIGURES = re.compile(r'<div class="pf-figures">.*?</div>', re.DOTALL)
_MEANING = re.compile(r"<td>(?:(?!<td).)*</td>\s*(?=</tr>)", re.DOTALL)
"""The last cell of a figure, what it is: the same in all reports, as the page of metrics is."""
_SILENT = re.compile(
    r"</?(?:abbr|b|em|span|strong|table|tbody|td|th|thead|tr)(?:\s(?:[^\"'>]|\"[^\"]*\"|'[^']*')*)?>"
)
"""Tags that leave no trace in an index: without them its parser takes half the time."""
_LEFT_OUT = ("data-search-exclude", "linenodiv")
"""With these, a page says that the index is to be without an element."""
_BOUND = re.compile(r"(?=</t[dh]>|</h[1-6]>|</summary>|<br)")
"""Where words end though no sign says so."""
_TAG = re.compile(r"<[^>]*>")
_SCRIPT = "(window.perfolioSearch = window.perfolioSearch || []).push(\n{groups}\n);\n"


class PageEntries(TypedDict):
    """What search knows of one page."""

    scope: str
    """Folder of its report with a `/` at its end, below the site; empty where it is of none."""
    report: str
    """Title of the report, as HTML."""
    full: list[Entry]
    brief: list[Entry]
    """What of it stands in the index of all reports."""


def find_scope(page: Page, files: Files) -> str:
    """The folder of the report that a page is of, with a `/` at its end; else nothing.

    Pages in folders of a report, as its exercises, are of it.
    """
    folder = page.file.src_uri
    while folder := folder.rpartition("/")[0]:
        if files.get_file_from_path(f"{folder}/{_MARK}"):
            return f"{folder}/"
    return ""


def list_sections(page: Page, content: str) -> list[Entry]:
    """The sections of a page with this HTML; none where its front matter excludes it."""
    from material.plugins.search.plugin import SearchIndex

    if (page.meta.get("search") or {}).get("exclude"):
        return []
    index = SearchIndex()
    index.add_entry_from_context(
        SimpleNamespace(
            content=_remove_silent(_BOUND.sub(" ", _strip_common(content))).strip(),
            meta=page.meta,
            title=page.title,
            toc=page.toc,
            url=page.url,
        )
    )
    return [[one["location"], one["title"], _strip_tags(one["text"])] for one in index.entries]


def _strip_common(content: str) -> str:
    """What of a page is not the same in all reports, without its numbers."""
    own = _FIGURES.sub(lambda figures: _MEANING.sub("", figures[0]), content)
    return _NUMBERS.sub("", _FRAME.sub("", own))


def _remove_silent(content: str) -> str:
    excludes = any(mark in content for mark in _LEFT_OUT)
    return content if excludes else _SILENT.sub("", content)


def make_entries(page: Page, found: Sequence[Entry], scope: str) -> PageEntries:
    """The entries of a page with these sections."""
    listed = {page.url, *(page.url + anchor for anchor in _list_anchors(page.toc))}
    briefed = scope and page.file.src_uri.removeprefix(scope) in _BRIEFED
    return PageEntries(
        scope=scope,
        report=_format_title(page, scope) if scope else "",
        full=_shorten_addresses(scope, found),
        brief=_shorten_addresses(scope, (_shorten_entry(one) for one in found if one[0] in listed))
        if briefed
        else [],
    )


def write_indexes(pages: Iterable[PageEntries]) -> dict[str, str]:
    """The scripts of a site's pages, by their paths."""
    by_scope: dict[str, list[PageEntries]] = {"": []}
    for page in pages:
        by_scope.setdefault(page["scope"], []).append(page)
    written = {
        f"{scope}{_OWN}" if scope else PAGES: _write_script([_make_group(scope, members)])
        for scope, members in by_scope.items()
    }
    briefs = [_make_group(scope, members, "brief") for scope, members in by_scope.items() if scope]
    return {**written, REPORTS: _write_script(briefs)}


def _format_title(page: Page, scope: str) -> str:
    """The title of a report: that of its section, once escaped."""
    title = page.parent.title if page.parent else scope.rstrip("/").rpartition("/")[2]
    return html.escape(html.unescape(title))


def _list_anchors(toc: Iterable[AnchorLink]) -> Iterator[str]:
    for item in toc:
        yield item.url
        yield from _list_anchors(item.children)


def _shorten_addresses(scope: str, entries: Iterable[Entry]) -> list[Entry]:
    return [[location.removeprefix(scope), *rest] for location, *rest in entries]


def _shorten_entry(entry: Entry) -> Entry:
    """The beginning of an entry, cut between two words: a reference stays whole."""
    location, title, words = entry
    short = words if len(words) <= _LINE else words[:_LINE].rpartition(" ")[0] + " …"
    return [location, title, short]


def _strip_tags(text: str) -> str:
    """HTML as its words: a tenth of an index would say which of them are code, or a paragraph."""
    return " ".join(_TAG.sub(" ", text).split())


def _make_group(
    scope: str, pages: Iterable[PageEntries], part: str = "full"
) -> Mapping[str, object]:
    members = list(pages)
    docs = [
        entry for page in members for entry in (page["brief"] if part == "brief" else page["full"])
    ]
    title = next((page["report"] for page in members), "")
    group: dict[str, object] = {"scope": scope, "title": title, "brief": part == "brief"}
    return group | ({"docs": docs} if part == "brief" else _pack_words(docs))


def _pack_words(docs: Sequence[Entry]) -> dict[str, object]:
    """Entries whose texts name their words by places in `words`."""
    times = Counter(word for _, _, text in docs for word in text.split(" "))
    places = {word: write_place(n) for n, (word, _) in enumerate(times.most_common())}
    packed = [
        [where, title, "".join([places[word] for word in text.split(" ")])]
        for where, title, text in docs
    ]
    return {"words": " ".join(places), "docs": packed}


def _write_script(groups: Iterable[Mapping[str, object]]) -> str:
    lines = (json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in groups)
    return _SCRIPT.format(groups=",\n".join(lines))
