"""Whole reports: pages against snapshots, links, numbers, names of strangers, nothing measured."""

from __future__ import annotations

import copy
import json
import posixpath
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import pytest
import yaml

from perfolio.charts.comparison_rendering import render_promise_chart
from perfolio.common import units
from perfolio.common.errors import ContentError
from perfolio.comparison.promise_record import NamedRun, list_shown_steps
from perfolio.findings.document_format import shorten_document
from perfolio.pages import report_rendering, template_environment, template_filters
from perfolio.pages.report_rendering import (
    list_page_names,
    render_catalogue,
    render_index,
    render_promises,
    render_queries,
    render_report,
)
from tests.comparison.documents import make_pairs
from tests.kit.samples import SAMPLES, sample_documents
from tests.pages.support import (
    HOSTILE,
    Page,
    charts,
    check_commands,
    check_order_of_steps,
    documents,
    measured,
    rendered,
    unmeasured,
    with_names,
    without_a_gpu,
    without_plan,
)

SNAPSHOTS = Path(__file__).resolve().parent / "snapshots"
PAGES = (
    "balance", "ceilings", "claims", "conclusion", "findings", "host-calls", "hot-paths", "index",
    "kernels",
    "memory", "metrics", "operators", "quality", "roadmap", "root-causes",
    "serving", "stalls", "technical", "thresholds", "time", "timeline", "transfers", "workflow",
)  # fmt: skip
ACTIVE = {"script", "iframe", "object", "embed", "form", "input", "style", "link", "base", "meta",
          "svg", "h7", "b"}  # fmt: skip

TOOLTIPS = {("span", "title"), ("code", "title"), ("abbr", "title")}
HIGHLIGHTED = {("span", "class")}
"""Words of a command, coloured."""


def pages(files: Mapping[str, str | bytes]) -> dict[str, str]:
    return {name: str(content) for name, content in files.items() if name.endswith(".md")}


@cache
def report() -> Mapping[str, str | bytes]:
    """The files of the report that snapshots are of."""
    return render_report(*documents(), charts())


@cache
def tree() -> Mapping[str, str | bytes]:
    """A folder of reports, as it is written: a start page, the queries and three reports."""
    metrics, findings = documents()
    others = {"empty": unmeasured(), "cpu": without_a_gpu()}
    for slug, one_of in others.items():
        for document in one_of:
            document["run"]["slug"] = slug
    reports = [(metrics, findings, charts()), *((*each, {}) for each in others.values())]
    files: dict[str, str | bytes] = {
        "index.md": render_index([each[:2] for each in reports]),
        "queries.md": render_queries([metrics for metrics, _, _ in reports]),
        "catalogue.json": render_catalogue([metrics for metrics, _, _ in reports]),
    }
    for one in reports:
        slug = one[0]["run"]["slug"]
        files |= {f"{slug}/{name}": content for name, content in render_report(*one).items()}
    return files


@cache
def parsed_tree() -> Mapping[str, Page]:
    return {name: rendered(text) for name, text in pages(tree()).items()}


def test_every_template_is_a_page() -> None:
    assert list_page_names() == list(PAGES)


@pytest.mark.parametrize("page", [*PAGES, "reports", "queries", "promises"])
def test_page_is_as_its_snapshot(page: str, update_snapshots: bool) -> None:
    metrics, findings = documents()
    if page == "reports":
        text = render_index([(metrics, findings)])
    elif page == "queries":
        text = render_queries([metrics])
    elif page == "promises":
        steps = list_shown_steps(make_pairs(), {"d0": NamedRun("DLRM", "dlrm")})
        text = render_promises(steps, render_promise_chart(steps))["promises.md"]
    else:
        text = str(report()[f"{page}.md"])
    path = SNAPSHOTS / f"{page}.md"
    if update_snapshots:
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), "pytest tests/pages --update-snapshots"


@pytest.mark.parametrize("sample", SAMPLES)
def test_steps_have_one_order_on_every_page_and_in_every_file(sample: str) -> None:
    check_order_of_steps(sample_documents(sample))


@pytest.mark.parametrize("sample", SAMPLES)
def test_commands_of_a_report_parse_and_are_of_the_tool_at_hand(sample: str) -> None:
    check_commands(sample_documents(sample))


