"""What a page leads to: the pages of its own report, and the list of all others.

So a page of a report looks the same whichever reports stand beside it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable
from copy import copy

from mkdocs.structure.nav import Link, Navigation, Section
from mkdocs.structure.pages import Page

Item = Section | Page | Link
SCOPE = "perfolio_scope"
"""Under this name a page's front matter has the folder of its report."""


def limit_navigation(nav: Navigation, scope: str) -> Navigation:
    """The navigation of a page of the report in folder `scope`, or of none.

    It names no other report: the page *All reports* does.
    """
    return Navigation(_remove_others(nav.items, scope), nav.pages)


def turn_within(nav: Navigation, scope_of: Callable[[Page], str]) -> None:
    """Let the pages before and after each be of its own report, or of none as it is.

    The list of all reports, where there is one, is before the first page of each.
    """
    by_path = {page.file.src_uri: page for page in nav.pages}
    last: dict[str, Page] = {}
    for page in nav.pages:
        scope = scope_of(page)
        page.previous_page, page.next_page = last.get(scope), None
        if page.previous_page is not None:
            page.previous_page.next_page = page
        elif scope:
            page.previous_page = by_path.get(posixpath.normpath(f"{scope}../index.md"))
        last[scope] = page


def _find_scope(item: Item) -> str:
    """The folder of the report that a section is of."""
    page = item.children[0] if isinstance(item, Section) and item.children else None
    return str(page.meta.get(SCOPE, "")) if isinstance(page, Page) else ""


def _remove_others(items: Iterable[Item], scope: str) -> list[Item]:
    own = (item for item in items if _find_scope(item) in ("", scope))
    return [_shorten_section(item, scope) if isinstance(item, Section) else item for item in own]


def _shorten_section(section: Section, scope: str) -> Section:
    shown = copy(section)
    shown.children = _remove_others(section.children, scope)  # type: ignore[arg-type, assignment]
    return shown
