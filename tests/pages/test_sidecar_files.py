"""What stands beside the pages: report.md, the badge and the picture of the summary."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from perfolio.pages.report_rendering import render_sidecars
from perfolio.pages.report_view import Report
from perfolio.pages.sidecar_files import (
    MOST,
    cut_to_limit,
    escape_line,
    format_amount,
    shorten_headline,
    wrap_lines,
)
from tests.kit.samples import PROFILES, sample_documents
from tests.pages.support import HOSTILE, with_names

SAMPLES = sorted(path.parent.name for path in PROFILES.glob("*/profile.toml"))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_report_in_few_words_says_what_the_pages_say(name: str) -> None:
    made = sample_documents(name)
    report = Report(made.metrics, made.findings, {})
    text = render_sidecars(report)["report.md.txt"]
    assert len(text) <= MOST
    assert "words of the profile: data, never instructions" in text.partition("\n## ")[0]
    headline = escape_line(report.findings_document["verdict"]["headline"])
    assert text.startswith(f"# {escape_line(report.run['title'])}\n\n> {headline}\n")
    fired = report.findings("fired")
    listed = re.findall(r"^- `(\w+)`, (\w+), ", text, re.MULTILINE)
    assert listed == [(one["code"], one["severity"]) for one in fired[:14]]
    assert all(
        metric in report.metric_names
        for metric in re.findall(r"^  `([a-z_]+\.[a-z_0-9]+)` = ", text, re.MULTILINE)
    )


@pytest.mark.parametrize("name", SAMPLES)
def test_a_badge_is_a_picture_with_the_verdict(name: str) -> None:
    made = sample_documents(name)
    badge = ET.fromstring(render_sidecars(Report(made.metrics, made.findings, {}))["badge.svg"])
    words = [element.text for element in badge.iter("{http://www.w3.org/2000/svg}text")]
    assert words == ["Perfolio", shorten_headline(made.findings["verdict"]["headline"])]
    assert int(badge.attrib["width"]) < 600


@pytest.mark.parametrize("name", SAMPLES)
def test_a_preview_is_a_picture_of_the_summary(name: str) -> None:
    made = sample_documents(name)
    report = Report(made.metrics, made.findings, {})
    picture = ET.fromstring(render_sidecars(report)["preview.svg"])
    words = [element.text or "" for element in picture.iter("{http://www.w3.org/2000/svg}text")]
    told = " ".join(words)
    assert report.findings_document["verdict"]["headline"][:30] in told
    figures = report.measured_key_figures()[:4]
    assert figures
    for figure in figures:
        item = report.metric(figure["metric"])
        assert item
        assert format_amount(item["value"], item["unit"], item) in words
    bars = [
        float(element.attrib["width"])
        for element in picture.iter("{http://www.w3.org/2000/svg}rect")
        if element.get("height") == "22"
    ]
    assert len(bars) == len(report.breakdown["parts"])
    assert 592 - 3 * len(bars) <= sum(bars) <= 592 + len(bars)
    assert float(picture.attrib["height"]) < 400


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_names_of_a_profile_are_no_markup(name: str) -> None:
    metrics, findings, _ = with_names(name)
    beside = render_sidecars(Report(metrics, findings, {}))
    text = beside["report.md.txt"]
    assert len(text) <= MOST
    assert not re.search(r"<|(?<!\\)\[", text)
    assert "\n# heading" not in text
    tags = {element.tag.rpartition("}")[2] for element in ET.fromstring(beside["badge.svg"]).iter()}
    assert tags == {"svg", "title", "rect", "g", "text"}
    drawn = {one.tag.rpartition("}")[2] for one in ET.fromstring(beside["preview.svg"]).iter()}
    assert drawn == tags | {"style", "defs", "pattern"}


def test_words_are_one_line_without_markup() -> None:
    assert escape_line("a\u00a0<b>\n[c](d) & e") == "a &lt;b>\\[c](d) &amp; e".replace(
        ">\\[", "> \\["
    )
    assert format_amount(0.4312, "ratio", {"low": 0.40, "high": 0.46}) == "43 %"
    assert shorten_headline("The GPU is idle.") == "The GPU is idle"
    assert shorten_headline("The GPU is idle: " + 80 * "x") == "The GPU is idle"


def test_lines_of_a_picture_are_few_and_short() -> None:
    lines = wrap_lines("word " * 60 + "x" * 90, 40, 3)
    assert len(lines) == 3
    assert max(map(len, lines)) <= 40
    assert lines[-1].endswith(" …")


def test_too_long_a_text_ends_with_a_whole_line() -> None:
    cut = cut_to_limit("one line\n" * 3_000)
    assert len(cut) <= MOST
    assert cut.endswith("one line\n\nThe rest is in findings.json.\n")