@pytest.mark.parametrize(("gpus", "linked"), [(1.0, True), (8.0, False)])
def test_a_mean_over_gpus_leads_to_no_sum_over_them(gpus: float, linked: bool) -> None:
    metrics, findings = (copy.deepcopy(each) for each in documents())
    scalar = next(one for one in metrics["metrics"] if one["shape"] == "scalar")
    metrics["metrics"].append(scalar | {"name": "run.gpus", "status": "measured", "value": gpus})
    part = {"name": "Kernels: attention", "value": 1.5, "share": 1.0}
    part["metric"] = "gpu.kernel_classes"
    findings["breakdown"] = findings["breakdown"] | {"parts": [part], "unit": "s"}
    page = str(render_report(metrics, findings, charts())["index.md"])
    (row,) = (line for line in page.splitlines() if "Kernels: attention |" in line)
    assert ("[100.0\N{NO-BREAK SPACE}%](metrics.md#gpu-kernel-classes)" in row) == linked
    assert "100.0\N{NO-BREAK SPACE}%" in row
    assert ("on average over the 8 GPUs" in page) != linked


def test_a_saving_without_its_whole_stands_behind_one_of_the_same_whole() -> None:
    metrics, findings = (copy.deepcopy(each) for each in documents())
    (step, *_), *_ = (phase["steps"] for phase in findings["roadmap"]["phases"])
    known = {one["code"]: one for one in findings["findings"]}
    model, others = known[step["code"]], [one for one in known if one != step["code"]]
    wholes = ("wall time", "wall time", "CPU time", "wall time")
    for skipped in (0, 1):
        steps = []
        for code, whole in zip(
            (step["code"], *others), wholes[skipped : skipped + 3], strict=False
        ):
            worth = {**model["estimate"], "of": whole, "steady": None, "reduction": 0.25}
            known[code] |= {**model, "code": code, "estimate": worth, "expected": None}
            steps.append({**step, "code": code, "after": []})
        findings["roadmap"]["phases"] = [{**findings["roadmap"]["phases"][0], "steps": steps}]
        page = str(render_report(metrics, findings, charts())["index.md"])
        told = re.findall(r'pf-worth">Saves up to 25.0\N{NO-BREAK SPACE}%(.*?)\.</span>', page)
        assert told == [[" of wall time", "", " of CPU time"],
                        [" of wall time", " of CPU time", " of wall time"]][skipped]  # fmt: skip


def test_a_cause_without_an_amount_has_what_its_finding_bounds_or_concerns() -> None:
    metrics, findings = documents()
    node = next(one for one in findings["causes"]["nodes"] if one["key"] == "gpu.kernels.stalls")
    finding = next(one for one in findings["findings"] if one["code"] == "M2")
    node |= {"amount": None, "share": None, "most": None}
    told = {}
    for at_most in (True, False):
        finding["affected"] = {
            "cause": node["key"], "amount": 0.01, "share": 0.072, "at_most": at_most
        }  # fmt: skip
        told[at_most] = str(render_report(metrics, findings, charts())["root-causes.md"])
    assert re.search(r"At most 10\.00.ms, 7\.2", told[True])
    assert re.search(r"Its finding concerns 10\.00.ms, 7\.2", told[False])
    assert "At most 10" not in told[False]
    finding["affected"] = None
    neither = render_report(metrics, findings, charts())["root-causes.md"]
    assert "its own part is not known" in neither
    node["view"] = True
    seen_another_way = render_report(metrics, findings, charts())["root-causes.md"]
    assert "its own part is not known" not in seen_another_way
    assert "How much of" in seen_another_way


def test_what_a_step_saves_on_top_of_its_bound_stands_wherever_the_bound_does() -> None:
    metrics, findings = documents()
    code = findings["worth"]["steps"][0]
    finding = next(one for one in findings["findings"] if one["code"] == code)
    for besides, times in (("", (0, 0, 0)), ("fusing saves more", (1, 2, 2))):
        finding["besides"] = besides
        made = render_report(metrics, findings, charts())
        found = [str(made[f"{page}.md"]).lower() for page in ("index", "roadmap", "findings")]
        assert tuple(text.count("fusing saves more") for text in found) == times


