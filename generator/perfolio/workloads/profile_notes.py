"""What is known of a recording beside its trace, as files that `perfolio build` reads.

In:  texts and figures. Out: profile.toml, whose entries docs/reference/profile-toml.md lists.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path

from perfolio.common.errors import one_line
from perfolio.common.processes import count_processors

Setting = str | int | float | bool
_CPU_INFO = Path("/proc/cpuinfo")
_DELETE = "\x7f"


def format_profile_toml(
    texts: Mapping[str, str],
    flops: int | None,
    workload: Mapping[str, Setting],
    witnesses: Sequence[str] = (),
) -> str:
    """The content of a profile.toml with these entries; empty ones are left out."""
    lines = [f"{key} = {_format_value(text)}" for key, text in texts.items() if text]
    if flops:
        lines.append(f"model_flops_per_iteration = {flops}")
    if witnesses:
        lines.append(f"witnesses = [{', '.join(map(_format_value, witnesses))}]")
    told = {key: value for key, value in workload.items() if value != ""}
    return "\n".join(
        (*lines, "", "[workload]", *(f"{k} = {_format_value(v)}" for k, v in told.items()), "")
    )


def _format_value(value: Setting) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(one_line(value).replace(_DELETE, ""), ensure_ascii=False)
    return repr(value)


def describe_processor() -> str:
    """What the machine calls its processor, and how many of its cores may be used."""
    name = platform.machine()
    if _CPU_INFO.is_file():
        told = (
            line.partition(":") for line in _CPU_INFO.read_text("utf-8", "replace").splitlines()
        )
        name = next((text.strip() for key, _, text in told if key.strip() == "model name"), name)
    return f"{name}, {count_processors()} cores"
