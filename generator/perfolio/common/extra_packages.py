"""Packages that a part of Perfolio needs and that not every installation has.

In:  the name of an extra. Out: the command that installs its packages beside this Perfolio, from
wherever that came: an index, a wheel or a checkout.
"""

from __future__ import annotations

import re
import shlex
import sys
from importlib.metadata import PackageNotFoundError, requires
from importlib.util import find_spec

_MARKED = re.compile(r"(?P<requirement>[^;]+);.*\bextra\s*==\s*['\"](?P<extra>[\w-]+)['\"]")


def list_extra_packages(extra: str) -> list[str]:
    """What an extra requires, such as `dask-jobqueue>=0.9`; nothing of a mere folder."""
    try:
        lines = requires("perfolio") or []
    except PackageNotFoundError:
        return []
    found = (_MARKED.match(line) for line in lines)
    return [one["requirement"].strip() for one in found if one and one["extra"] == extra]


def make_install_command(extra: str) -> str:
    """The line of a shell that installs an extra's packages for the Python that runs.

    It names the packages, so that it works whether Perfolio came from a package index or not.
    Environments that uv makes have no pip: there uv installs.
    """
    wanted = list_extra_packages(extra)
    if not wanted:  # no name is given that a stranger may own
        return f"install Perfolio with its extra {extra}"
    python = shlex.quote(sys.executable)
    program = f"{python} -m pip install" if find_spec("pip") else f"uv pip install -p {python}"
    return f"{program} {shlex.join(wanted)}"