def test_every_snapshot_has_a_page() -> None:
    assert {path.stem for path in SNAPSHOTS.glob("*.md")} == {
        *PAGES,
        "reports",
        "queries",
        "promises",
        "README",
    }


def test_documents_and_chart_files_are_part_of_a_report() -> None:
    (metrics, findings), files = documents(), report()
    assert json.loads(files["findings.json"]) == shorten_document({**findings, "metrics": metrics})
    assert "\n" not in str(files["findings.json"])[:-1], "no white space, which would be a fifth"
    script = str(files["charts/gpu_composition.js"])
    assert script.splitlines()[1] == 'window.perfolio.specs["gpu_composition"] = {"mark":"bar"};'
    assert files["charts/gpu_composition.svg"] == charts()["gpu_composition"].svg
    assert files["charts/gpu_composition.csv"] == charts()["gpu_composition"].csv


def test_a_run_without_a_gpu_has_no_pages_about_one() -> None:
    """The navigation lists the pages that there are."""
    about = {
        "kernels.md", "stalls.md", "transfers.md", "operators.md", "host-calls.md", "memory.md",
        "ceilings.md", "serving.md",
        "conclusion.md",
    }  # fmt: skip
    all_pages = {f"{page}.md" for page in PAGES}
    assert set(pages(report())) == all_pages
    assert set(pages(render_report(*without_a_gpu(), {}))) == all_pages - about


def test_every_link_leads_somewhere() -> None:
    files, parsed = tree(), parsed_tree()
    broken = [
        f"{name}: {target}"
        for name, page in parsed.items()
        for target in page.values("href") + page.values("src") + page.values("data-spec")
        if not leads_somewhere(name, target, files, parsed)
    ]
    assert broken == []


def leads_somewhere(
    page: str, target: str, files: Mapping[str, str | bytes], parsed: Mapping[str, Page]
) -> bool:
    path, _, fragment = target.partition("#")
    file = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
    if file.endswith(".html"):  # of a block of HTML, which the site's builder leaves as it is
        file = f"{file.removesuffix('.html')}.md"
    if fragment.startswith("t="):  # a part of the timeline
        return "t" in parsed[file].values("data-zoom")
    return file in files and (not fragment or fragment in parsed[file].values("id"))


def test_identifiers_are_unique_on_each_page() -> None:
    for name, page in parsed_tree().items():
        ids = [each for each in page.values("id") if not each.startswith("__")]
        assert len(ids) == len(set(ids)), f"{name}: {sorted(i for i in ids if ids.count(i) > 1)}"


@pytest.mark.parametrize("page", PAGES)
def test_front_matter_has_a_title_and_a_description(page: str) -> None:
    text = pages(tree())[f"dlrm/{page}.md"]
    front = yaml.safe_load(text.split("---\n")[1])
    assert front["title"]
    assert page == "index" or front["description"].endswith(": DLRM on H100")


@pytest.mark.slow
@pytest.mark.parametrize("hostile", HOSTILE)
def test_names_of_a_profile_add_no_element_and_no_attribute(hostile: str) -> None:
    expected = harmless_pages()
    for name, text in hostile_pages(hostile).items():
        page = rendered(text)
        assert not {tag for tag, _ in page.elements} & ACTIVE, name
        assert attributes(page) <= attributes(expected[name]) | TOOLTIPS | HIGHLIGHTED
        assert page.hidden == []
        assert urls(page) == urls(expected[name]), name
        assert len(text) < 400_000, name


@cache
def harmless_pages() -> Mapping[str, Page]:
    return {name: rendered(text) for name, text in hostile_pages("name").items()}


def hostile_pages(name: str) -> dict[str, str]:
    metrics, findings, drawn = with_names(name)
    return pages(render_report(metrics, findings, drawn)) | {
        "reports.md": render_index([(metrics, findings)])
    }


def attributes(page: Page) -> set[tuple[str, str]]:
    return {(tag, key) for tag, attrs in page.elements for key, _ in attrs}


def urls(page: Page) -> set[str]:
    """Where a page leads; links to its own headings carry names of them."""
    found = page.values("href") + page.values("src")
    return {url for url in found if not url.startswith("#")}


