"""What private paths, and names of users and hosts, look like."""

from __future__ import annotations

import getpass
import os
import platform
import re
from pathlib import Path

_HOMES = r"/(?:home|homes|Users|u|export/home|usr/home)/[^/\s:;,'\"()<>\[\]]+|/root(?=/)"
_PATH = r"(?:/[^\s:;,'\"()<>\[\]]*)?"
_ANYWHERE = r"(?<![\w.~/-])/(?:[^/\s:;,'\"()<>\[\]|]+/)+[^/\s:;,'\"()<>\[\]|]*"
_OWNED = re.compile(r"/(?:home|homes|Users|u|export/home|usr/home)/([^/\s:;,'\"()<>\[\]]+)")
_RECORDED = re.compile(r"([\w.-]+?)_\d+\.\d{9,}(?:\.pt)?\.trace\.json")
"""As PyTorch's profiler calls its files: host_process.time.pt.trace.json."""
SHORTEST = 4
"""Letters of the name of a user or host that is looked for: a shorter one may be any word."""


def homes() -> re.Pattern[str]:
    """Private paths; the first group is what they begin with.

    Usual places of homes, this user's own, and of this name.
    """
    own = os.path.expanduser("~")  # noqa: PTH111 - of a user without a home it gives the text back
    begins = [f"{re.escape(own)}(?=/)"] if Path(own).is_absolute() and own != "/" else []
    name = user()
    if name and name not in ("root", "user"):
        begins.append(rf"/(?:[\w.-]+/){{1,4}}{re.escape(name)}(?=/)")
    return re.compile(rf"(?<![\w.~/-])({'|'.join([*begins, _HOMES])}){_PATH}")


def paths() -> re.Pattern[str]:
    """Absolute paths of at least one folder."""
    return re.compile(_ANYWHERE)


def user() -> str:
    """The name of who runs this; empty for a number that has none, and for a short one."""
    try:
        found = getpass.getuser()
    except (KeyError, OSError):
        return ""
    return found if len(found) >= SHORTEST else ""


def users(text: str) -> list[str]:
    """Names of users by their homes in a text."""
    return [name for name in _OWNED.findall(text) if len(name) >= SHORTEST]


def host() -> str:
    """The name of this machine; empty where it says nothing."""
    name = platform.node().partition(".")[0]
    return "" if len(name) < SHORTEST or name == "localhost" else name


def whole_host() -> str:
    """The name of this machine with its domain, where it says that."""
    return platform.node()


def hosts(text: str) -> list[str]:
    """Names of hosts by the names of files that they wrote."""
    return [name for name in _RECORDED.findall(text) if len(name) >= SHORTEST]
