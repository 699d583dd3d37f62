"""The summary tells each cause once."""

from __future__ import annotations

from typing import Any

from generator.pages.topics import first_topics, topics


def _document(*severities: tuple[str, str], **also: list[str]) -> dict[str, Any]:
    steps = [{"code": code, "also": codes, "part": []} for code, codes in also.items()]
    fired = [{"code": code, "severity": each, "status": "fired"} for code, each in severities]
    return {
        "findings": [*fired, {"code": "P1", "severity": None, "status": "passed"}],
        "roadmap": {"phases": [{"steps": steps[:1]}, {"steps": []}], "not_now": steps[1:]},
    }


def _told(document: dict[str, Any]) -> list[tuple[str, list[str]]]:
    return [
        (topic.finding["code"], [other["code"] for other in topic.others])
        for topic in topics(document)
    ]


def test_findings_that_one_step_answers_are_one_topic() -> None:
    document = _document(
        ("G1", "high"), ("G6", "high"), ("G2", "medium"), ("G5", "low"), G6=["G1", "G2"], G5=[]
    )
    assert _told(document) == [("G6", ["G1", "G2"]), ("G5", [])]


def test_a_severer_finding_is_told_before_the_step() -> None:
    document = _document(("G1", "high"), ("G6", "low"), G6=["G1"])
    assert _told(document) == [("G1", ["G6"])]


def test_what_has_no_step_is_a_topic_of_its_own() -> None:
    document = _document(("Q2", "high"), ("G6", "high"), ("X1", "low"), G6=[], X1=[])
    assert _told(document) == [("Q2", []), ("G6", []), ("X1", [])]


def test_the_first_step_of_the_roadmap_is_among_the_first_topics() -> None:
    document = _document(("Q2", "high"), ("G6", "high"), ("X1", "low"), X1=[], G6=[])
    assert [topic.finding["code"] for topic in first_topics(document, 3)] == ["Q2", "G6", "X1"]
    assert [topic.finding["code"] for topic in first_topics(document, 2)] == ["Q2", "X1"]
    nothing = _document(("Q2", "high"), ("Q4", "low"))
    assert [topic.finding["code"] for topic in first_topics(nothing, 1)] == ["Q2"]


def test_what_a_step_answers_in_part_is_told_as_wider_unless_it_is_severer() -> None:
    document = _document(("G6", "high"), ("G1", "high"), ("G2", "low"), G6=["G2"])
    document["roadmap"]["phases"][0]["steps"][0]["part"] = ["G1"]
    (topic,) = topics(document)
    assert [item["code"] for item in (topic.finding, *topic.others, *topic.wider)] == [
        "G6",
        "G2",
        "G1",
    ]
    document = _document(("G1", "high"), ("L1", "low"), L1=[])
    document["roadmap"]["phases"][0]["steps"][0]["part"] = ["G1"]
    assert _told(document) == [("G1", []), ("L1", [])]
