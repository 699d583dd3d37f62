"""Who runs this, and on which machine; and the hosts that names of files tell."""

from __future__ import annotations

import getpass
import platform
import re

_RECORDED = re.compile(r"([\w.-]+?)_\d+\.\d{9,}(?:\.pt)?\.trace\.json")
"""As PyTorch's profiler calls its files: host_process.time.pt.trace.json."""
_USER_KEY = re.compile(
    r"(?i)(?:.*[^a-z])?(?:user|username|logname|login|owner|job_user|workload\.team)"
)
_HOST_KEY = re.compile(
    r"(?i)(?:.*[^a-z])?(?:host|hostname|hosts|node|node_list|nodename|nodelist|machine|server)"
)
_SETTING = re.compile(r"(?<![\w.])-*([A-Za-z][\w.-]*)=([A-Za-z][\w.-]*(?:\[\d[\d,-]*\])?[\w.]*)")
"""As commands set an environment: USER=alice; and options: --host=node17."""
SHORTEST = 4
"""Letters of the name of a user or host that is looked for: a shorter one may be any word."""


def find_user() -> str:
    """The name of who runs this; empty for a number that has none, and for a short one."""
    try:
        found = getpass.getuser()
    except (KeyError, OSError):
        return ""
    return found if len(found) >= SHORTEST else ""


def find_host() -> str:
    """The name of this machine; empty where it says nothing."""
    name = platform.node().partition(".")[0]
    return "" if len(name) < SHORTEST or name == "localhost" else name


def find_full_host() -> str:
    """The name of this machine with its domain, where it says that."""
    return platform.node()


def find_recorded_hosts(text: str) -> list[str]:
    """Names of hosts by the names of files that they wrote."""
    return [name for name in _RECORDED.findall(text) if len(name) >= SHORTEST]


def parse_settings(text: str) -> list[tuple[str, str]]:
    """Settings in a text, with their values."""
    return _SETTING.findall(text) if "=" in text else []


def is_user_key(key: str) -> bool:
    """Whether a setting names a user, or a team: `SLURM_JOB_USER`, `run.user`, `workload.team`."""
    return bool(_USER_KEY.fullmatch(key))


def is_host_key(key: str) -> bool:
    """Whether a setting names a host: `SLURMD_NODENAME`, `run.host`."""
    return bool(_HOST_KEY.fullmatch(key))
