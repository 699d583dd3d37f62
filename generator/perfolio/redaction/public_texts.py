"""What is no secret though it looks like one: links and texts of ours, from `public_texts.toml`."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

_LIST = Path(__file__).with_name("public_texts.toml")
_VERSION = r"[\d.]+(?:/dist/mermaid\.min\.js|\.json)"
"""What `*` stands for."""


@cache
def _load_list() -> dict[str, Any]:
    return tomllib.loads(_LIST.read_text("utf-8"))


@cache
def load_public_texts() -> frozenset[str]:
    """Texts of ours with the shape of something private."""
    return frozenset(_load_list()["texts"])


@cache
def load_public_links() -> tuple[str, ...]:
    """Links of ours."""
    return tuple(_load_list()["links"])


@cache
def _make_link_pattern() -> re.Pattern[str]:
    forms = (re.escape(link).replace(r"\*", _VERSION) for link in load_public_links())
    return re.compile(rf"(?:{'|'.join(forms)})[/.,;:]*")


@cache
def _list_hosts() -> frozenset[str]:
    return frozenset(re.split(r"[/#]", link.partition("://")[2])[0] for link in load_public_links())


def is_public_link(link: str) -> bool:
    """Whether it is one of our own: another one on the same host may name anybody."""
    return bool(_make_link_pattern().fullmatch(link))


def is_public_host(host: str) -> bool:
    """Whether it is exactly the host of one of our links: `node7.pytorch.org` is none."""
    return host.lower() in _list_hosts()
