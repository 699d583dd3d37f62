"""The navigation of one page, without reports that are far from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy

from mkdocs.structure.nav import Link, Navigation, Section
from mkdocs.structure.pages import Page

Item = Section | Page | Link

MANY = 20
"""Reports up to which each page names all beside it; a hundred would take a tenth of a site."""


def nearby(nav: Navigation, scope: str) -> Navigation:
    """The navigation of a page of the report in folder `scope`, or of none.

    Where reports are many it names no other report: the page *All reports* does.
    """
    if sum(1 for _ in reports_in(nav.items)) <= MANY:
        return nav
    return Navigation(_without_others(nav.items, scope), nav.pages)


def reports_in(items: Sequence[Item]) -> Iterator[Section]:
    """The sections of reports below items of the navigation."""
    for item in items:
        if isinstance(item, Section):
            if _scope(item):
                yield item
            else:
                yield from reports_in(item.children)  # type: ignore[arg-type]


def _scope(item: Item) -> str:
    """The folder of the report that a section is of; `hooks` notes it on its pages."""
    page = item.children[0] if isinstance(item, Section) and item.children else None
    return str(page.meta.get("perfolio_scope", "")) if isinstance(page, Page) else ""


def _without_others(items: Sequence[Item], scope: str) -> list[Item]:
    kept = (item for item in items if _scope(item) in ("", scope))
    return [_shortened(item, scope) if isinstance(item, Section) else item for item in kept]


def _shortened(section: Section, scope: str) -> Section:
    shown = copy(section)
    shown.children = _without_others(section.children, scope)  # type: ignore[arg-type, assignment]
    return shown