def test_values_are_never_templates() -> None:
    for text in hostile_pages("{{ 1111 * 7 }}{% for x in y %}").values():
        assert "7777" not in rendered(text).text


def test_a_report_without_anything_measured_says_so_on_each_page() -> None:
    metrics, findings = unmeasured()
    files = pages(render_report(metrics, findings, {}))
    assert "No time was measured" in files["index.md"]
    for page in ("time", "timeline", "kernels", "stalls", "transfers", "balance", "hot-paths"):
        shown = rendered(files[f"{page}.md"]).text
        assert "Not measured: this profile holds nothing about" in shown, page
        assert "the profile lists no X" in shown, page
    assert "Unknown: a profile does not name the machine" in files["technical.md"]
    assert "No number" not in "".join(files.values())


def test_a_report_without_a_metric_at_all_still_renders() -> None:
    metrics, findings = unmeasured()
    metrics["metrics"] = []
    findings |= {"findings": [], "key_figures": [], "not_measured": []}
    files = pages(render_report(metrics, findings, {}))
    assert "no check could be evaluated" in files["index.md"]
    assert "Everything that this report knows of was measured" in files["quality.md"]


@pytest.mark.parametrize(
    ("metric", "page"), [("time.wall_parts", "timeline"), ("gpu.composition", "time")]
)
def test_the_breakdown_leads_to_the_page_of_its_metric(metric: str, page: str) -> None:
    metrics, findings = documents()
    for part in findings["breakdown"]["parts"]:
        part["metric"] = metric
    summary = pages(render_report(metrics, findings, {}))["index.md"]
    assert re.search(rf"100 % is \[.+\]\({page}\.md\)\.", summary)


@pytest.mark.parametrize(("late", "is_said"), [(0.723, True), (0.0, False)])
def test_rankings_by_elapsed_time_say_how_much_of_it_is_no_work(
    *, late: float, is_said: bool
) -> None:
    metrics, findings = documents()
    for part in findings["breakdown"]["parts"]:
        part["metric"] = "cpu.engaged_modules"
    share = next(each for each in metrics["metrics"] if each["name"] == "time.gpu_utilisation")
    for name, value in (("cpu.late_share", late), ("cpu.waiting_share", 0.554)):
        metrics["metrics"].append({**share, "name": name, "value": value, "status": "measured"})
    files = pages(render_report(metrics, findings, {}))
    works = "code that works"
    for page, came in (("hot-paths", works), ("time", works), ("index", f"{works} in it")):
        text = rendered(files[f"{page}.md"]).text.replace("\xa0", " ")
        said = f"Of the time of {came}, at least 72.3 % came late and is no work."
        assert (said in " ".join(text.split())) is is_said
    assert "55.4 %" in files["hot-paths.md"].replace("\xa0", " ")


@pytest.mark.parametrize(("waits", "is_said"), [(10.177, True), (0.0, False)])
def test_rankings_say_how_much_of_pythons_time_is_waiting(*, waits: float, is_said: bool) -> None:
    metrics, findings = documents()
    for part in findings["breakdown"]["parts"]:
        part["metric"] = "cpu.engaged_modules"
    share = next(each for each in metrics["metrics"] if each["name"] == "time.gpu_utilisation")
    found = {"cpu.late_share": 0.1, "cpu.waiting_share": 0.5, "cpu.python_waits": waits}
    for name, value in found.items():
        unit = "thread-s" if name == "cpu.python_waits" else "ratio"
        known = {"name": name, "value": value, "unit": unit, "status": "measured"}
        metrics["metrics"].append({**share, **known})
    files = pages(render_report(metrics, findings, {}))
    said = "Of the time of Python functions, up to 10.18 thread-s is waiting in code that they call"
    for page in ("hot-paths", "time", "index"):
        text = rendered(files[f"{page}.md"]).text.replace("\xa0", " ").replace("\u2060", "")
        assert (said in " ".join(text.split())) is is_said


