"""What any build by MkDocs needs of us; named in mkdocs.yml.

Without these hooks the site still builds: charts then stay static images, and the
reports are as fresh as the last `perfolio report`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files

from perfolio import __version__
from perfolio.common.cache import Cache
from perfolio.common.errors import PerfolioError
from perfolio.pages.template_cache import TemplateCache
from perfolio.site import (
    frame_cache,
    glossary_tooltips,
    llms_txt,
    markdown_shortcuts,
    minify,
    page_assets,
    page_permissions,
    report_scope,
    search_index,
    shipped_files,
)
from perfolio.site import navigation as nav
from perfolio.site.build import FOR_USER
from perfolio.site.page_cache import PAGE_CACHE, PageCache, make_page_cache
from perfolio.site.parallel_markdown import convert_ahead
from perfolio.site.site_marker import write_marker

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.livereload import LiveReloadServer
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page
    from mkdocs.utils.templates import TemplateContext

_BUNDLE = "assets/perfolio/vega-bundle.js"
_THEMES = "assets/perfolio/chart-themes.js"
_SITEMAPS = ("sitemap.xml", "sitemap.xml.gz")
_PLUGIN, _REFRESHING = "perfolio", "refresh_hook.py"
"""The plugin of projects, and the hook of this one: they make fresh reports."""
_NO_DATE = "1980-01-01"
"""For the time stamp in sitemap.xml.gz; our sitemap.xml names no dates."""
_WATCHED = (
    "perfolio.toml",
    "profiles",
    "exercises",
    "generator/perfolio/metrics",
    "generator/perfolio/findings",
    "generator/perfolio/readers",
    "generator/perfolio/store",
    "generator/perfolio/exercises/shipped",
    "generator/perfolio/pages/templates",
    "generator/perfolio/site/theme",
)


def on_startup(*, command: str, dirty: bool) -> None:
    """Keep pages for the next build, where there will be one."""
    del dirty
    if command == "serve":
        frame_cache.start_serving()


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the reports into the navigation."""
    minify.leave_icons_out(config)
    config.extra["perfolio_version"] = __version__
    config.theme["features"] = page_permissions.remove_unsafe(config.theme.get("features") or [])
    if config.extra.get("perfolio_refresh"):
        _check_refreshed(config)
    if config.nav is not None:
        config.nav = nav.insert_reports(config.nav, Path(config.docs_dir))
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the chart library and its colours, if any page has a chart; leave out what none needs."""
    minify.trim_files(files, config)
    page_assets.bundle_styles(files, config)
    llms_txt.add_texts(files, config)
    config.extra["perfolio_glossary"] = glossary_tooltips.find_glossary(file.url for file in files)
    if any("/charts/" in f"/{file.src_uri}" and file.src_uri.endswith(".js") for file in files):
        files.append(File.generated(config, _BUNDLE, content=shipped_files.load_bundle()))
        files.append(File.generated(config, _THEMES, content=_write_themes()))
    return files


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
    """Let pages of a report lead to no other, and hold those that are converted already.

    By an earlier build, or now by several processes.
    """
    report_scope.turn_within(nav, lambda page: search_index.find_scope(page, files))
    pages = config.extra[PAGE_CACHE] = _make_page_cache(config, files)
    if pages is not None:
        pages.nav = nav
        _convert_pages(pages, config, files)
    return nav


def _make_page_cache(config: MkDocsConfig, files: Files) -> PageCache | None:
    """A project keeps its pages itself; those of a report without one are kept for the user."""
    keep = config.extra.get("perfolio_keep", "perfolio_refresh" in config.extra)
    if keep == FOR_USER:
        return make_page_cache(Cache("pages"), config, files)
    return make_page_cache(Cache("pages", _find_root(config)) if keep else None, config, files)


def on_page_read_source(page: Page, config: MkDocsConfig) -> str | None:
    """Read nothing where a page has not changed."""
    pages = _find_page_cache(config)
    return "" if pages is not None and pages.skip_conversion(page) else None


@event_priority(-100)  # after every plugin
def on_page_markdown(markdown: str, page: Page, **_others: Any) -> str:
    """Take out what is HTML already."""
    return markdown_shortcuts.take_blocks_out(markdown, page)


@event_priority(100)  # before every plugin
def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Bring back a page that has not changed, or keep its HTML."""
    html = markdown_shortcuts.put_blocks_back(html, page)
    html = minify.trim_article(glossary_tooltips.mark_first_uses(html))
    pages = _find_page_cache(config)
    return html if pages is None else pages.restore_html(html, page, files)


