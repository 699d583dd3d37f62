"""Something private in a text: what of it may stay, and which users and hosts it names."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

HOMES = "home|homes|Users|export/home|usr/home"
INNER = "local|localdomain|internal|intranet|lan|corp|home"
"""Ends of names of hosts within a house."""
_FILE = re.compile(r"\.[A-Za-z][\w+]{0,9}(?:\.[\w+]{1,9})*")
_OWNER = re.compile(
    rf"(?:/(?:{HOMES}|u)/|[\\/]Users[\\/]+|^~)(?P<owner>[A-Za-z0-9_.-]+)",
)


class PrivateMatch(NamedTuple):
    """Something private in a text."""

    kind: str
    text: str
    start: int
    stop: int


def _parse_authority(url: str) -> str:
    return url.partition("://")[2].partition("/")[0]


def _parse_host(url: str) -> str:
    return _parse_authority(url).rpartition("@")[2].partition(":")[0]


def is_domain(host: str) -> bool:
    """Whether no machine is named before the domain: `site.org`, but not `laptop-1.local`."""
    return host.count(".") == 1 and host.lower().rpartition(".")[2] not in INNER.split("|")


def find_kept_end(private: PrivateMatch, text: str) -> str:
    """The name of the file that stays of a path; empty where it may be a folder's, or is cut."""
    if private.kind in ("address", "code", "setting") or (
        private.kind == "host" and ":" not in private.text
    ):
        return ""
    words = re.split(r"[?#]", private.text)[0] if private.kind == "url" else private.text
    folders, sign, end = _split_path(words)
    cut = text[private.stop : private.stop + 1] == "…"
    named = _FILE.search(end)
    if end.endswith(".git"):
        return ""
    return end if sign and folders and named and not cut and named.start() else ""


def _split_path(path: str) -> tuple[str, str, str]:
    """What is before the last part, and that part."""
    at = max(path.rfind("/"), path.rfind("\\"))
    return path[:at].rstrip("/\\"), path[at : at + 1], path[at + 1 :]


def find_owners(private: PrivateMatch) -> list[str]:
    """Names of users in it: of a login, and of homes."""
    found = [one["owner"] for one in _OWNER.finditer(private.text)]
    if private.kind == "url":
        login, sign, _ = _parse_authority(private.text).rpartition("@")
        return [login.partition(":")[0], *found] if sign else found
    return [private.text.partition("@")[0], *found] if private.kind == "login" else found


def is_sure(private: PrivateMatch) -> bool:
    """Whether it names users and hosts beyond doubt: of `train@step10` nobody knows."""
    if private.kind == "remote":
        return "." in find_machine(private)
    return private.kind != "login" or "." in find_machine(private) or ":" in private.text


def find_machine(private: PrivateMatch) -> str:
    """The name of the host in it; empty where there is none, or a number."""
    find = _MACHINE.get(private.kind)
    name = find(private.text) if find else ""
    return "" if re.fullmatch(r"[\d.]*", name) else name


_MACHINE: dict[str, Callable[[str], str]] = {
    "login": lambda text: text.partition("@")[2].partition(":")[0],
    "host": lambda text: text.partition(":")[0],
    "remote": lambda text: text.partition(":")[0],
    "url": _parse_host,
    "share": lambda text: re.split(r"[\\/]+", text.lstrip("\\/"))[0],
}