def test_reports_of_one_title_are_told_apart_on_the_start_page() -> None:
    (metrics, findings), (other, found) = documents(), documents()
    other["run"]["slug"] = "dlrm-again"
    text = rendered(render_index([(metrics, findings), (other, found)])).text
    assert "DLRM on H100 (dlrm)" in text
    assert "DLRM on H100 (dlrm-again)" in text
    assert "(dlrm)" not in render_index([(metrics, findings)])


def test_a_report_in_which_all_is_well_says_so() -> None:
    metrics, findings = documents()
    findings["findings"] = [each for each in findings["findings"] if each["status"] == "passed"]
    without_plan(findings)
    text = pages(render_report(metrics, findings, {}))["index.md"]
    assert "Nothing: no check fired. [What was checked](findings.md)" in text


@pytest.mark.parametrize(("count", "words"), [(1, "The finding"), (2, "All 2 findings")])
def test_findings_are_counted_in_words_that_fit(count: int, words: str) -> None:
    metrics, findings = documents()
    for finding in [each for each in findings["findings"] if each["status"] == "fired"][count:]:
        finding["status"] = "passed"
    assert words in rendered(pages(render_report(metrics, findings, {}))["index.md"]).text


def test_numbers_that_are_zero_are_one_sentence_except_where_quality_is_judged() -> None:
    metrics, findings = documents()
    by_name = {item["name"]: item for item in metrics["metrics"]}
    copies = [item for name, item in by_name.items() if name.startswith("transfer.")]
    shares = [item for name, item in by_name.items() if name.startswith("gpu.copy_")]
    for item in [*copies, *shares]:
        if item["shape"] == "scalar":
            item |= {"status": "measured", "value": 0, "low": None, "high": None, "n": None}
    files = pages(render_report(metrics, findings, {}))
    shown = rendered(files["transfers.md"]).text
    assert "No copies: the profile records GPU operations" in shown
    assert "Measured, and zero: " in shown
    assert "| Figure |" not in files["transfers.md"]
    assert "Measured, and zero" not in files["quality.md"]


def test_the_page_of_no_reports_says_how_to_make_one() -> None:
    assert "perfolio build PATH" in render_index([])
    assert "perfolio build trace.json.gz" in render_index([])


def test_the_list_of_one_report_leads_to_its_summary() -> None:
    assert "\nopens: dlrm/index.html\n" in render_index([documents()])
    other, found = documents()
    other["run"]["slug"] = "dlrm-again"
    assert "opens:" not in render_index([documents(), (other, found)])
    assert "opens: reports/dlrm/index.html" in render_index([documents()], base="reports/")


def test_the_list_tells_what_a_run_is_compared_with() -> None:
    (metrics, findings), (other, found) = documents(), documents()
    other["run"] = {**other["run"], "slug": "after", "title": "After"}
    other["run"]["settings"] = {"workload.before": "dlrm"}
    for document, time in ((metrics, 4.0), (other, 1.0)):
        document["metrics"] = [
            item
            for item in document["metrics"]
            if item["name"] not in ("time.wall", "time.iteration_median")
        ]
        wall = {**document["metrics"][0], "name": "time.wall", "title": "Wall time", "unit": "s"}
        document["metrics"].append({**wall, "value": time, "status": "measured"})
    row = render_index([(other, found), (metrics, findings)]).split("\n| <span")[2]
    assert "Wall time: 1.00\u00a0s, and 4.00\u00a0s in [DLRM on H100](#dlrm)." in row
    assert "| 25.0\u00a0% " in row


def test_links_of_the_start_page_begin_with_its_way_to_the_reports() -> None:
    text = render_index([documents()], base="reports/")
    targets = [url for url in rendered(text).values("href") if not url.startswith("#")]
    assert targets
    assert all(url.startswith("reports/dlrm/") for url in targets)


@pytest.mark.parametrize("value", ["true", "1", "yes"])
def test_simulated_data_says_so_on_every_page(value: str) -> None:
    metrics, findings = documents()
    metrics["run"]["settings"]["simulated"] = value
    for name, text in pages(render_report(metrics, findings, {})).items():
        assert "no machine ran it" in text, name
    assert "Simulated" in render_index([(metrics, findings)])


