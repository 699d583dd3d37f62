"""Exercises as pages: what a reader sees, what is kept out of them, hostile names, speed."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.errors import ContentError
from perfolio.exercises.catalog import load_exercises
from perfolio.pages.exercise_pages import (
    find_exercise_problems,
    render_exercises,
    render_run_exercises,
)
from perfolio.site.file_sync import sync_tree
from perfolio.site.navigation import report_sections
from tests.exercises.support import exercise_of, fenced, sample_pages, sample_run
from tests.pages.support import HOSTILE, documents, rendered

SAMPLE = "eight-ranks"
NAMED = ("input", "select", "textarea")


def pages() -> Mapping[str, str]:
    return sample_pages(SAMPLE)


def key_in(script: str) -> Any:
    """The key that a script hands over."""
    return json.loads(script.split("] = ", 1)[1].rstrip().removesuffix(";"))


def test_a_run_gets_the_exercises_whose_needs_it_meets() -> None:
    found = {name.split("/")[-1] for name in pages() if name.endswith(".md")}
    assert {"index.md", "straggler.md", "which-second.md", "start-up-or-steady.md"} <= found
    assert "of-stalls-or-samples.md" not in found
    assert {name.split("/")[0] for name in pages()} == {SAMPLE}


def test_every_field_has_a_label_and_every_item_its_hooks() -> None:
    for name, text in pages().items():
        if not name.endswith(".md") or name.endswith("index.md"):
            continue
        page = rendered(text)
        ids, labels = page.values("id"), page.values("for")
        assert len(ids) == len(set(ids)), name
        hidden = 0
        for tag, attributes in page.elements:
            told = dict(attributes)
            if tag in NAMED:
                ticked = told.get("type") in ("radio", "checkbox")
                within = tag == "select" and "aria-labelledby" not in told
                by = str(told.get("aria-labelledby", "")).split()
                assert ticked or within or told.get("id") in labels or (by and set(by) <= set(ids))
                hidden += told.get("type") == "hidden"
        assert hidden == 0
        key = key_in(pages()[name.replace(".md", ".key.js")])
        assert page.values("data-item") == list(key["items"])
        assert page.values("data-sheet") == [key["sheet"]]
        assert page.values("data-key") == [Path(name).stem + ".key.js"]


def test_no_page_holds_its_key() -> None:
    for name, text in pages().items():
        if name.endswith("index.md") or not name.endswith(".md"):
            continue
        key = key_in(pages()[name.replace(".md", ".key.js")])
        for item in key["items"].values():
            assert not item["explain"] or item["explain"] not in text
            for wrong in item.get("wrong", ()):
                assert wrong["says"] not in text
        shown = set(rendered(text).values("data-type"))
        assert shown == {item["type"] for item in key["items"].values()}
        assert not re.search(r"checked|data-right|data-answer", text)


def test_the_list_links_every_exercise_and_its_minutes_are_those_of_its_steps() -> None:
    made = pages()
    index = rendered(made[f"{SAMPLE}/exercises/index.md"])
    for slug, exercise in load_exercises().items():
        if f"{SAMPLE}/exercises/{slug}.md" in made:
            assert f"{slug}.md" in index.values("href")
            page = rendered(made[f"{SAMPLE}/exercises/{slug}.md"]).text
            minutes = [int(each) for each in re.findall(r"^(\d+) minutes?$", page, re.MULTILINE)]
            whole = sum(step.minutes for step in exercise.steps)
            assert sum(minutes) <= whole if exercise.partial else sum(minutes) == whole
            assert f"{sum(minutes)} minutes ·" in page


def test_exercises_follow_the_pages_of_their_report_in_the_navigation(tmp_path: Path) -> None:
    sync_tree({**pages(), f"{SAMPLE}/findings.md": "# x\n"}, tmp_path)
    ((_, entries),) = report_sections(tmp_path, tmp_path)[0].items()
    listed = entries[-1]["Exercises"]
    assert listed[0] == {"All exercises": f"{SAMPLE}/exercises/index.md"}
    assert f"{SAMPLE}/exercises/straggler.md" in listed


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_names_of_a_profile_are_words_and_nothing_else(name: str, tmp_path: Path) -> None:
    items = fenced(
        {"id": "it", "type": "choice", "pick": {"metric": "gpu.composition", "name": "operation",
                                                "by": "time"}},
        {"id": "open", "type": "open", "ask": "What of {{ cell('gpu.composition.operation') }}?",
         "model": "m", "rubric": [{"says": "r", "points": 1}]},
    )  # fmt: skip
    prose = "Of {{ cell('gpu.composition.operation') }} and {{ run() }}.\n\n"
    exercise_of(tmp_path / "exercises", prose + items, {"needs": ["gpu.composition"]})
    metrics, findings = documents()
    metrics["run"]["title"] = name
    table = next(one for one in metrics["metrics"] if one["name"] == "gpu.composition")
    table["rows"][0][0] = name
    made = render_exercises([(metrics, findings)], tmp_path)
    text = made[f"{metrics['run']['slug']}/exercises/made.md"]
    page = rendered(text)
    allowed = {"div", "p", "a", "h1", "h2", "ul", "li", "fieldset", "legend", "span", "label",
               "input", "b", "textarea", "em", "code"}  # fmt: skip
    assert {tag for tag, _ in page.elements} <= allowed
    assert not any(key.startswith("on") for _, pairs in page.elements for key, _ in pairs)
    assert page.hidden == []
    script = made[f"{metrics['run']['slug']}/exercises/made.key.js"]
    assert "</script" not in script.lower()
    assert key_in(script)["exercise"] == "made"


def test_an_expression_that_is_wrong_is_named_with_its_line(tmp_path: Path) -> None:
    item = {"id": "wall", "type": "number", "answer": {"metric": "time.wall"}}
    for text in ("{{ nothing }}", "{{ value() }}", "{{ value('a.b', row=1) }}", "{% if %}"):
        with pytest.raises(ContentError) as caught:
            exercise_of(tmp_path, f"One.\n\nTwo\n{text}.\n\n{fenced(item)}")
        path = tmp_path / "made" / "exercise.md"
        line = path.read_text("utf-8").splitlines().index(f"{text}.") + 1
        assert str(caught.value).startswith(f"{path}:{line}: {text} ")
        with pytest.raises(
            ContentError, match=r"exercise\.md:\d+: item wall: .*" + re.escape(text)
        ):
            exercise_of(tmp_path, fenced({**item, "ask": f"What of {text}?"}))


def test_an_expression_that_no_run_answers_is_named_with_its_line(tmp_path: Path) -> None:
    item = {"id": "wall", "type": "number", "answer": {"metric": "time.wall"}}
    text = "{{ value('a.b') }}"
    made = exercise_of(tmp_path, f"One.\n\n{text}\n\n{fenced(item)}", {"run": SAMPLE})
    line = made.path.read_text("utf-8").splitlines().index(text) + 1
    (problem,) = find_exercise_problems(made, {SAMPLE: sample_run(SAMPLE)})
    assert problem == f"{made.path}:{line}: {text}: there is no metric a.b"
    made = exercise_of(tmp_path, fenced({**item, "ask": text}), {"run": SAMPLE})
    (problem,) = find_exercise_problems(made, {SAMPLE: sample_run(SAMPLE)})
    assert re.search(r"exercise\.md:\d+: item wall: .*there is no metric a\.b$", problem)


def test_an_exercise_that_is_faulty_on_a_run_takes_the_others_nothing(tmp_path: Path) -> None:
    """Be it in prose, which pages alone have, or in an item: others are made, and it is named."""
    item = {"id": "wall", "type": "number", "answer": {"metric": "time.wall"}}
    run, said = sample_run(SAMPLE), list[str]()
    known = {"sound": exercise_of(tmp_path / "sound", fenced(item))}
    for slug, text in (
        ("prose", f"{{{{ value('a.b') }}}}\n\n{fenced(item)}"),
        ("item", fenced({**item, "ask": "{{ value('a.b') }}"})),
    ):
        known[slug] = replace(exercise_of(tmp_path / slug, text), slug=slug)
    known["sound"] = replace(known["sound"], slug="sound")
    pages = render_run_exercises(run, known, {SAMPLE: run}, said.append)
    assert {name.rpartition("/")[2] for name in pages} == {
        "index.md", "sound.md", "sound.key.js", "tables.js"
    }  # fmt: skip
    assert sorted(line.partition(": ")[2].partition(":")[0] for line in said) == [
        "item wall", "{{ value('a.b') }}"
    ]  # fmt: skip
    with pytest.raises(ContentError):
        render_run_exercises(run, known, {SAMPLE: run})


@pytest.mark.slow
def test_thirty_items_take_less_than_a_third_of_a_second(tmp_path: Path) -> None:
    items = [
        {"id": f"i{n}", "type": "number", "answer": {"metric": "time.wall"}} for n in range(30)
    ]
    exercise_of(tmp_path / "exercises", fenced(*items), {"needs": ["time.wall"]})
    run = sample_run(SAMPLE)
    given = [(dict(run.metrics), dict(run.findings))]
    render_exercises(given, tmp_path)
    start = time.process_time()
    for _ in range(3):
        made = render_exercises(given, tmp_path)
    assert f"{SAMPLE}/exercises/made.md" in made
    assert (time.process_time() - start) / 3 < 0.3
