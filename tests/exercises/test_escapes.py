"""Ways out of a template that others have published: texts of exercises run none of them."""

from __future__ import annotations

import os
import resource
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jinja2
import pytest
import yaml

from perfolio.common.errors import PerfolioError
from perfolio.exercises.template_functions import bind_functions
from perfolio.exercises.text_expressions import TemplateCall, fill_calls, parse_calls
from perfolio.pages.exercise_pages import iter_sheet_parts, make_text_filler
from tests.exercises.support import exercise_of, fenced, run_of, sheet_of

HERE = Path(__file__).parent
KERNELS = [{"short": "gemm", "share": 0.5}]
REFUSED = "refused: "
BOMBS = {
    "depth": "{{ " + "(" * 50_000 + ")" * 50_000 + " }}",
    "lists": "{{ value(" + "[" * 50_000 + " }}",
    "spaces": "{{ value(" + " " * 60_000 + "'x' }}",
    "constants": "{{ value(" + "'x', " * 20_000 + "'x') }}",
    "quotes": "{{ value('" * 900,
    "braces": "{" * 100_000,
    "unclosed": "{{ value('" + "x" * 100_000,
    "named": "{{ value(" + "name = " * 20_000 + "'x') }}",
    "calls": "{{ run() }}" * 20_000,
    "sentences": "{{ cell('gpu.composition.operation') }}. " * 900,
}


def escapes() -> list[str]:
    """Each way from each root, and those that are a text of their own."""
    told = yaml.safe_load((HERE / "escapes.yaml").read_text("utf-8"))
    pairs = (call.replace("ROOT", root) for root in told["roots"] for call in told["calls"])
    return [*(f"{{{{ {each} }}}}" for each in pairs), *told["whole"]]


class RanError(BaseException):
    """Code of a text was run: no handler of errors may catch it."""


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was asked of the system, which gets none of it."""
    found: list[str] = []

    def noted(command: Any, *_: Any, **__: Any) -> Any:
        found.append(str(command))
        raise RanError(command)

    for name in ("system", "popen", "posix_spawn", "execv"):
        monkeypatch.setattr(os, name, noted)
    monkeypatch.setattr(subprocess, "Popen", noted)
    return found


def told_of(folder: Path, text: str, place: int) -> str:
    """What a page says where an author wrote `text`."""
    item: dict[str, Any] = {"id": "wall", "type": "number", "answer": {"metric": "time.wall"}}
    options = [{"says": text, "right": True}, {"says": "No", "right": False}]
    tick = {"id": "tick", "type": "choices", "options": options}
    written = (
        f"{text}\n\n{fenced(item)}",
        fenced({**item, "ask": text}),
        fenced({**item, "hints": [text], "explain": text}),
        fenced(item, tick),
    )
    made = exercise_of(folder, written[place % len(written)])
    run = run_of({"time.wall": 10, "gpu.kernels": KERNELS, "gpu.composition": "silent"})
    sheet = sheet_of(made, run)
    return "".join(
        f"{part.prose}{part.html}" for part in iter_sheet_parts(sheet, run, lambda one: f"{one}")
    )


def told_by(work: Callable[..., str], *given: Any) -> str:
    """What a function says, or the line that refuses what it was given."""
    try:
        return work(*given)
    except PerfolioError as problem:
        return f"{REFUSED}{problem}"


@pytest.mark.slow
def test_no_text_of_an_exercise_runs_code(tmp_path: Path, ran: list[str]) -> None:
    """Each by itself; and one in five where an author writes it, in each place in turn."""
    texts = escapes()
    assert len(set(texts)) == len(texts) > 600
    say = bind_functions(run_of({"time.wall": 10, "gpu.kernels": KERNELS}))
    for number, text in enumerate(texts):
        begun = time.process_time()
        found = [told_by(fill_calls, text, say)]
        if number % 5 == 0 or number > len(texts) - 60:
            found.append(told_by(told_of, tmp_path, text, number))
        assert time.process_time() - begun < 1.0, text
        for told in found:
            assert told.startswith(REFUSED) or "{{" not in told, (text, told)
            assert len(told) < 5_000, text
            assert "root:" not in told, text
    assert ran == []
    assert list(tmp_path.rglob("FLAG")) == []


@pytest.mark.slow
@pytest.mark.parametrize("text", BOMBS.values(), ids=BOMBS)
def test_no_text_takes_long_or_much(text: str, tmp_path: Path) -> None:
    before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    told_by(told_of, tmp_path, text, 0)
    assert time.process_time() - begun < 1.0
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000


@pytest.mark.slow
def test_the_canary_sings(ran: list[str]) -> None:
    """A template engine that evaluates would run some of them: so these tests can fail."""
    run = bind_functions(run_of({"time.wall": 10}))
    for text in escapes():
        if "range(" in text or "**" in text or "lipsum(" in text or "000000" in text:
            continue
        try:
            jinja2.Environment().from_string(text).render(**run)
        except (RanError, Exception):  # noqa: BLE001 - what it does is known by `ran`
            continue
    assert len(ran) > 20


def test_calls_with_constants_are_read_as_written() -> None:
    say = make_text_filler(run_of({"time.wall": 10, "gpu.kernels": KERNELS}))
    for text in ('{{value("time.wall")}}', "{{ value( 'time.wall' , unit = 's' ) }}",
                 "{{ value(name='time.wall') }}", "{{\nvalue('time.wall', \"s\")\n}}"):  # fmt: skip
        assert say(text) == "10.00 s"
    assert say("{{ cell('gpu.kernels.short', 0) }}: {{ run() }}.") == "gemm: The run made."
    assert say("{ value } }} 50 %} {") == "{ value } }} 50 %} {"
    assert [type(part) for part in parse_calls("a {{ run() }} b")] == [str, TemplateCall, str]
    assert fill_calls("{{ run() }}", {"run": lambda: "{{ value() }}"}) == "{{ value() }}"