@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("/elsewhere/somebody/dlrm.d", "dlrm.d"),
        ("../somebody/a b/", "'a b'"),
        (".", "."),
        ("/", "/"),
    ],
)
def test_no_page_says_where_a_profile_lay(path: str, named: str) -> None:
    metrics, findings = documents()
    metrics["run"]["path"] = path
    made = "".join(pages(render_report(metrics, findings, {})).values())
    assert f"perfolio ingest {named} --store" in made
    assert "somebody" not in made


@pytest.mark.parametrize("settings", [{}, {"simulated": "false"}])
def test_recorded_data_has_no_banner(settings: dict[str, str]) -> None:
    metrics, findings = documents()
    metrics["run"]["settings"] = settings
    assert "pf-banner" not in "".join(pages(render_report(metrics, findings, {})).values())


def test_cards_and_the_breakdown_link_to_their_metrics() -> None:
    metrics, findings = documents()
    text = pages(render_report(metrics, findings, {}))["index.md"]
    by_name = {item["name"]: item for item in metrics["metrics"]}
    for figure in findings["key_figures"]:
        item = by_name[figure["metric"]]
        value = units.quantity(item["value"], item["unit"])
        if item["value"] is not None:
            assert linked(text, f'pf-card-value">{value}', figure["metric"]), figure
            ends = template_filters.interval(item, item["unit"])
            assert not ends or linked(text, f">{ends}</span>", figure["metric"]), figure
    for part in findings["breakdown"]["parts"]:
        assert linked(text, template_filters.quantity(part["share"], "ratio"), part["metric"])
        assert f'title="{template_filters.quantity(part["value"], "s")}"' in text


def test_findings_link_their_values_and_estimates_to_the_metric() -> None:
    metrics, findings = documents()
    text = pages(render_report(metrics, findings, {}))["findings.md"]
    for item in findings["findings"]:
        metric = item["metric"]
        if item["value"] is not None:
            assert linked(text, template_filters.quantity(item["value"], item["unit"]), metric)
        if item["estimate"]:
            assert linked(
                text, template_filters.quantity(item["estimate"]["reduction"], "ratio"), metric
            )


def linked(text: str, shown: str, metric: str) -> bool:
    """Whether `shown` is in the words of a link to the metric."""
    target = re.escape(f"](metrics.md#{template_filters.anchor(metric)})")
    return re.search(rf"\[[^\[\n]*{re.escape(shown)}[^\]\n]*{target}", text) is not None


def test_numbers_of_single_metrics_are_links_on_pages_of_charts() -> None:
    metrics, files = documents()[0], pages(report())
    text = files["kernels.md"] + files["time.md"] + files["stalls.md"] + files["transfers.md"]
    for name in ("gpu.launches", "gpu.copy_share", "stall.gmem_of_samples", "transfer.copies"):
        assert linked(
            text, template_filters.quantity(value_of(metrics, name), unit_of(metrics, name)), name
        )


def test_tables_name_the_metric_of_their_numbers() -> None:
    for name, text in pages(report()).items():
        if name == "metrics.md":
            assert_each_table_stands_below_its_metric(text)
            continue
        tables = text.count('<div class="pf-table')
        assert text.count(">Numbers: metric [") + text.count("`. Numbers: metric [") == tables, name


def assert_each_table_stands_below_its_metric(page: str) -> None:
    first, *entries = page.split("<h3 id=")
    assert "pf-table" not in first
    assert max(entry.count("pf-table") for entry in entries) == 1


def value_of(metrics: dict[str, Any], name: str) -> float:
    return float(next(item["value"] for item in metrics["metrics"] if item["name"] == name))


def unit_of(metrics: dict[str, Any], name: str) -> str:
    return str(next(item["unit"] for item in metrics["metrics"] if item["name"] == name))


def test_long_tables_are_cut_and_say_so() -> None:
    metrics, findings = documents()
    item = next(each for each in metrics["metrics"] if each["name"] == "transfer.directions")
    item["rows"] = [[f"direction {n}", float(n), None, None] for n in range(60)]
    text = pages(render_report(metrics, findings, {}))["transfers.md"]
    assert "direction 24" in text
    assert "direction 25" not in text
    assert "The first 25 of 60 rows" in text


