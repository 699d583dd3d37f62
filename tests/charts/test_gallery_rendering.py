"""Rendering: what is cached, what is bounded, what fails and how."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import altair as alt
import pytest
from altair.utils import schemapi

from perfolio.charts import gallery_rendering as module
from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.bar_rows import stack_layers
from perfolio.charts.chart_data import MAX_MARKS
from perfolio.charts.gallery_rendering import (
    GalleryChart,
    load_gallery,
    make_live_spec,
    render_all,
    render_figure,
    render_some,
)
from perfolio.charts.model import ChartFigure
from perfolio.common.cache import Cache
from perfolio.common.errors import ContentError
from perfolio.findings.chart_tables import make_tables
from perfolio.metrics.document import read_results
from perfolio.metrics.model import Cell, Results
from tests.charts.support import Case, cases, layers, make_result
from tests.kit.samples import SAMPLES, sample_documents

BY_NAME = {case.name: case for case in cases()}


def case(name: str) -> Case:
    return BY_NAME[name]


def test_only_what_was_measured_is_drawn() -> None:
    results = {**case("gpu_composition").results, **case("transfer_bandwidth.unknown").results}
    assert list(render_all(results)) == ["gpu_composition", "transfer_directions"]


def test_charts_of_a_page_come_in_a_deliberate_order() -> None:
    charts = [chart for chart in load_gallery().values() if chart.group == "time"]
    assert [chart.name for chart in charts[:2]] == ["gpu_composition", "gpu_by_function"]
    places = [(chart.group, chart.order) for chart in load_gallery().values()]
    assert len(places) == len(set(places)), "two charts have the same place"
    results = {**case("transfer_bandwidth").results, **case("transfer_directions").results}
    assert list(render_all(results)) == ["transfer_directions", "transfer_bandwidth"]


def test_charts_that_are_not_asked_for_are_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    results = {**case("gpu_composition").results, **case("transfer_directions").results}
    whole, drawn = render_all(results), list[str]()

    def noted(name: str, figure: ChartFigure) -> dict[str, Any]:
        drawn.append(name)
        return make_live_spec(name, figure)

    monkeypatch.setattr(module, "make_live_spec", noted)
    names = {"transfer_directions", "cpu_gpu_time"}
    assert render_some(results, names) == {"transfer_directions": whole["transfer_directions"]}
    assert drawn == ["transfer_directions"]


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES)
def test_all_charts_of_a_sample_can_be_drawn(sample: str) -> None:
    one = sample_documents(sample)
    results = {**read_results(one.metrics), **make_tables(one.findings)}
    with schemapi.debug_mode(False):
        drawn = {name: chart.draw(results) for name, chart in load_gallery().items()}
        specs = [make_live_spec(name, figure) for name, figure in drawn.items() if figure]
    assert all(spec["description"] for spec in specs)


def test_a_page_needs_only_what_is_rendered() -> None:
    rendered = render_all(case("cpu_gpu_time").results)["cpu_gpu_time"]
    assert json.loads(rendered.spec)["description"] == rendered.description
    assert rendered.metrics == (
        "cpu.time", "gpu.operation_time", "gpu.kernel_time", "gpu.copy_time",
    )  # fmt: skip
    assert rendered.csv.splitlines()[1] == "cpu.time,cpu.time,1513.6,CPU-s,,,"


def test_kept_charts_are_not_drawn_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = {**case("gpu_composition").results, **case("cpu_gpu_time").results}
    first = render_all(results, cache=Cache("charts", tmp_path))
    assert len(first) == 2
    monkeypatch.setattr(module, "load_gallery", lambda: pytest.fail("drawn again"))
    again = render_all(dict(reversed(results.items())), cache=Cache("charts", tmp_path))
    assert again == first
    assert list(again) == list(first)
    assert render_all(results, cache=Cache("charts", tmp_path)) == first


def test_a_cached_image_is_not_rendered_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = case("collective_bandwidth").results
    first = render_all(results, cache=Cache("charts", tmp_path))
    monkeypatch.setattr(module, "code_digest", lambda: "edited")
    monkeypatch.setattr(module, "render_svg", lambda _: pytest.fail("rendered again"))
    assert render_all(results, cache=Cache("charts", tmp_path)) == first
    assert len(list((tmp_path / ".cache" / "charts").iterdir())) == 3, (
        "one image, and the charts by either code"
    )


@pytest.mark.parametrize("package", ["altair", "vl-convert-python"])
def test_other_packages_draw_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    real_gallery = module.load_gallery
    results = case("gpu_composition").results
    first = render_all(results, cache=Cache("charts", tmp_path))
    drawn: list[str] = []

    def gallery() -> dict[str, GalleryChart]:
        drawn.append(package)
        return real_gallery()

    module._name_renderer.cache_clear()
    monkeypatch.setattr(module, "load_gallery", gallery)
    assert render_all(results, cache=Cache("charts", tmp_path)) == first
    assert not drawn
    module._name_renderer.cache_clear()
    monkeypatch.setattr(module, "version", lambda name: "99" if name == package else version(name))
    assert render_all(results, cache=Cache("charts", tmp_path)) == first
    assert drawn == [package]
    module._name_renderer.cache_clear()


def test_each_part_of_a_result_is_part_of_what_charts_are_kept_by() -> None:
    results = case("gpu_composition").results
    ((name, result),) = results.items()
    metric = result.metric
    others: list[Results] = [
        {},
        {"x": result},
        {**results, "x": result},
        {name: replace(result, rows=result.rows[:-1])},
        {name: replace(result, value=1.0)},
        {name: replace(result, value=1)},
        {name: replace(result, low=1.0)},
        {name: replace(result, high=1.0)},
        {name: replace(result, n=1.0)},
        {name: replace(result, reason="1.0")},
        {name: replace(result, metric=replace(metric, unit="s"))},
        {name: replace(result, metric=replace(metric, columns=metric.columns[:-1]))},
    ]
    keys = [module._make_charts_key(each) for each in (results, *others)]
    assert len(set(keys)) == len(keys)


def test_another_value_is_another_chart(tmp_path: Path) -> None:
    first = render_all(case("gpu_composition").results, cache=Cache("charts", tmp_path))
    second = render_all(case("gpu_composition.one").results, cache=Cache("charts", tmp_path))
    assert first != second
    assert render_all(case("gpu_composition").results, cache=Cache("charts", tmp_path)) == first
    assert second == render_all(case("gpu_composition.one").results)


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    results = case("gpu_composition").results
    assert render_all(results, cache=Cache("charts", tmp_path / "file")) == render_all(results)


@pytest.mark.slow
def test_kept_charts_need_no_library_that_draws(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from perfolio.charts.gallery_rendering import "
        "render_all; from perfolio.common.cache import Cache;"
        "from tests.charts.support import cases;"
        "results = next(each for each in cases() if each.name == 'gpu_composition').results;"
        "charts = render_all(results, cache=Cache('charts', Path(sys.argv[1])));"
        "print(len(charts), 'altair' in sys.modules, 'vl_convert' in sys.modules)"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", code, tmp_path], check=True, capture_output=True, text=True
        ).stdout.split()
        for _ in range(2)
    ]
    assert said == [["1", "True", "False"], ["1", "False", "False"]]


def test_too_many_marks_are_a_fault_of_the_chart() -> None:
    import altair as alt

    rows = alt.Data(values=[{"x": 1}] * (MAX_MARKS + 1))
    figure = ChartFigure("t", "d", stack_layers(alt.Chart(rows).mark_point(), height=9), "m")
    results = big_table("m", ["x:count"], [[1]])
    with pytest.raises(ContentError, match="chart c draws 2,001 marks"):
        render_figure(GalleryChart("c", "time", 1, "?", lambda _: None), figure, results, None)


def big_table(name: str, columns: list[str], rows: list[list[Cell]]) -> Results:
    return {name: make_result({"name": name, "columns": columns, "rows": rows})}


def test_ten_thousand_kernels_are_bounded() -> None:
    given = case("kernel_pareto").results["gpu.kernels"]
    columns = [f"{column.name}:{column.unit}" for column in given.metric.columns]
    rows: list[list[Cell]] = [
        [
            *(f"k{i}", f"k{i}", "other", 1 + i % 999),
            *(1e-5 * (1 + i), 1e-5 * (1 + i) / (1 + i % 999)),
            *[None] * (len(columns) - 6),
        ]
        for i in range(10_000)
    ]
    results = big_table("gpu.kernels", columns, rows)
    gallery = load_gallery()
    figure = gallery["kernel_launch_efficiency"].draw(results)
    assert figure is not None
    assert "Drawn: the 1,000 kernels with the most time" in figure.note
    assert len(make_live_spec("x", figure)["layer"][2]["data"]["values"]) == 1_000
    pareto = gallery["kernel_pareto"].draw(results)
    assert pareto is not None
    assert len(json.dumps(make_live_spec("x", pareto))) < 40_000


def test_a_big_tree_keeps_its_largest_frames_with_their_callers() -> None:
    columns = ["context:id", "parent:id", "depth:count", "name:text", "time:1", "share:ratio",
               "left:ratio"]  # fmt: skip
    rows: list[list[Cell]] = [[0, None, 0, "root", 5.0, 1.0, 0.0]]
    for i in range(1, 2_500):
        rows.append([2 * i, 0, 1, f"f{i}", 1 / i, 1 / (10.0 * i), 0.0])
        rows.append([2 * i + 1, 2 * i, 2, f"g{i}", 1 / i, 1 / (10.0 * i), 0.0])
    figure = load_gallery()["cpu_icicle"].draw(big_table("tree.cpu", columns, rows))
    assert figure is not None
    spec = make_live_spec("x", figure)
    assert len(spec["data"]["values"]) == MAX_MARKS
    names = {str(each["label"]) for each in spec["data"]["values"]}
    assert {name.replace("g", "f") for name in names if name.startswith("g")} <= names
    assert figure.tree is not None
    assert len(figure.tree["nodes"]["in"]) == len(rows)


def test_many_threads_are_counted_in_bins() -> None:
    spec = make_live_spec("x", drawn("thread_balance.histogram"))
    bins = layers(spec)[1]["data"]["values"]
    assert sum(row["count"] for row in bins) == 80
    assert 5 <= len(bins) <= 40


def drawn(name: str) -> ChartFigure:
    figure = load_gallery()[case(name).chart].draw(case(name).results)
    assert figure is not None
    return figure


def test_reports_do_not_pay_for_altair_before_they_draw() -> None:
    code = "import sys, perfolio.pipeline.reports; sys.exit('altair' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_rendering_does_not_import_altair_before_it_draws() -> None:
    code = "import sys, perfolio.charts.gallery_rendering; sys.exit('altair' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_copies_of_a_chart_share_its_rows() -> None:
    rows = [{"a": 1.0, "b": "one"}]
    chart = stack_layers(alt.Chart(ChartRows(rows)).mark_point().encode(x=alt.X("a:Q")), height=10)
    assert isinstance(chart.data, ChartRows)
    assert chart.data["values"] is rows
    assert chart.to_dict(validate=True)["data"]["values"] == rows


@pytest.mark.slow
def test_no_part_of_a_chart_is_looked_up_among_all_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Altair compares the text of a channel with the schemas of all of its classes each time."""
    looked: list[str] = []
    monkeypatch.setattr(
        schemapi._FromDict, "from_dict", lambda _, told, tp: looked.append(f"{tp} {told}")
    )
    gallery = load_gallery()
    with schemapi.debug_mode(False):
        for each in BY_NAME.values():
            gallery[each.chart].draw(each.results)
    assert [text for text in looked if "condition" not in text] == []
