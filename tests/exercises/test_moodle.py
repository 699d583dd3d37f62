"""Moodle XML against what Moodle's importer does with it, as its documentation and source say.

Moodle takes only certain shares of a grade; splits a cloze field at `~` and `#`; undoes `\\}` and
`\\#`, then reads entities, and shows the result as HTML.
"""

from __future__ import annotations

import copy
import html
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest

from perfolio.exercises.export.moodle import make_moodle_file
from perfolio.exercises.model import Sheet
from perfolio.exercises.run_view import Run
from tests.browser.sheets import sheet_documents
from tests.exercises.support import SHIPPED_SLUGS, exercise_of, fenced, sample_sheet, sheet_of
from tests.pages.support import HOSTILE

_HALVES = [Fraction(n, 10) for n in range(11)] + [Fraction(1, n) for n in range(2, 10)]
_MORE = [Fraction(3, 4), Fraction(2, 3), Fraction(5, 6), Fraction(1, 20)]
GRADES = {float(sign * each) for each in (*_HALVES, *_MORE) for sign in (1, -1)}
"""The shares that Moodle's question bank knows."""
NUMBERING = {"abc", "ABCD", "123", "iii", "IIII", "none"}
_FIELD = re.compile(r"\{([0-9]*):([A-Z_]+):((?:\\[}#]|[^}])*)\}")
_SHARE = re.compile(r"(=|%-?[0-9]+(?:[.,][0-9]*)?%)?(.*)", re.DOTALL)
_NUMBER = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?", re.IGNORECASE)


@dataclass(frozen=True)
class Alternative:
    """One of a cloze field: its share, what is compared, and what is said."""

    share: float
    answer: str
    feedback: str


def fields_of(text: str) -> list[tuple[str, list[Alternative]]]:
    """The fields of a cloze question as Moodle reads them."""
    return [
        (kind, [_alternative(each) for each in re.split(r"(?<!\\)~", inside)])
        for _, kind, inside in _FIELD.findall(text)
    ]


def _alternative(text: str) -> Alternative:
    share, rest = _SHARE.fullmatch(text).groups()  # type: ignore[union-attr]
    answer, _, feedback = re.sub(r"(?<![\\&])#", "\0", rest, count=1).partition("\0")
    value = 1.0 if share == "=" else float(share.strip("%")) / 100 if share else 0.0
    return Alternative(value, _shown(answer), _shown(feedback))


def _shown(text: str) -> str:
    return html.unescape(text).replace(r"\}", "}").replace(r"\#", "#")


def questions(sheet: Sheet) -> list[Element]:
    return [
        one for one in fromstring(make_moodle_file([sheet]).text) if one.get("type") != "category"
    ]


@pytest.mark.parametrize("slug", SHIPPED_SLUGS)
def test_every_question_is_as_moodle_takes_it(slug: str) -> None:
    for one in questions(sample_sheet(slug)):
        kind, name = str(one.get("type")), one.findtext("name/text")
        assert name
        assert len(str(one.findtext("idnumber"))) <= 100
        assert _to_nearest(float(str(one.findtext("penalty")))) < 1e-5
        if kind == "cloze":
            _check_cloze(str(one.findtext("questiontext/text")))
            continue
        shares = [float(str(each.get("fraction"))) / 100 for each in one.findall("answer")]
        assert all(_to_nearest(share) < 1e-5 for share in shares), name
        if kind == "numerical":
            _check_numerical(one)
        if kind == "multichoice":
            assert one.findtext("answernumbering") in NUMBERING
            single = one.findtext("single") == "true"
            assert (
                max(shares) == 1 if single else sum(s for s in shares if s > 0) == pytest.approx(1)
            )
            assert len(shares) >= 2
        if kind == "matching":
            stems = [each for each in one.findall("subquestion") if each.findtext("text")]
            assert len(stems) >= 2
            assert all(each.findtext("answer/text") for each in one.findall("subquestion"))


def _to_nearest(share: float) -> float:
    return min(abs(share - grade) for grade in GRADES)


def _check_numerical(one: Element) -> None:
    for answer in one.findall("answer"):
        assert _NUMBER.fullmatch(str(answer.findtext("text")))
        assert _NUMBER.fullmatch(str(answer.findtext("tolerance")))
        assert not str(answer.findtext("tolerance")).startswith("-")
    names = [each.findtext("unit_name") for each in one.findall("units/unit")]
    multipliers = [float(str(each.findtext("multiplier"))) for each in one.findall("units/unit")]
    assert len(set(names)) == len(names)
    assert all(multipliers)
    assert one.findtext("showunits") == ("0" if names else "3")  # optional, or none
    assert one.findtext("unitgradingtype") == "0"


def _check_cloze(text: str) -> None:
    fields = fields_of(text)
    assert fields
    for kind, alternatives in fields:
        assert kind in ("NUMERICAL", "MULTICHOICE")
        assert max(each.share for each in alternatives) == 1
        assert len(alternatives) >= (2 if kind == "MULTICHOICE" else 1)
        for each in alternatives:
            assert each.answer
            if kind == "NUMERICAL":
                value, _, within = each.answer.partition(":")
                assert _NUMBER.fullmatch(value)
                assert _NUMBER.fullmatch(within)


@pytest.mark.parametrize("name", [*HOSTILE, r"a\}b", "=1~%100%2#c", "<b>&lt;i&gt;", "{1:SA:=x}"])
def test_words_in_a_cloze_are_words(name: str, tmp_path: Path) -> None:
    """Nothing of a name or of an author's words is markup, a field or another alternative."""
    metrics, findings = copy.deepcopy(sheet_documents(tmp_path))
    table = next(one for one in metrics["metrics"] if one["name"] == "gpu.composition")
    table["rows"][0][0], table["rows"][1][1] = name, table["rows"][0][1]
    metrics["run"]["title"] = name
    pick = {"metric": "gpu.composition", "name": "operation", "by": "time", "take": 2, "offer": 3}
    wrong = [{"code": "cpu", "answer": {"metric": "cpu.time"}, "says": "This is {{ run() }}."}]
    pair = {"id": "two", "type": "pair", "answer": {"metric": "time.wall"}, "wrong": wrong}
    items = fenced({"id": "one", "type": "list", "pick": pick}, pair)
    run = Run(metrics, findings)
    exercise = exercise_of(tmp_path / "made", items, {"before": "sheets"})
    sheet = sheet_of(exercise, run, runs={"sheets": run})
    found = [str(one.findtext("questiontext/text")) for one in questions(sheet)
             if one.get("type") == "cloze"]  # fmt: skip
    assert found
    for text in found:
        for _, alternatives in fields_of(text):
            assert len(alternatives) <= 12
            for each in alternatives:
                assert not set("<>&`") & {*each.answer, *each.feedback}, each
                assert each.share in (0.0, 0.5, 1.0)