WHOLE_RUN = {"time.wall": 129.66, "time.gpu_utilisation": 0.0011}
NO_GPU: dict[str, float | None] = dict.fromkeys(
    ("time.gpu_busy", "time.gpu_span", "time.span_utilisation", "time.iteration_median")
)


def timeline(values: Mapping[str, float | None]) -> str:
    metrics, findings = documents()
    files = render_report(measured(metrics, dict(values)), findings, charts())
    return " ".join(rendered(str(files["timeline.md"])).text.split())


def test_the_timeline_begins_with_wall_time_where_it_is_known() -> None:
    text = timeline(WHOLE_RUN)
    assert "Of 129.7 s on the clock the GPU works 139.8 ms: 0.11 %." in text.replace("\xa0", " ")
    assert "98 steady iterations take 724.5 ms each (median)" in text.replace("\xa0", " ")
    assert "Only the GPU was traced" not in text


def test_the_timeline_of_a_gpu_trace_says_what_would_give_wall_time() -> None:
    text = timeline({})
    assert "the GPU works 139.8 ms: 0.17 %" in text.replace("\xa0", " ")
    assert "Only the GPU was traced" in text
    assert "hpcrun -e CPUTIME -e gpu=nvidia -t" in text


@pytest.mark.parametrize("has_gpu", [True, False])
def test_the_timeline_of_a_cpu_trace_says_that_no_gpu_was_traced(*, has_gpu: bool) -> None:
    """Unless the values of the run show that it had none."""
    metrics, findings = documents()
    measured(metrics, {"time.wall": 49.6, **NO_GPU})
    if has_gpu:
        (busy,) = (item for item in metrics["metrics"] if item["name"] == "time.gpu_busy")
        missed = {"metric": busy["name"], "title": busy["title"], "collect": busy["collect"]}
        findings["not_measured"].append({**missed, "reason": "there is no trace of a GPU"})
    text = rendered(str(render_report(metrics, findings, charts())["timeline.md"])).text
    assert "The run takes 49.60 s on the clock" in text.replace("\xa0", " ")
    assert ("No GPU operation was traced" in text) == has_gpu


def test_blame_leads_to_its_call_paths() -> None:
    metrics, findings = documents()
    blame = next(item for item in metrics["metrics"] if item["name"] == "time.blame")
    paths = {**blame, "name": "time.blame_contexts", "status": "measured"}
    metrics["metrics"].append(paths)
    overview = charts()["timeline_overview"]
    drawn = {"idle_blame": replace(overview, name="idle_blame", metric="time.blame")}
    text = str(render_report(metrics, findings, drawn)["timeline.md"])
    assert "(#table-time-blame-contexts)" in text
    assert '<div id="table-time-blame-contexts" markdown="1">' in text


