"""How far colours are apart for readers who do not see all of them.

Dichromacy by Machado, Oliveira and Fernandes (2009), full severity, in linear RGB; distance by
CIEDE2000 as Sharma, Wu and Dalal (2005) compute it, of colours under D65.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]

SIGHT = {
    "full": np.eye(3),
    "protanopia": np.array([
        [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ]),
    "deuteranopia": np.array([
        [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ]),
    "tritanopia": np.array([
        [1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ]),
}  # fmt: skip
_XYZ = np.array([
    [0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
    [0.0193339, 0.1191920, 0.9503041],
])  # fmt: skip
_WHITE = np.array([0.95047, 1.0, 1.08883])


def linear(colour: str) -> Vector:
    channels = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def distance(one: str, other: str, sight: str) -> float:
    """CIEDE2000 of two colours as somebody with this sight sees them."""
    return ciede2000(_lab(one, sight), _lab(other, sight))


def _lab(colour: str, sight: str) -> Sequence[float]:
    part = _XYZ @ np.clip(SIGHT[sight] @ linear(colour), 0, 1) / _WHITE
    x, y, z = np.where(part > 216 / 24389, np.cbrt(part), (24389 / 27 * part + 16) / 116)
    return float(116 * y - 16), float(500 * (x - y)), float(200 * (y - z))


def ciede2000(one: Sequence[float], other: Sequence[float]) -> float:
    """The distance of two colours of CIELAB."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    grey = 1.5 - 0.5 * sqrt(_of_25((hypot(a1, b1) + hypot(a2, b2)) / 2))
    c1, c2 = hypot(a1 * grey, b1), hypot(a2 * grey, b2)
    h1, h2 = (degrees(atan2(b, a * grey)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    mean_l, mean_c, mean_h = (l1 + l2) / 2, (c1 + c2) / 2, h1 + turn / 2 if c1 * c2 else h1 + h2
    lightness = (l2 - l1) / (1 + 0.015 * (mean_l - 50) ** 2 / sqrt(20 + (mean_l - 50) ** 2))
    chroma = (c2 - c1) / (1 + 0.045 * mean_c)
    hue = 2 * sqrt(c1 * c2) * sin(radians(turn / 2)) / (1 + 0.015 * mean_c * _hues(mean_h))
    blue = sin(radians(60 * exp(-(((mean_h % 360 - 275) / 25) ** 2))))
    tilt = -2 * sqrt(_of_25(mean_c)) * blue * chroma * hue
    return sqrt(lightness**2 + chroma**2 + hue**2 + tilt)


def _of_25(chroma: float) -> float:
    return float(chroma**7 / (chroma**7 + 25.0**7))


def _hues(mean: float) -> float:
    parts = ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.2, 4, -63))
    return 1 + sum(weight * cos(radians(times * mean + shift)) for weight, times, shift in parts)
