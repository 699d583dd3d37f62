"""Charts that show a part: where they begin, and what zoom.js is told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import altair as alt
import pytest

from perfolio.charts.chart_data import MAX_ZOOMED
from perfolio.charts.gallery_rendering import load_gallery, make_live_spec, make_static_spec
from perfolio.charts.zoom import META, Zoom, ZoomPlace
from perfolio.common.errors import ContentError
from tests.charts.support import cases, layers


def timeline() -> dict[str, Any]:
    case = next(case for case in cases() if case.name == "timeline_overview")
    figure = load_gallery()["timeline_overview"].draw(case.results)
    assert figure is not None
    return make_live_spec("timeline_overview", figure)


def test_a_timeline_begins_with_the_iteration_nearest_to_the_median() -> None:
    spec = timeline()
    shown = {each["name"]: each["value"] for each in spec["params"]}
    assert shown == {"begin": pytest.approx(3.28), "end": pytest.approx(4.32)}
    told = spec["usermeta"][META]
    assert (told["key"], told["whole"], told["unit"]) == ("t", 10.0, 1.0)
    assert [(each["name"], each["begin"], each["end"]) for each in told["places"]] == [
        ("Typical iteration", pytest.approx(3.28), pytest.approx(4.32)),
        ("First iteration", pytest.approx(1.974), pytest.approx(3.326)),
        ("Longest gap", pytest.approx(3.3), pytest.approx(4.2)),
    ]
    assert spec["usermeta"]["embedOptions"] == {"renderer": "canvas"}
    assert "usermeta" not in make_static_spec(spec)


def test_lanes_share_one_axis_that_follows_what_is_shown() -> None:
    domains = [
        view["encoding"]["x"]["scale"]["domain"]
        for view in layers(timeline())
        if "scale" in view.get("encoding", {}).get("x", {})
    ]
    moving = [domain for domain in domains if domain == [{"expr": "begin"}, {"expr": "end"}]]
    still = [domain for domain in domains if domain == [0, 10.0]]
    assert len(moving) + len(still) == len(domains)
    assert len(moving) >= 7
    assert len(still) >= 2


def test_a_zoom_without_places_shows_all() -> None:
    assert Zoom("t", "x", 5.0, 1.0, 0.1, ()).first == (0.0, 5.0)
    assert Zoom("t", "x", 5.0, 1.0, 0.1, (ZoomPlace("here", 1.0, 2.0),)).first == (1.0, 2.0)


@pytest.mark.slow
def test_there_is_a_limit_to_what_is_held() -> None:
    case = next(case for case in cases() if case.name == "timeline_overview")
    figure = load_gallery()["timeline_overview"].draw(case.results)
    assert figure is not None
    rows = [{"a": float(each), "b": each + 1.0} for each in range(MAX_ZOOMED + 1)]
    many = replace(figure, chart=alt.Chart(alt.Data(values=rows)).mark_point())
    with pytest.raises(ContentError, match="6,001 marks"):
        make_live_spec("timeline_overview", many)
