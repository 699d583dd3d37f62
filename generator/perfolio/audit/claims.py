"""claims.toml: what a report says, in numbers.

    title = "A report of DLRM"
    tolerance = 0.05

    [[claim]]
    key = "launches"
    says = "Kernel launches"
    metric = "gpu.launches"
    value = 145100
    unit = "count"
    line = 14

In:  the text of the file. Out: `Claims`, values in base units.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from typing import Any

from perfolio.audit.expression import list_names
from perfolio.audit.model import Claim, Claims, Kind, PcieLink
from perfolio.common.errors import UsageError
from perfolio.common.toml_files import TomlError, load_toml
from perfolio.common.units import UNITS

NAME = "claims.toml"
HINT = "see how to audit a report"
LINK = "link"
"""The name in a formula that stands for the rate of a claim's link."""
TOLERANCE = 0.02
_ENTRIES = {"title", "source", "tolerance", "claim"}
_CLAIM = {"key", "says", "metric", "quantity", "value", "unit", "rounding", "formula", "link",
          "speedup", "affects", "of", "line"}  # fmt: skip
_KEY = re.compile(r"[a-z][a-z0-9_]*")
_LINK = re.compile(r"PCIe ([1-6])(?:\.0)? x(\d{1,2})")
_PREFIXES = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_SECONDS = {"ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
_MOST = 1_000


def load_claims(text: str, metrics: Collection[str], where: str = NAME) -> Claims:
    """The claims that `text` holds; `metrics` are the known names.

    Raises UsageError, naming the file and the claim, where one is faulty.
    """
    try:
        entries = load_toml(text)
    except TomlError as problem:
        raise UsageError(f"{where}: cannot be read: {problem}", hint=HINT) from problem
    try:
        return _read_claims(entries, metrics)
    except UsageError as problem:
        raise UsageError(f"{where}: {problem.message}", hint=problem.hint or HINT) from problem


def _read_claims(entries: Mapping[str, Any], metrics: Collection[str]) -> Claims:
    _refuse_unknown(entries, _ENTRIES, "the file")
    tables = entries.get("claim", [])
    if not isinstance(tables, list) or not 0 < len(tables) <= _MOST:
        raise UsageError(f"there must be 1 to {_MOST} tables [[claim]]")
    claims = tuple(_read_claim(table, place) for place, table in enumerate(tables, start=1))
    keys = [claim.key for claim in claims]
    if twice := [key for key in keys if keys.count(key) > 1]:
        raise UsageError(f"two claims have the key {twice[0]!r}")
    for claim in claims:
        _refuse_unknown_names(claim, keys, metrics)
    _refuse_circles(claims)
    return Claims(
        title=_read_text(entries, "title") or "A report",
        source=_read_text(entries, "source"),
        tolerance=_read_number(entries, "tolerance", TOLERANCE, most=0.5),
        claims=claims,
    )


def _read_claim(table: Any, place: int) -> Claim:
    if not isinstance(table, dict):
        raise UsageError(f"claim {place}: must be a table")
    key = _read_text(table, "key") or f"claim_{place}"
    try:
        return _check_claim(table, key)
    except UsageError as problem:
        raise UsageError(f"claim {key}: {problem.message}", hint=problem.hint) from problem


def _check_claim(table: Mapping[str, Any], key: str) -> Claim:
    _refuse_unknown(table, _CLAIM, "a claim")
    if not _KEY.fullmatch(key) or key == LINK:
        raise UsageError("a key has letters, digits and _, and is not `link`")
    kind = _find_kind(table)
    given = _read_text(table, "unit") if kind == "value" else "x"
    unit, scale = parse_unit(given)
    value = _read_number(table, "value" if kind == "value" else "speedup", None, most=1e30) * scale
    return Claim(
        key=key,
        says=_read_text(table, "says") or key,
        kind=kind,
        quantity=_read_text(table, "metric") or _read_text(table, "quantity"),
        value=value,
        unit=unit,
        rounding=_read_number(table, "rounding", 0.0, most=1e30) * scale,
        formula=_read_text(table, "formula"),
        link=_parse_link(_read_text(table, "link")),
        affects=_read_text(table, "affects"),
        of=_read_text(table, "of") or "run time",
        line=int(_read_number(table, "line", 0, most=1e9)),
    )


def _find_kind(table: Mapping[str, Any]) -> Kind:
    """A speed-up names a factor, a value names what it is of."""
    given = [key for key in ("metric", "quantity", "speedup") if key in table]
    if len(given) != 1:
        raise UsageError("name one of metric, quantity and speedup")
    if given[0] == "speedup":
        return "speedup"
    if "value" not in table:
        raise UsageError("lacks value")
    return "value"


def parse_unit(text: str) -> tuple[str, float]:
    """The base unit that `text` is of, and how many of it: `MB/s` is (B/s, 1e6)."""
    if text in UNITS and text not in ("text", "id"):
        return text, 1.0
    if text == "%":
        return "ratio", 0.01
    if text in _SECONDS:
        return "s", _SECONDS[text]
    prefix, base = text[:1], text[1:]
    if base in ("B", "B/s", "FLOP", "FLOP/s") and prefix in _PREFIXES:
        return base, _PREFIXES[prefix]
    known = ", ".join(name for name in UNITS if name not in ("text", "id"))
    raise UsageError(f"unknown unit {text!r}", hint=f"use %, ms, us, MB, GB/s, or one of {known}")


def _parse_link(text: str) -> PcieLink | None:
    if not text:
        return None
    found = _LINK.fullmatch(text)
    if not found:
        raise UsageError(f"unknown link {text!r}", hint='write it as "PCIe 4.0 x16"')
    return PcieLink(text, int(found[1]), int(found[2]))


def _refuse_unknown(table: Mapping[str, Any], known: set[str], what: str) -> None:
    if unknown := sorted(set(table) - known):
        raise UsageError(
            f"{what} knows no {unknown[0]!r}", hint=f"known are {', '.join(sorted(known))}"
        )


def _refuse_unknown_names(claim: Claim, keys: list[str], metrics: Collection[str]) -> None:
    """Quantities are of metrics; formulas may use other claims, and shares also findings."""
    known = {
        claim.quantity: set(metrics),
        claim.formula: {*metrics, *keys, *([LINK] if claim.link else [])},
        claim.affects: {*metrics, *keys},
    }
    for text, allowed in known.items():
        for name in list_names(text):
            if name not in allowed and not (text == claim.affects and name[:1].isupper()):
                raise UsageError(f"claim {claim.key}: unknown name {name!r} in {text!r}")


def _refuse_circles(claims: tuple[Claim, ...]) -> None:
    """A claim may be computed from others, and not from itself."""
    uses = {claim.key: list_names(claim.formula) + list_names(claim.affects) for claim in claims}
    open_ = dict(uses)
    while free := [key for key, used in open_.items() if not set(used) & open_.keys()]:
        for key in free:
            del open_[key]
    if open_:
        raise UsageError(f"claim {next(iter(open_))}: its formula leads back to itself")


def _read_text(table: Mapping[str, Any], key: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise UsageError(f"{key} must be a text")
    return value


def _read_number(
    table: Mapping[str, Any], key: str, default: float | None, *, most: float
) -> float:
    value = table.get(key, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise UsageError(f"{key} must be a number")
    if not math.isfinite(value) or not 0.0 <= value <= most:
        raise UsageError(f"{key} must be 0 to {most:g}, not {value}")
    return float(value)
