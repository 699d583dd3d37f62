"""The tools of the header as a script: what works with scripts alone need not stand in each page.

In:  the theme's `partials/tools.html`, the same for all pages. Out: `assets/perfolio/tools.js`,
which puts it where a page calls it, and runs what it holds.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

TOOLS = "assets/perfolio/tools.js"
_LANGUAGE = '{% import "partials/language.html" as lang with context %}'
_TOOLS = '{% include "partials/tools.html" %}'
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_BETWEEN = re.compile(r"\s*\n\s*")
_CALL = """(function () {{
document.currentScript.insertAdjacentHTML("afterend", {html});
{code}
}})();
"""


def share_tools(env: Environment, config: MkDocsConfig, files: Files) -> None:
    """Write the script; the theme's `header.html` then calls it."""
    from mkdocs.structure.files import File

    html = env.from_string(_LANGUAGE + _TOOLS).render(config=config)
    code = "\n".join(_SCRIPT.findall(html))
    shown = json.dumps(_BETWEEN.sub("\n", _SCRIPT.sub("", html)).strip(), ensure_ascii=False)
    files.append(File.generated(config, TOOLS, content=_CALL.format(html=shown, code=code)))
    config.extra["perfolio_tools"] = TOOLS
