"""What the pages of a site share and fetch once: one style sheet, and one script.

In:  the files of a site, and the names of our styles in their order (`extra.perfolio_styles`);
     the theme's templates, the same for all pages.
Out: `assets/perfolio/site.css` in place of the single style sheets, in which no change of an
     attribute makes a browser style the whole page again, and no colour fades.
     `assets/perfolio/tools.js` with what pages need for scripts alone, tools of the header and
     settings, which puts it where a page calls it. Addresses within it are those of the script,
     in place of the page's.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

SHEET = "assets/perfolio/site.css"
_OF_THEME = re.compile(r"assets/stylesheets/(?:main|palette)\..*\.css")
# Rules of the theme for any element below one whose class or attribute scripts change: for each
# change a browser styles the whole page again, three times while it opens.
_STYLES_ALL = (
    (re.compile(r"\[data-md-color-switching\] \*,[^{}]*\{[^{}]*\}"), ""),
    (re.compile(r"\.md-typeset \.no-js \.tabbed-set>[^{}]*\{[^{}]*\}"), ""),
    (re.compile(r"(?<=table:not\()\[class\](?=\) t[dh]>:)"), ".highlighttable"),
)
# The first of these rules kept colours from fading when a reader changes the palette. Without it no
# colour fades at all: a list that comes into view later began with the colours of before.
_TRANSITION = re.compile(r"(?<=transition:)[^;}]*")
_FADE = re.compile(r"\s*(?:background-|border-)?(?:color|border)\b")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
TOOLS = "assets/perfolio/tools.js"
_SCRIPT = re.compile(r"<script[^>]*>(.*?)</script>", re.DOTALL)
_BETWEEN = re.compile(r"\s*\n\s*")
_CALL = """(function (here, location) {{
  here.insertAdjacentHTML("afterend", {tools});
  {palette}
  const setup = {setup};
  for (const name of ["base", "search"]) setup[name] = new URL(setup[name], location).href;
  const kept = Object.assign(document.createElement("script"), {{ id: "__config" }});
  kept.type = "application/json";
  kept.textContent = JSON.stringify(setup);
  here.after(kept);
}})(document.currentScript, document.currentScript.src);
"""


def bundle_styles(files: Files, config: MkDocsConfig) -> None:
    """Put all styles into one file; the theme's `main.html` then links that one."""
    from mkdocs.structure.files import File

    ours = [f"assets/perfolio/{name}.css" for name in config.extra.get("perfolio_styles", ())]
    theme = sorted(file.src_uri for file in files if _OF_THEME.fullmatch(file.src_uri))
    found = [files.get_file_from_path(path) for path in theme + ours]
    if not ours or None in found:
        return
    sheets = [_shorten_styles(file.content_string) for file in found if file is not None]
    for file in found:
        if file is not None:
            files.remove(file)
    files.append(File.generated(config, SHEET, content="\n".join(sheets)))
    config.extra["perfolio_sheet"] = SHEET


def _shorten_styles(css: str) -> str:
    """Styles without comments, indentation and costly rules; the rest of a line stays as it is."""
    for costly, instead in _STYLES_ALL:
        css = costly.sub(instead, css)
    css = _TRANSITION.sub(_leave_out_fades, css)
    return _BETWEEN.sub("\n", _COMMENT.sub("", css)).strip()


def _leave_out_fades(found: re.Match[str]) -> str:
    parts = re.split(r",(?![^(]*\))", found[0])
    return ",".join(part for part in parts if not _FADE.match(part)) or "none"


def share_tools(env: Environment, config: MkDocsConfig, files: Files) -> None:
    """Write the script; the theme's templates then call it."""
    from mkdocs.structure.files import File

    context: dict[str, Any] = {"config": config, "base_url": "../..", "page": None}
    context["lang"] = env.get_template("partials/language.html").make_module(context)
    context["features"] = config.theme.get("features") or []
    shown = env.get_template("shared/tools.html").render(context)
    palette = "\n".join(_SCRIPT.findall(shown))
    base = env.get_template("base.html")
    (setup,) = _SCRIPT.findall("".join(base.blocks["config"](base.new_context(context))))
    content = _CALL.format(
        tools=json.dumps(_BETWEEN.sub("\n", _SCRIPT.sub("", shown)).strip(), ensure_ascii=False),
        palette=palette,
        setup=setup,
    )
    files.append(File.generated(config, TOOLS, content=content))
    config.extra["perfolio_tools"] = TOOLS
