"""What a browser may do on a page that we make: its Content-Security-Policy.

In:  the scripts that stand in a page. Out: the policy, for a `meta` at the top of its head.

Escaping keeps names of a profile text. Where that would fail one day, the policy keeps what came of
it from running: no handler, no script that is not ours, no code made of text, no request elsewhere.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping

_HERE = "'self' file:"
"""Files beside the page. Some browsers know a page that a file manager opened by no `'self'`."""
_SITE: Mapping[str, str] = {
    "default-src": "'none'",
    "script-src": _HERE,
    "style-src": f"{_HERE} 'unsafe-inline'",
    "img-src": f"{_HERE} data:",
    "base-uri": "'none'",
    "form-action": "'none'",
}
"""What is not named falls back to the first, workers to scripts: each page of a site has it all.

Styles may stand in a page: the theme and the charts place what they draw by attributes."""
_CLOSED: Mapping[str, str] = {
    "default-src": "'none'",
    "script-src": "'none'",
    "style-src": "'unsafe-inline'",
    "img-src": "data:",
    "base-uri": "'none'",
    "form-action": "'none'",
}


def make_site_policy(scripts: Iterable[str], more: Mapping[str, str] | None = None) -> str:
    """Of a page of a site, which loads what lies beside it; `more` adds sources to directives."""
    return _write_policy(
        _SITE, {"script-src": " ".join(map(compute_script_source, scripts))}, more or {}
    )


def make_closed_policy(script: str = "") -> str:
    """Of a page that loads nothing, and runs at most this script, which stands in it."""
    return _write_policy(_CLOSED, {"script-src": compute_script_source(script) if script else ""})


def compute_script_source(script: str) -> str:
    """By which a browser knows a script that stands in a page: a digest of all between its tags."""
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _write_policy(policy: Mapping[str, str], *more: Mapping[str, str]) -> str:
    names = dict.fromkeys([*policy, *(name for each in more for name in each)])
    return "; ".join(f"{name} {_join_sources(name, policy, *more)}" for name in names)


def _join_sources(name: str, *policies: Mapping[str, str]) -> str:
    """All sources of a directive; `'none'` only where there is no other."""
    sources = [one for each in policies for one in str(each.get(name, "")).split()]
    return " ".join([one for one in sources if one != "'none'"] or ["'none'"]).replace('"', "")