def on_env(env: Environment, *, config: MkDocsConfig, files: Files) -> Environment:
    """Add the search indexes, and let no page carry the date of the build.

    So the same input gives the same site on any day. The theme's templates are kept compiled, and
    looked at once per build.
    """
    env.bytecode_cache, env.auto_reload = TemplateCache(), False
    page_permissions.add_page_policy(env, config)
    page_assets.share_tools(env, config, files)
    pages = [file.page for file in files.documentation_pages() if file.page is not None]
    entries, known = [], _find_page_cache(config)
    for page in pages:
        page.update_date = _NO_DATE
        scope = page.meta[report_scope.SCOPE] = search_index.find_scope(page, files)
        html = page.content or ""
        sections = known.find_sections(page) if known else search_index.list_sections(page, html)
        entries.append(search_index.make_entries(page, sections, scope))
    if known:
        known.reuse_frames(env, config, pages)
    for path, content in search_index.write_indexes(entries).items():
        files.append(File.generated(config, path, content=content))
    return env


def on_page_context(context: TemplateContext, page: Page, **_others: Any) -> TemplateContext:
    """Name no other report beside a page."""
    context["nav"] = report_scope.limit_navigation(context["nav"], page.meta[report_scope.SCOPE])
    return context


def on_template_context(context: TemplateContext, **_others: Any) -> TemplateContext:
    """Name no report beside the pages that the theme has itself."""
    context["nav"] = report_scope.limit_navigation(context["nav"], "")
    return context


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Leave out the white space that the theme's templates put between elements."""
    pages = _find_page_cache(config)
    frames = pages.frames if pages is not None else None
    if frames is None:
        return minify.trim_page(output)
    unchanged = frames.restore_html(page)
    return frames.keep_page(page, minify.trim_page(output)) if unchanged is None else unchanged


def on_post_build(config: MkDocsConfig) -> None:
    """Mark the folder as one that a later build may replace, and keep its pages.

    A site that does not know its address has no sitemap: that would list nothing.
    """
    write_marker(Path(config.site_dir))
    if not config.site_url:
        for name in _SITEMAPS:
            Path(config.site_dir, name).unlink(missing_ok=True)
    pages = _find_page_cache(config)
    if pages is not None:
        pages.keep_pages()


def on_serve(server: LiveReloadServer, config: MkDocsConfig, **_others: Any) -> LiveReloadServer:
    """Rebuild when a profile, metric, rule, cause, view, exercise, template or style changes.

    Not when a build itself has written reports: each edit would be built twice. The server answers
    this machine's browser alone.
    """
    from perfolio.site import local_server

    server = local_server.replace_server(server)
    if config.extra.get("perfolio_refresh"):
        local_server.ignore_reports(server, Path(config.docs_dir))
    for path in (_find_root(config) / name for name in _WATCHED):
        if path.exists():
            server.watch(str(path))
    return server


def _check_refreshed(config: MkDocsConfig) -> None:
    """Refuse to show old reports where fresh ones are asked for, and nothing made them."""
    if not any(name == _PLUGIN or Path(name).name == _REFRESHING for name in config.plugins):
        raise PluginError(
            "mkdocs.yml asks for fresh reports (perfolio_refresh) without the hook that makes "
            "them: add generator/perfolio/pipeline/refresh_hook.py below hooks"
        )


def _convert_pages(pages: PageCache, config: MkDocsConfig, files: Files) -> None:
    try:
        convert_ahead(pages, config, files)
    except PerfolioError as error:
        if config.extra.get("perfolio_refresh"):  # plain MkDocs, which knows its own errors alone
            raise PluginError(str(error)) from error
        raise


def _write_themes() -> str:
    from perfolio.charts.theme import make_theme_script

    return make_theme_script()


def _find_page_cache(config: MkDocsConfig) -> PageCache | None:
    found = config.extra.get(PAGE_CACHE)
    return found if isinstance(found, PageCache) else None


def _find_root(config: MkDocsConfig) -> Path:
    return Path(config.config_file_path).resolve().parent
