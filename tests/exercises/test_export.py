"""Moodle XML and GIFT: every item is there or counted, right answers are right, names are words."""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest
from click.testing import CliRunner

from perfolio.cli.main import main
from perfolio.exercises.catalog import load_exercises
from perfolio.exercises.export.gift import make_gift_file
from perfolio.exercises.export.moodle import make_moodle_file
from perfolio.exercises.items import list_type_names, load_item_type
from perfolio.exercises.model import Sheet
from perfolio.exercises.number_keys import grade_quantity
from perfolio.exercises.platform_items import NumericalTask, PlaceTask, TickTask
from perfolio.exercises.run_view import Run
from perfolio.findings.document_format import shorten_document
from perfolio.pages.exercise_pages import make_run_sheets
from tests.browser.sheets import sheet_documents
from tests.exercises.support import exercise_of, fenced, sample_run, sheet_of
from tests.pages.support import HOSTILE

FORMS = {
    "number": "numerical", "pair": "cloze", "table": "cloze", "choice": "multichoice",
    "bins": "multichoice", "choices": "multichoice", "list": "matching", "ranking": "matching",
    "matrix": "matching", "open": "essay", "checklist": "description", "trouble": "description",
    "command": "description", "range": "description",
}  # fmt: skip
TRICKY = r"a{b}=c~d#e:f\g -> h $x$ <script>alert(1)</script> ]]> &amp; \x{1:SA:=x}"


def all_types(folder: Path) -> Sheet:
    """The sheet of the browser tests, with an item of nearly every type."""
    run = Run(*sheet_documents(folder))
    (sheet,) = (
        each
        for each in make_run_sheets(run, load_exercises(folder), {run.slug: run})[0]
        if each.exercise.slug == "all-types"
    )
    return sheet


def questions(sheet: Sheet) -> dict[str, Element]:
    """Questions of Moodle by the item that they are."""
    root = fromstring(make_moodle_file([sheet]).text)
    found = {one.findtext("idnumber"): one for one in root if one.get("type") != "category"}
    return {str(name).split("-", 1)[1]: one for name, one in found.items()}


def test_every_type_has_a_form_in_moodle(tmp_path: Path) -> None:
    assert set(FORMS) == set(list_type_names())
    sheet = all_types(tmp_path)
    found = questions(sheet)

    assert list(found) == [each.item.id for each in sheet.answerable]
    for each in sheet.answerable:
        assert found[each.item.id].get("type") == FORMS[each.item.type]
        assert found[each.item.id].findtext("questiontext/text")
        assert found[each.item.id].find("questiontext").get("format") == "html"  # type: ignore[union-attr]


def test_a_category_for_each_sheet(tmp_path: Path) -> None:
    root = fromstring(make_moodle_file([all_types(tmp_path)] * 2).text)
    texts = [one.findtext("category/text") for one in root if one.get("type") == "category"]

    assert texts == ["$course$/top/Perfolio/One of each/sheets"] * 2


def test_numbers_of_moodle_earn_what_the_grader_gives(tmp_path: Path) -> None:
    sheet = all_types(tmp_path)
    for each in sheet.answerable:
        if each.item.type != "number":
            continue
        assert each.keyed is not None
        key = each.keyed.key
        answers = questions(sheet)[each.item.id].findall("answer")
        assert float(str(answers[0].get("fraction"))) == 100
        seen: list[tuple[float, float]] = []
        for one in answers:
            value = float(str(one.findtext("text")))
            within = float(str(one.findtext("tolerance")))
            earlier = any(abs(value - other) <= reach for other, reach in seen)
            seen.append((value, within))
            if not earlier:
                graded = grade_quantity(key, {"given": f"{value:.12g}"})
                share = 100 * graded.points / key["points"]
                assert share == float(str(one.get("fraction"))), (each.item.id, value)


def test_units_of_moodle_give_the_same_value(tmp_path: Path) -> None:
    sheet = all_types(tmp_path)
    units = questions(sheet)["wall"].findall("units/unit")
    found = {one.findtext("unit_name"): float(str(one.findtext("multiplier"))) for one in units}

    assert next(iter(found.items())) == ("s", 1.0)
    assert found["ms"] == pytest.approx(1000)
    assert found["min"] == pytest.approx(1 / 60)


def test_mistakes_carry_their_words_and_earn_nothing(tmp_path: Path) -> None:
    answers = questions(all_types(tmp_path))["wall"].findall("answer")
    told = [one for one in answers if "CPU-seconds" in str(one.findtext("feedback/text"))]

    assert [one.get("fraction") for one in told] == ["0"]
    assert "&lt;b&gt;" in str(told[0].findtext("feedback/text"))


def test_ticks_and_places_of_moodle(tmp_path: Path) -> None:
    found = questions(all_types(tmp_path))
    fractions = {
        name: sorted(float(str(one.get("fraction"))) for one in found[name].findall("answer"))
        for name in ("longer", "holds", "class")
    }
    pairs = {
        one.findtext("text"): one.findtext("answer/text")
        for one in found["order"].findall("subquestion")
    }

    assert fractions == {"longer": [0, 100], "holds": [-50, 50, 50], "class": [0, 0, 0, 100]}
    assert found["holds"].findtext("single") == "false"
    assert pairs == {"Wall time": "1", "Span": "2", "Busy time": "3"}
    fields = re.findall(
        r"\{1:NUMERICAL:([^}]*)\}", str(found["parts"].findtext("questiontext/text"))
    )
    assert len(fields) == 4
    assert all(re.match(r"%100%[0-9.e+-]+:[0-9.e+-]+(~%|$)", each) for each in fields)


