"""What pages need for scripts alone, as one script: tools of the header, and settings.

In:  the theme's templates, the same for all pages. Out: `assets/perfolio/tools.js`, which puts it
where a page calls it. Addresses within it are those of the script, in place of the page's.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

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


def share_tools(env: Environment, config: MkDocsConfig, files: Files) -> None:
    """Write the script; the theme's templates then call it."""
    from mkdocs.structure.files import File

    told: dict[str, Any] = {"config": config, "base_url": "../..", "page": None}
    told["lang"] = env.get_template("partials/language.html").make_module(told)
    told["features"] = config.theme.get("features") or []
    shown = env.get_template("shared/tools.html").render(told)
    (palette,) = _SCRIPT.findall(shown)
    base = env.get_template("base.html")
    (setup,) = _SCRIPT.findall("".join(base.blocks["config"](base.new_context(told))))
    content = _CALL.format(
        tools=json.dumps(_BETWEEN.sub("\n", _SCRIPT.sub("", shown)).strip(), ensure_ascii=False),
        palette=palette,
        setup=setup,
    )
    files.append(File.generated(config, TOOLS, content=content))
    config.extra["perfolio_tools"] = TOOLS
