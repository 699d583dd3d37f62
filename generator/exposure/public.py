"""What is no secret though it looks like one: hosts of our own texts, from `public.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

_LIST = Path(__file__).with_name("public.toml")


@cache
def _listed() -> dict[str, Any]:
    return tomllib.loads(_LIST.read_text("utf-8"))


@cache
def public_texts() -> frozenset[str]:
    """Texts of ours with the shape of something private."""
    return frozenset(_listed()["texts"])


@cache
def _hosts() -> tuple[str, ...]:
    return tuple(_listed()["hosts"])


def is_public(host: str) -> bool:
    """Whether a host, or the domain that it is in, is one that everybody may name."""
    name = host.lower().partition(":")[0]
    return any(name == known or name.endswith(f".{known}") for known in _hosts())