def test_close_values_of_a_ranking_may_swap_in_a_cloze() -> None:
    key = {"values": [10.0, 9.9, 5.0], "options": [{"letter": c, "says": c} for c in "ABC"]}
    task = load_item_type("ranking").quiz({}, key)

    assert isinstance(task, PlaceTask)
    assert [right for _, right in task.stems] == [(0, 1), (0, 1), (2,)]


def parsed(text: str) -> dict[str, tuple[str, list[str]]]:
    """Questions of GIFT by name: what is asked, and the lines of answers."""
    found = {}
    for name, ask, body in re.findall(
        r"^::((?:\\.|[^\\:])*)::\[plain\]((?:\\.|[^\\{}])*)\{((?:\\.|[^\\{}])*)\}$",
        text,
        re.MULTILINE | re.DOTALL,
    ):
        found[name] = (ask, [line.strip() for line in body.strip().splitlines()])
    return found


def test_gift_holds_numbers_ticks_and_pairs_and_counts_the_rest(tmp_path: Path) -> None:
    sheet = all_types(tmp_path)
    made = make_gift_file([sheet])
    found = parsed(made.text)

    assert len(found) == made.written
    assert made.count == len(sheet.answerable)
    assert [name.split(" ")[1] for name in made.left_out] == [
        "parts", "words", "done", "gaps", "look",
    ]  # fmt: skip
    ask, lines = found["all-types wall"]
    assert ask == "How long did the run take? In s."
    assert lines[:2] == ["#", "=%100%10:0.1"]
    assert "=%0%8:0.08#These are CPU-seconds <b>." in lines
    assert lines[-1] == "####The run took 10.00 s."
    assert sum(line.startswith("=") for line in found["all-types longer"][1]) == 1
    assert "=Wall time -> 1" in found["all-types order"][1]
    marks = Counter(line[:6] for line in found["all-types holds"][1])
    assert marks["~%50%T"] == 2
    assert "$CATEGORY: $course$/top/Perfolio/One of each/sheets\n" in made.text


@pytest.mark.parametrize("name", [TRICKY, *HOSTILE], ids=range(len(HOSTILE) + 1))
def test_names_are_words_in_both(name: str, tmp_path: Path) -> None:
    metrics, findings = copy.deepcopy(sheet_documents(tmp_path))
    table = next(one for one in metrics["metrics"] if one["name"] == "gpu.composition")
    table["rows"][0][0] = name
    metrics["run"]["title"] = name
    picks = {"pick": {"metric": "gpu.composition", "name": "operation", "by": "time"}}
    columns = [{"key": "t", "title": "{{ run() }}", "column": "time", "unit": "ms"}]
    grid = {"pick": {**picks["pick"], "take": 2}, "columns": columns}
    items = fenced(
        {"id": "one", "type": "choice", "ask": "What of {{ run() }}?", **picks},
        {"id": "two", "type": "table", **grid},
        {"id": "three", "type": "list", "pick": {**picks["pick"], "take": 2, "offer": 3}},
    )
    sheet = sheet_of(exercise_of(tmp_path / "made", items), Run(metrics, findings))
    root = fromstring(make_moodle_file([sheet]).text)
    told = [one.findtext("questiontext/text") or "" for one in root]
    told += [one.findtext("text") or "" for one in root.iter("answer") if one.get("format")]
    assert not any(re.search(r"<(?!/?(p|table|thead|tbody|tr|th|td|code)>)", each) for each in told)
    (cloze,) = (each for each in told if "NUMERICAL" in each)
    assert len(re.findall(r"\{\d*:", cloze)) == 2
    found = parsed(make_gift_file([sheet]).text)
    assert list(found) == ["made one", "made three"]
    assert len(found["made one"][1]) == 4
    assert sum(" ->" in line for line in found["made three"][1]) == 3


@pytest.mark.slow
def test_a_shipped_exercise_is_exported_by_the_command(tmp_path: Path) -> None:
    sample = sample_run("eight-ranks")
    subject, output = str(tmp_path / "findings.json"), tmp_path / "quiz.xml"
    document = json.dumps(shorten_document({**sample.findings, "metrics": sample.metrics}))
    Path(subject).write_text(document, encoding="utf-8")
    run: Any = CliRunner().invoke
    told = run(
        main,
        ["worksheet", "export", subject, "which-second", "--format", "moodle", "-o", str(output)],
    )
    assert told.exit_code == 0, told.output
    root = fromstring(output.read_text(encoding="utf-8"))
    assert len([one for one in root if one.get("type") == "numerical"]) == 5
    told = run(main, ["worksheet", "export", subject, "of-stalls-or-samples", "--format", "gift"])
    assert told.exit_code != 0
    assert "no run of it answers" in told.output


def test_what_is_exported_is_of_a_known_form(tmp_path: Path) -> None:
    for each in all_types(tmp_path).answerable:
        assert each.keyed is not None
        task = load_item_type(each.item.type).quiz(each.keyed.shown, each.keyed.key)
        if isinstance(task, NumericalTask):
            assert all(number.within >= 0 for number in task.numbers)
        if isinstance(task, TickTask):
            assert sum(max(0.0, option.share) for option in task.options) == pytest.approx(1)
