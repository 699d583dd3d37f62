"""Each format: valid, complete, and safe with any name."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import markdown as markdown_parser
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from perfolio.common.escaping import escape_command_property, escape_markdown
from perfolio.exporters.ci_checks.formats import list_formats, load_renderer
from tests.exporters.ci_checks.sarif import SCHEMA
from tests.exporters.ci_checks.support import made
from tests.findings.support import remembering
from tests.pages.support import HOSTILE, Page

SARIF = remembering(SCHEMA)
NAMES = st.one_of(
    st.sampled_from([name[:5_000] for name in HOSTILE]),
    st.text(max_size=60),
    st.lists(
        st.sampled_from(
            ["::error::", "##[error]", "\n", "\r", "%0A", "@org/team", "#12", "]]>", "|", "`",
             "<", "1. ", "- ", "&#64;", "https://x.y", "www.x.y", ",line=1", ":", "\x1b[31m",
             "\ud800"]
        ),
        max_size=8,
    ).map("".join),
)  # fmt: skip


@pytest.mark.parametrize("form", list_formats())
@given(name=NAMES)
def test_every_format_prints_any_name(form: str, name: str) -> None:
    text = load_renderer(form)([made(function=name, file=f"/home/user/dlrm/{name}")])
    text.encode("utf-8")
    assert text.replace("\n", "").replace("\u200b", "").isprintable()
    assert len(text) < 600_000


@pytest.mark.slow
@given(name=NAMES)
@example(name="/")
def test_sarif_is_valid(name: str) -> None:
    text = load_renderer("sarif")([made(function=name, file=f"/home/user/dlrm/{name or 'x'}")])
    SARIF.validate(json.loads(text))


def test_sarif_shows_a_finding_at_its_line_with_advice() -> None:
    (run,) = json.loads(load_renderer("sarif")([made()]))["runs"]
    rules = run["tool"]["driver"]["rules"]
    result = next(one for one in run["results"] if one["ruleId"] == "G6")
    assert rules[result["ruleIndex"]]["id"] == "G6"
    assert "What to do" in rules[result["ruleIndex"]]["help"]["markdown"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "src/train.py", "uriBaseId": "SRCROOT"}
    assert place["region"] == {"startLine": 12}
    assert result["level"] == "error"


def test_sarif_shows_a_finding_outside_of_the_sources_at_the_profile() -> None:
    (run,) = json.loads(load_renderer("sarif")([made(file="/elsewhere/x.py")]))["runs"]
    artifact = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact["uri"] == "runs/dlrm.d"


def test_sarif_tells_findings_of_later_profiles_to_be_the_same() -> None:
    def fingerprints(line: int, function: str) -> list[str]:
        (run,) = json.loads(load_renderer("sarif")([made(line=line, function=function)]))["runs"]
        return [one["partialFingerprints"]["perfolioFinding/v1"] for one in run["results"]]

    assert fingerprints(12, "f") == fingerprints(40, "f")
    assert not set(fingerprints(12, "f")) & set(fingerprints(12, "g"))
    assert len(set(fingerprints(12, "f"))) == len(fingerprints(12, "f"))


@given(name=NAMES)
def test_junit_has_a_case_per_rule(name: str) -> None:
    check = made(function=name)
    root = ET.fromstring(load_renderer("junit")([check]))
    (suite,) = root
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == [item.label for item in check.items]
    for element in (root, suite):
        assert element.get("tests") == str(len(cases))
        assert element.get("failures") == str(len(suite.findall("testcase/failure")))
        assert element.get("skipped") == str(len(suite.findall("testcase/skipped")))
    for case, item in zip(cases, check.items, strict=True):
        assert (case.find("failure") is not None) == item.fails
        skipped = item.status in ("not_evaluated", "not_applicable")
        assert (case.find("skipped") is not None) == skipped


@given(name=NAMES)
def test_github_reads_one_command_per_finding_and_no_other(name: str) -> None:
    check = made(function=name, file=f"/home/user/dlrm/{name}")
    lines = load_renderer("github")([check]).split("\n")
    assert lines.pop() == ""
    fired = check.of("fired")
    assert len(lines) == len(fired)
    for line, item in zip(lines, fired, strict=True):
        found = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        assert found, line
        assert (found[1] == "error") == item.fails
        keys = [pair.partition("=")[0] for pair in found[2].split(",")]
        assert keys in (["title"], ["file", "title"], ["file", "line", "title"])
        assert "##[" not in line


def test_github_names_file_and_line() -> None:
    first = load_renderer("github")([made()]).split("\n")[0]
    assert first.startswith("::error file=src/train.py,line=12,title=a-run%3A ")
    assert "60 %25" in first


@given(name=NAMES)
def test_no_line_of_text_is_a_command(name: str) -> None:
    for form in ("text", "markdown"):
        text = load_renderer(form)([made(function=name, file=f"/home/user/dlrm/{name}")])
        assert not [line for line in text.split("\n") if line.strip().startswith("::")]
        assert "##[" not in text


@pytest.mark.parametrize("form", ["text", "junit"])
def test_a_run_of_a_record_has_any_name_and_is_no_command(form: str) -> None:
    text = load_renderer(form)([replace(made(), slug="a\n::error::b\n##[error]\u202ec")])
    assert not [line for line in text.split("\n") if line.strip().startswith("::")]
    assert "##[" not in text
    assert "\u202e" not in text


@pytest.mark.parametrize(
    ("states", "words"),
    [(("passed",), "passed"), (("failed",), "failed"), (("doubt",), "cannot tell"),
     (("passed", "doubt"), "cannot tell"), (("doubt", "failed", "failed"), "2 of 3 failed")],
)  # fmt: skip
def test_a_badge_says_the_worst_result(states: tuple[str, ...], words: str) -> None:
    known = made(function="<script>")
    checks = {
        "failed": known,
        "passed": replace(known, items=()),
        "doubt": replace(known, items=(), doubt="another GPU"),
    }
    text = load_renderer("badge")([checks[state] for state in states])
    root = ET.fromstring(text)
    assert [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")] == [
        "performance",
        words,
    ]
    assert root.get("aria-label") == f"performance: {words}"
    assert "script" not in text


ALLOWED = {"h2", "h3", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "code", "br",
           "details", "summary", "ul", "li", "sub"}  # fmt: skip


@pytest.mark.slow
@given(name=NAMES)
def test_markdown_holds_no_markup_of_the_profile(name: str) -> None:
    def parsed(function: str) -> Page:
        text = load_renderer("markdown")([made(function=function)])
        return Page(markdown_parser.markdown(text, extensions=["tables", "md_in_html"]))

    page, plain = parsed(name), parsed("f")
    assert {tag for tag, _ in page.elements} <= ALLOWED
    assert {key for _, attrs in page.elements for key, _ in attrs} <= {"style"}
    assert len(page.elements) == len(plain.elements)
    outside = html.unescape(re.sub(r"<code>.*?</code>", "", page.html))
    assert not re.search(r"[@#](?=\w)", outside)


@pytest.mark.parametrize("name", ["1. one", "23) two", "- three", "---", ". dot"])
def test_a_name_begins_no_list(name: str) -> None:
    html_text = markdown_parser.markdown(escape_markdown(name))
    assert html_text.startswith("<p>")
    assert html.unescape(html_text) == f"<p>{name}</p>"


def test_markdown_says_what_a_pull_request_needs() -> None:
    text = load_renderer("markdown")([made()])
    assert text.startswith("## Performance check: failed\n")
    title = "G6 Move the blocking host function off the critical path"
    assert f"| **high** | **{title}**: The host runs" in text
    assert "<code>src/train.py&#58;12 (make&#95;batch)</code>" in text
    assert "run <code>a-run</code>, input <code>0123456789abcdef</code>" in text
    assert load_renderer("markdown")([made("never")]).startswith("## Performance check: passed\n")
    assert "2 of 2 runs failed" in load_renderer("markdown")([made(), made()])


def test_text_marks_what_fails() -> None:
    text = load_renderer("text")([made()])
    assert text.startswith("a-run: failed; ")
    assert "! high     G6 Move the blocking host function off the critical path" in text
    assert "           at src/train.py:12 (make_batch)" in text


def test_json_says_what_failed() -> None:
    document = json.loads(load_renderer("json")([made()]))
    assert document["failed"] is True
    (run,) = document["runs"]
    failing = [one["code"] for one in run["findings"] if one["fails"]]
    assert "G6" in failing
    assert run["provenance"]["digest"] == "0123456789abcdef" * 4


def test_escapes() -> None:
    assert escape_command_property("a:b,c%\n") == "a%3Ab%2Cc%25"
    assert escape_markdown("@a #1 <b>") == "&#64;\u200ba &#35;\u200b1 &#60;b&#62;"
    assert escape_markdown("time: 60 %, a/b") == "time: 60 %, a/b"
