"""Charts that show a part of what they hold: which part first, and where one may go.

A chart with a `Zoom` has two parameters, `begin` and `end`, which its axis follows. The page's
zoom.js sets them: from buttons, keys, wheel, fingers, and from the address of the page.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # pages read META and need not pay for Altair's import
    import altair as alt

META = "perfolioZoom"
"""Where the specification says it: in `usermeta`."""
BEGIN, END = "begin", "end"


@dataclass(frozen=True)
class ZoomPlace:
    """A part that a button shows."""

    name: str
    begin: float
    end: float


@dataclass(frozen=True)
class Zoom:
    """What a chart holds from 0 to `whole`, in units of its axis."""

    key: str
    """Names a part in the address of a page: `#t=1.5-2`."""
    what: str
    """What the chart is called by those who cannot see it."""
    whole: float
    unit: float
    """How much 1 of the axis is, in the base unit that addresses have."""
    least: float
    """The smallest part that is shown."""
    places: tuple[ZoomPlace, ...]
    """Parts to go to; the first one is shown first, where there is any."""
    overview: float = 0.0
    """Height of what always shows the whole, at the top [px]."""
    symbol: str = "s"
    """Unit of what addresses have."""

    @property
    def first(self) -> tuple[float, float]:
        """The part that is shown first."""
        return (self.places[0].begin, self.places[0].end) if self.places else (0.0, self.whole)

    def params(self) -> list[alt.Parameter]:
        """The parameters of the chart."""
        import altair as alt

        return [
            alt.param(name=name, value=value)
            for name, value in zip((BEGIN, END), self.first, strict=True)
        ]

    def meta(self) -> dict[str, object]:
        """What zoom.js reads."""
        return {
            "embedOptions": {"renderer": "canvas"},
            META: asdict(self),
        }


def encode_zoomed_x(column: str, title: str) -> alt.X:
    """Position `column` on an axis that shows the part."""
    import altair as alt

    return alt.X(
        f"{column}:Q",
        scale=alt.Scale(domain=[alt.expr(BEGIN), alt.expr(END)], nice=False),
        axis=alt.Axis(title=title, tickCount=5, grid=True),
    )


def make_view_filter() -> str:
    """Whether a mark from `a` to `b` lies in the part that is shown."""
    return f"datum.b >= {BEGIN} && datum.a <= {END}"


def measure_pixels(length: str = "datum.b - datum.a") -> str:
    """How wide a `length` of the axis is drawn [px]."""
    return f"({length}) / ({END} - {BEGIN}) * width"
