"""The pages of a fleet: what they say first, what they leave out, and names that are attacks."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import markdown
import pytest

from perfolio.charts.comparison_rendering import WEEKS, render_weekly_chart
from perfolio.fleet.lake_connection import open_lake
from perfolio.fleet.lake_questions import LakeAnswer
from perfolio.pages.fleet_pages import ROWS, format_money, render_fleet
from perfolio.pages.fleet_view import FleetView, name_pages
from perfolio.pipeline.fleet_site import ask_all
from perfolio.site import navigation
from tests.bench.fleet_draws import draw_fleet
from tests.fleet.lakes import make_lake
from tests.pages.support import HOSTILE, Page, extensions

Answers = dict[str, LakeAnswer]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    lake, _ = draw_fleet(1_500, tmp_path_factory.mktemp("fleet") / "lake")
    with open_lake(lake) as connection:
        return ask_all(connection)


def ask(root: Path, runs: list[dict[str, Any]]) -> Answers:
    with open_lake(make_lake(root, runs)) as connection:
        return ask_all(connection)


def render(answers: Answers, **settings: Any) -> dict[str, str]:
    files = render_fleet(FleetView(answers, **settings), {})
    return {name: str(content) for name, content in files.items()}


def convert(page: str) -> Page:
    used, configured = extensions()
    body = page.partition("\n---\n")[2]
    return Page(markdown.markdown(body, extensions=used, extension_configs=configured))


def test_first_page_answers_first_and_has_its_sections_in_order(answers: Answers) -> None:
    page = render(answers)["index.md"]
    wanted = ["first", "causes", "machines", "drivers", "changes", "cost", "findings", "runs"]
    assert re.findall(r"^##+ .*\{: #([a-z-]+) \}", page, re.MULTILINE) == wanted
    first = page.partition("## Where")[0]
    assert "Fleet of 1,500 runs" in first
    assert "GPUs idle or wait in " in first
    assert " EUR" in first
    assert first.count("\n1. ") == 6
    assert "Replace GPU driver 580.05" in first
    assert "Find what changed for workload-3 before the week of 2026-07-" in first


def test_what_saves_most_comes_first(answers: Answers) -> None:
    hours = [one.hours or 0.0 for one in FleetView(answers).actions]
    assert hours == sorted(hours, reverse=True)
    assert all(hours)


def test_kernels_of_a_workload_that_is_slower_stand_on_its_page(answers: Answers) -> None:
    pages = render(answers)
    assert "kernel&#95;3&#95;" not in pages["index.md"]
    assert pages["workloads/workload-3.md"].count("kernel&#95;3&#95;") >= 30
    assert "kernel&#95;2&#95;27" in pages["index.md"]


def test_every_link_leads_to_a_page_and_every_number_to_its_question(answers: Answers) -> None:
    pages = render(answers)
    anchors = set(re.findall(r'<h3 id="([a-z-]+)"', pages["questions.md"]))
    for shared in ("lost_time", "run_cost", "sum_money", "judge_changes", "judge_places"):
        assert pages["questions.md"].count(shared) > 1, "it is asked, and defined on the page"
    assert len(anchors) == len(answers)
    for name, page in pages.items():
        if not name.endswith(".md"):
            continue
        base = "../" if "/" in name else ""
        for target in re.findall(r"\]\(([^)#]*)(?:#[a-z-]+)?\)", page):
            assert not target or (target.startswith(base) and target[len(base) :] in pages), target
        asked = re.findall(r"Numbers: \[.*?\]\(.*?questions\.md#([a-z-]+)\)", page)
        assert (asked and {*asked} <= anchors) or name == "questions.md", name


def test_each_slow_machine_has_a_page_that_says_so(answers: Answers) -> None:
    pages, view = render(answers), FleetView(answers)
    slow = {row["host"] for row in view.slow("slow_hosts")}
    said = {name for name, page in pages.items() if "GPUs idle longer here" in page}
    assert said == {f"hosts/{host}.md" for host in slow}
    assert len(slow) == 3


def test_pages_are_bounded_and_the_slow_ones_are_kept(answers: Answers) -> None:
    rows = answers["cost_by_host"].rows
    many = [{**rows[0], "host": f"other{place}"} for place in range(500)]
    more = {**answers, "cost_by_host": LakeAnswer(answers["cost_by_host"].question, (*many, *rows))}
    view = FleetView(more)
    assert len(view.hosts) == 200
    assert {row["host"] for row in view.slow("slow_hosts")} <= view.hosts.keys()


def test_no_run_is_one_page(tmp_path: Path) -> None:
    pages = render(ask(tmp_path / "lake", []))
    assert pages.keys() == {"index.md", ROWS}
    assert "perfolio fleet ingest" in pages["index.md"]


def test_one_run_is_not_judged(tmp_path: Path) -> None:
    run = {"name": "only", "hosts": ["x"], "gpu_hours": 1.0, "window_ns": 10, "lanes": 1}
    page = render(ask(tmp_path / "lake", [{"run": run}]))["index.md"]
    assert "This is one run: machines, drivers and changes are not judged." in page
    assert "#machines" not in page
    assert "None" not in page


def test_nothing_known_is_said(tmp_path: Path) -> None:
    run = {"recorded": None, "gpu_hours": None}
    pages = render(ask(tmp_path / "lake", [{"times": 9, "run": run}]))
    assert "Of no run is it known how its GPUs spend their time." in pages["index.md"]
    assert "How its GPUs spend their time is not known." in pages["workloads/w.md"]
    assert "None" not in "".join(pages.values())


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_no_markup(name: str, tmp_path: Path) -> None:
    name = name[:2_000].replace("\ud800", "") or "–"
    run = {
        "name": name, "workload": name, "owner": name, "team": name, "hosts": [name],
        "hardware": name, "driver": name, "verdict": name, "currency": name, "price": 1.0,
        "gpu_hours": 1.0, "window_ns": 10, "lanes": 1, "basis": "iteration", "iterations": 1,
        "iteration_ns": 10,
    }  # fmt: skip
    entry = {
        "times": 8, "run": run, "part": [{"part": "idle", "kind": name, "ns": 5}],
        "gpu": [{"rank": 0, "host": name, "kernel_ns": 5, "idle_ns": 5}],
        "kernel": [{"kernel": name, "class": name, "ns": 5, "calls": 1}],
        "finding": [{"code": name, "title": name, "severity": "low", "whole": "wall"}],
    }  # fmt: skip
    pages = render(ask(tmp_path / "lake", [entry]))
    assert len([path for path in pages if path.endswith(".md")]) == 5
    for path, page in pages.items():
        if path.endswith(".md"):
            found = convert(page)
            used = {element for element, _ in found.elements}
            assert not used & {"script", "iframe", "img", "style", "del", "mark", "em", "ins"}, path
            attributes = [each for _, attrs in found.elements for each in attrs]
            assert not [each for each, _ in attributes if each.startswith("on")], path
            targets = [str(value) for each, value in attributes if each in ("href", "src")]
            assert not [each for each in targets if ":" in each], path
    assert "</script" not in pages[ROWS]


def read_rows(script: str) -> dict[str, Any]:
    text = script.partition("perfolio.fleet = ")[2].removesuffix(";\n")
    found: dict[str, Any] = json.loads(text)
    return found


def test_all_runs_are_in_the_script_as_they_are_printed(answers: Answers) -> None:
    document = read_rows(render(answers, reports={})[ROWS])
    assert document["rows"] == 1_500
    columns = {one["title"]: one for one in document["columns"]}
    assert {"Run", "Workload", "Idle GPU-hours", "Hosts", "Verdict"} <= columns.keys()
    assert "Identifier" not in columns
    hosts = columns["Hosts"]
    assert len(hosts["at"]) == 1_500
    assert len(hosts["of"]) == 64
    assert hosts["pages"]["node000"] == "hosts/node000.html"
    assert columns["Idle"]["numbers"]
    assert columns["Idle"]["of"][0].endswith(" %")


def test_runs_lead_to_their_reports(answers: Answers) -> None:
    run = str(answers["runs"].rows[3]["run"])
    pages = render(answers, reports={run: "report-1"})
    (column,) = (one for one in read_rows(pages[ROWS])["columns"] if one["title"] == "Run")
    assert column["pages"] == {"3": "report-1/index.html"}
    assert "](report-1/index.md)" in pages["index.md"]


def test_reports_that_are_withheld_are_named(answers: Answers) -> None:
    page = render(answers, shared=True, withheld=3)["index.md"]
    assert "No full reports: these runs were not read with `--share`" in page


def test_pages_of_names_are_apart() -> None:
    names = ["a b", "A/B", "index", "", "–", "a-b--2", "x"]
    pages = name_pages("hosts", names)
    assert list(pages) == names
    assert len(set(pages.values())) == len(names)
    assert "hosts/index.md" not in pages.values()
    assert all(re.fullmatch(r"hosts/[a-z0-9-]+\.md", page) for page in pages.values())


def test_money_has_its_currency() -> None:
    assert format_money(1234.5, "EUR") == "1,235 EUR"
    assert format_money(None, "EUR") == format_money(1.0, None) == "–"


def test_weeks_are_a_chart_from_two_on(answers: Answers) -> None:
    weeks = FleetView(answers).rows("trend_by_week", workload=None)
    charts = render_weekly_chart(weeks)
    assert render_weekly_chart(weeks[:1]) == {}
    chart = charts[WEEKS]
    assert chart.title.startswith("GPUs idle ")
    assert len(chart.csv.splitlines()) == len(weeks) + 1
    files = render_fleet(FleetView(answers), charts)
    assert f"charts/{WEEKS}.svg" in files
    assert "#weeks" in str(files["index.md"])


def test_the_site_knows_the_fleet(answers: Answers, tmp_path: Path) -> None:
    assert navigation.FLEET_RUNS == ROWS
    for path, content in render(answers).items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(content, "utf-8")
    nav = navigation.make_site_nav(tmp_path)
    titles = [next(iter(entry)) for entry in nav]
    assert titles == ["Fleet", "Causes", "Workloads", "Hosts", "Questions"]
    assert nav[2]["Workloads"][0] == "workloads/workload-0.md"
    assert navigation.find_only_summary(tmp_path) is None


def test_changes_are_judged_from_four_weeks_on(tmp_path: Path) -> None:
    for weeks, judged in ((3, False), (4, True)):
        entry = {"times": 20, "weeks": [0, weeks], "run": {"iteration_ns": 10, "gpu_hours": 1.0}}
        page = render(ask(tmp_path / f"{weeks}", [entry]))["index.md"]
        assert ("No workload got slower" in page) == judged
        assert ("Not judged: that takes runs of four weeks" in page) != judged
