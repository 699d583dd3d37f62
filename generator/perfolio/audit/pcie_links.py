"""Rates of PCI Express links, to tell one direction from two and a generation from the next.

Rate of a lane in one direction: transfers per second times the bits that its encoding leaves, as
the PCI Express base specifications give both (8b/10b to 2.0, 128b/130b from 3.0 on, 6.0 in flits).
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from perfolio.audit.model import PcieLink

LANE: MappingProxyType[int, float] = MappingProxyType(
    {
        1: 2.5e9 * 8 / 10 / 8,
        2: 5e9 * 8 / 10 / 8,
        3: 8e9 * 128 / 130 / 8,
        4: 16e9 * 128 / 130 / 8,
        5: 32e9 * 128 / 130 / 8,
        6: 64e9 * 242 / 256 / 8,
    }
)
"""Bytes per second of one lane in one direction, by generation."""


def compute_rate(link: PcieLink) -> float:
    """Bytes per second in one direction."""
    return LANE[link.generation] * link.lanes


def explain_rate(implied: float, link: PcieLink, tolerance: float) -> Iterator[str]:
    """What moves `implied` bytes per second, other than this link in one direction."""
    for generation in LANE:
        for directions in (1, 2):
            same = (generation, directions) == (link.generation, 1)
            found = LANE[generation] * link.lanes * directions
            if not same and abs(implied - found) <= tolerance * found:
                way = "both directions added up" if directions == 2 else "one direction"
                yield f"PCIe {generation}.0 x{link.lanes} in {way}"
