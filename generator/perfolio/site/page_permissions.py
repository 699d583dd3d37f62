"""What a browser may do on the pages of a site, by its settings.

In:  MkDocs' settings and the theme's templates. Out: a function for templates, which gives a page
     its policy (generator/perfolio/pages/content_policy.py).

`extra.perfolio_policy` adds sources to directives, or is `false` where a site wants no policy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from perfolio.common.errors import SiteError
from perfolio.pages.content_policy import make_site_policy
from perfolio.site.minify import trim_frame

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig

_SETTING = "perfolio_policy"
_UNSAFE = "content.tooltips"
"""A feature of the theme that reads titles, and with them names of a profile, as HTML."""
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def remove_unsafe(features: Iterable[str]) -> list[str]:
    """Features of the theme that a site may have: our own script shows what titles say."""
    return [each for each in features if each != _UNSAFE]


def add_page_policy(env: Environment, config: MkDocsConfig) -> None:
    """Let templates ask for a page's policy. SiteError where the setting is none."""
    more = config.extra.get(_SETTING, {})
    if more is False:
        return
    if not isinstance(more, Mapping) or not all(isinstance(one, str) for one in more.values()):
        raise SiteError(
            f"{config.config_file_path}: extra.{_SETTING}: must be false, or sources by directives",
            hint='write them as in {img-src: "https://example.org"}',
        )

    def page_policy(scripts: str) -> str:
        """The policy of a page in which these scripts of the theme stand."""
        return make_site_policy(_as_written(scripts), more)

    env.globals["page_policy"] = page_policy


def _as_written(scripts: str) -> Iterator[str]:
    """Scripts as they will stand in a page: the frame of most is trimmed."""
    for script in _SCRIPT.findall(scripts):
        yield from sorted({script, trim_frame(script)})