def with_main_thread(dropped: float | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Documents with the table of what the main thread does."""
    metrics, findings = documents()
    names = (("part", "text"), ("time", "s"), ("running", "s"), ("dropped", "s"))
    rows = [["preparing input data", 61.0, 11.0, dropped], ["other", 2.0, 2.0, None]]
    columns = [{"name": name, "title": name.title(), "unit": unit} for name, unit in names]
    blame = next(item for item in metrics["metrics"] if item["name"] == "time.blame")
    table = {"name": "time.main_thread", "status": "measured", "columns": columns, "rows": rows}
    metrics["metrics"].append({**blame, **table})
    return metrics, findings


@pytest.mark.parametrize("dropped", [None, 1.0, 50.0])
def test_dropped_samples_send_to_the_time_seen_running(dropped: float | None) -> None:
    """Where they are most of a part of the main thread's time."""
    documents = with_main_thread(dropped)
    text = rendered(str(render_report(*documents, charts())["timeline.md"])).text
    assert "Running" in text
    assert ("Of preparing input data, most is whole periods" in text) == (dropped == 50.0)
    assert ("Dropped" in text) == (dropped == 50.0)


@pytest.mark.parametrize("complete", [None, 72.42])
def test_the_main_threads_time_says_that_it_is_of_the_whole_run(complete: float | None) -> None:
    """And how much of it iterations take that figures of one are made of: complete ones."""
    metrics, findings = with_main_thread()
    wall = next(item for item in metrics["metrics"] if item["name"] == "time.wall")
    for name, value in {"time.steady": 72.54, "time.steady_complete": complete}.items():
        metrics["metrics"].append({**wall, "name": name})
        measured(metrics, {name: value})
    text = rendered(str(render_report(metrics, findings, charts())["timeline.md"])).text
    text = text.replace("\xa0", " ")
    assert "100 % is 63.00 s, which is what the profile tells of this thread." in text
    assert "This is all of the run, first calls included" in text
    assert ("Steady iterations are 72.42 s of it" in text) == (complete is not None)
    assert ("not divided into iterations" in text) == (complete is None)


def test_a_template_that_asks_too_much_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    loader = jinja2.DictLoader({"report/broken.md.j2": "{{ report.run.unknown_fact }}"})
    monkeypatch.setattr(template_environment.make_environment(), "loader", loader)
    monkeypatch.setattr(report_rendering, "list_page_names", lambda: ["broken"])
    with pytest.raises(ContentError, match=r"report/broken.md.j2.*unknown_fact"):
        render_report(*documents(), {})


@pytest.mark.parametrize(("parent", "said"), [("", True), ("host", False)])
def test_what_is_about_the_measurement_is_what_to_do_where_no_step_is(
    parent: str, *, said: bool
) -> None:
    metrics, findings = documents()
    findings["roadmap"]["phases"] = []
    (first, *others) = [one for one in findings["findings"] if one["status"] == "fired"]
    first |= {"title": "Record more", "parent": parent}
    for one in others:
        one["status"] = "passed"
    page = str(render_report(metrics, findings, charts())["index.md"])
    assert ("[Record more](findings.md#" in page) is said
    assert ("No step is worth its effort now" in page) is not said


def test_classes_of_the_pages_are_listed_for_the_theme() -> None:
    macros = Path(report_rendering.__file__).parent / "templates" / "macros.md.j2"
    listed = set(re.findall(r"pf-[a-z0-9-]+", macros.read_text(encoding="utf-8").split("-#}")[0]))
    listed |= {f"pf-part-{number}" for number in range(1, 9)}
    used = {
        each
        for page in [*parsed_tree().values(), *harmless_pages().values()]
        for value in page.values("class")
        for each in value.split()
        if each.startswith("pf-") and not each.startswith("pf-verdict-")
    }
    assert used <= listed


@pytest.mark.parametrize(
    ("undecided", "lengthened", "check"),
    [
        (True, False, "Record the run again, with more steps or samples."),
        (False, False, "Time the program without the profiler."),
        (False, True, "Record the run again, with less overhead."),
        (True, True, "Record the run again, with more steps or samples."),
    ],
)
def test_what_to_measure_first_follows_from_the_doubt(
    *, undecided: bool, lengthened: bool, check: str
) -> None:
    """Chance is no reason to suspect the profiler; nor does any page begin with another step."""
    metrics, findings = documents()
    code = findings["roadmap"]["phases"][0]["steps"][0]["code"]
    first = next(one for one in findings["findings"] if one["code"] == code)
    before = render_report(metrics, findings, charts())
    first |= {"confidence": "check first", "undecided": undecided}
    if lengthened:
        advice = {"What to do": "Less.\n\n```sh\nrecord --less\n```\n"}
        other = next(one for one in findings["findings"] if one["status"] != "fired")
        told = {"metric": "steps.overhead", "sections": {**other["sections"], **advice}}
        other |= {**first, "code": other["code"], "title": "Record with less", **told}
        each = next(one for one in metrics["metrics"] if one["name"] == "gpu.kernel_time")
        metrics["metrics"].append(each | {"name": "steps.added"})
    after = render_report(metrics, findings, charts())
    for page in ("index.md", "conclusion.md", "roadmap.md"):
        assert check not in str(before[page])
        assert check.removesuffix(".") in str(after[page])
    shown = "record --less" in str(after["index.md"])
    assert shown is (lengthened and not undecided)
    added = "is what the profiler adds to the steps"
    assert added not in str(before["index.md"])
    assert (added in str(after["index.md"])) is lengthened
    assert "usr/bin/time" in str(after["index.md"]) or undecided or lengthened
