"""Pages of a site that is being served: one that would look the same is taken as it was.

In:  MkDocs' pages with their titles, the navigation, the templates and settings of a build.
Out: the HTML of the last build of this process, for pages that show nothing which has changed.

What surrounds an article takes most of the time of a build once its Markdown is kept: the
navigation beside it. A page shows its own text and title, its neighbours, and the navigation of its
own report: another one changes no frame of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import jinja2
import material
import mkdocs

from perfolio.common.cache import make_key
from perfolio.common.content_files import files_digest
from perfolio.site.report_scope import Item, limit_navigation

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page

MOST = 300_000_000
"""Bytes of pages that a process keeps at most."""
_EMPTY = "perfolio-unchanged.html"
"""The template of a page that is taken as it was: there is nothing to render."""
_READ = (".html", ".svg", ".xml", ".yml")
_VERSIONED = [Path(str(package.__file__)).resolve().parent for package in (material, mkdocs)]
"""Packages that change only with their versions, which name a conversion already."""


@dataclass
class ShownPages:
    """The pages of the last build, by source path: what each depended on, and its HTML."""

    pages: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    size: int = 0

    def keep(self, path: str, key: str, html: bytes) -> None:
        """Keep a page in place of an earlier one, while there is room."""
        self.size -= len(self.pages.pop(path, ("", b""))[1])
        if self.size + len(html) <= MOST:
            self.pages[path] = key, html
            self.size += len(html)


@dataclass
class FrameCache:
    """What surrounds the pages of one build."""

    shown: ShownPages
    edition: str
    """Names settings and templates."""
    nav: Navigation
    keys: dict[str, str] = field(default_factory=dict)
    nav_digests: dict[str, str] = field(default_factory=dict)
    """Of the navigation beside the pages of a report, by its folder."""

    def find_page(self, page: Page, content: str, scope: str) -> None:
        """Let a page be taken as it was if it shows the same; `content` names what it says."""
        path, near = page.file.src_uri, (page.previous_page, page.next_page)
        neighbours = [each and (each.title, each.url) for each in near]
        if scope not in self.nav_digests:
            items = _describe_items(limit_navigation(self.nav, scope).items)
            self.nav_digests[scope] = make_key(repr(items))
        surroundings = (str(page.title), page.url, scope, neighbours, self.nav_digests[scope])
        self.keys[path] = make_key(self.edition, content, repr(surroundings))
        if self.shown.pages.get(path, ("",))[0] == self.keys[path]:
            page.meta["template"] = _EMPTY

    def restore_html(self, page: Page) -> str | None:
        """The HTML of a page that is taken as it was."""
        path = page.file.src_uri
        if page.meta.get("template") != _EMPTY or path not in self.shown.pages:
            return None
        return self.shown.pages[path][1].decode()

    def keep_page(self, page: Page, html: str) -> str:
        """Keep the HTML of a page for the next build, and give it back."""
        path = page.file.src_uri
        self.shown.keep(path, self.keys[path], html.encode("utf-8", "xmlcharrefreplace"))
        return html


_shown: ShownPages | None = None


def start_serving() -> None:
    """From now on this process serves, and builds again."""
    global _shown  # noqa: PLW0603 - MkDocs has no place for what outlives a build
    _shown = ShownPages()


def make_frame_cache(
    env: jinja2.Environment, config: MkDocsConfig, nav: Navigation | None, edition: str
) -> FrameCache | None:
    """The frames of a build whose conversion is named `edition`; None where none follows it."""
    if _shown is None or nav is None or env.loader is None:
        return None
    env.loader = jinja2.ChoiceLoader([jinja2.DictLoader({_EMPTY: ""}), env.loader])
    folders = (Path(folder).resolve() for folder in config.theme.dirs)
    themes = [
        files_digest(folder, kinds=_READ)
        for folder in folders
        if not any(folder.is_relative_to(package) for package in _VERSIONED)
    ]
    return FrameCache(_shown, make_key(edition, *themes, _format_settings(config)), nav)


def _format_settings(config: MkDocsConfig) -> str:
    """Settings as far as they are data: each page names the navigation that it shows itself."""
    data = [{name: value for name, value in config.items() if name != "nav"}, dict(config.theme)]
    return json.dumps(data, default=lambda value: type(value).__name__, skipkeys=True)


def _describe_items(items: Iterable[Item]) -> list[object]:
    """What the navigation shows: titles, addresses, icons and marks."""
    return [
        (
            str(item.title),
            getattr(item, "url", None),
            [
                (getattr(item, "meta", None) or {}).get(name)
                for name in ("icon", "status", "subtitle")
            ],
            _describe_items(getattr(item, "children", None) or ()),
        )
        for item in items
    ]
