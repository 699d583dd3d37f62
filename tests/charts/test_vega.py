"""The process that renders: it answers as this one would, and nothing depends on it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
import vl_convert

from perfolio.charts.theme import MEASURED_FONT
from perfolio.charts.vega import VegaClient
from tests.kit.shared import ROOT

SPEC = json.dumps(
    {
        "data": {"values": [{"a": 1, "b": "é"}]},
        "mark": "bar",
        "encoding": {"x": {"field": "a"}, "y": {"field": "b"}},
        "config": {"font": MEASURED_FONT},
    }
)


@cache
def drawn() -> str:
    """The image of it, drawn in this process."""
    return str(vl_convert.vegalite_to_svg(SPEC, allowed_base_urls=[]))


@pytest.fixture
def vega() -> Iterator[VegaClient]:
    made = VegaClient()
    yield made
    made.close()


@pytest.fixture(scope="module")
def living() -> Iterator[VegaClient]:
    """One for all tests that leave it as it is."""
    made = VegaClient()
    yield made
    made.close()


def process(made: VegaClient) -> subprocess.Popen[bytes]:
    made.start()
    assert made._process is not None
    return made._process


@pytest.mark.slow
def test_it_answers_in_order_and_beside_this_process(living: VegaClient) -> None:
    specs = [SPEC.replace("1", str(number)) for number in range(1, 30)]
    answers = [living.svg(spec) for spec in specs]
    images = [answer.reply.result() for answer in answers]
    assert images[0] == drawn()
    assert len(set(images)) > 1
    assert images == [vl_convert.vegalite_to_svg(spec, allowed_base_urls=[]) for spec in specs]
    assert process(living).poll() is None


@pytest.mark.slow
@pytest.mark.parametrize("name", ["é Ω Я ≤ 10 µs …", "中文", "→ ✓", "a\u0301"])
def test_letters_of_any_language_are_drawn_as_in_this_process(
    living: VegaClient, name: str
) -> None:
    """Where the font that vl-convert brings lacks one, those of the system are there."""
    spec = json.dumps({**json.loads(SPEC), "data": {"values": [{"a": 1, "b": name * 9}]}})
    image = living.svg(spec).reply.result()
    assert image is not None
    assert image == vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])


@pytest.mark.slow
def test_large_requests_and_answers_do_not_wait_for_each_other(living: VegaClient) -> None:
    values = [{"a": number, "b": "x" * 200} for number in range(600)]
    large = json.dumps({**json.loads(SPEC), "data": {"values": values}})
    answers = [living.svg(large) for _ in range(4)]
    images = {answer.reply.result() for answer in answers}
    assert len(images) == 1
    assert len(images.pop() or "") > 100_000


@pytest.mark.slow
def test_a_faulty_request_says_why_and_costs_no_other(living: VegaClient) -> None:
    with pytest.raises(ValueError, match="vl_spec"):
        living.svg("{").text()
    assert living.svg(SPEC).text() == drawn()


@pytest.mark.slow
def test_what_a_process_that_died_does_not_answer_is_made_here(vega: VegaClient) -> None:
    assert vega.svg(SPEC).reply.result() == drawn()
    process(vega).kill()
    answer = vega.svg(SPEC)
    assert answer.reply.result() is None
    assert answer.text() == drawn()


def test_what_no_process_answers_is_made_here(
    vega: VegaClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    answer = vega.svg(SPEC)
    assert answer.reply.result() is None
    assert answer.text() == drawn()


@pytest.mark.slow
def test_an_image_loads_nothing(living: VegaClient) -> None:
    asked: list[str] = []

    class Server(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

    with HTTPServer(("127.0.0.1", 0), Server) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        data = {"url": f"http://127.0.0.1:{server.server_port}/data.json"}
        with suppress(ValueError):
            living.svg(json.dumps({**json.loads(SPEC), "data": data})).text()
        server.shutdown()
    assert asked == []


def test_closing_waits_for_nothing(vega: VegaClient) -> None:
    child = process(vega)
    answers = [vega.script("window.x = vegaEmbed;"), vega.svg(SPEC)]
    begin = time.monotonic()
    vega.close()
    assert time.monotonic() - begin < 1.0
    assert child.poll() is not None
    assert [answer.reply.result() for answer in answers] == [None, None]


def run(code: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A process with the code of this one that starts in `folder`."""
    return subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_no_file_of_the_current_folder_is_run(tmp_path: Path) -> None:
    names = {f"{name}.py" for name in ("hashlib", "json", "vl_convert", "queue", "perfolio")}
    for name in names:
        (tmp_path / name).write_text(f"open('ran-{name}', 'w'); raise SystemExit(7)")
    code = (
        "from perfolio.charts.vega import get_vega;"
        f"print(len(get_vega().svg({SPEC!r}).reply.result() or ''))"
    )
    done = run(code, tmp_path)
    assert done.stdout.split() == [str(len(drawn()))], done.stderr
    assert {path.name for path in tmp_path.iterdir()} == names


@pytest.mark.slow
@pytest.mark.parametrize("busy", [True, False])
def test_it_ends_with_the_process_that_started_it(tmp_path: Path, busy: bool) -> None:
    work = "v.script('window.x = vegaEmbed;')" if busy else f"v.svg({SPEC!r}).text()"
    code = (
        f"import os, signal; from perfolio.charts.vega import get_vega; v = get_vega(); {work};"
        "print(v._process.pid, flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = run(code, tmp_path, TMPDIR=str(tmp_path), XDG_CACHE_HOME=str(tmp_path))
    assert done.returncode == -signal.SIGKILL
    until = time.monotonic() + 20
    while alive(int(done.stdout)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not alive(int(done.stdout))
    assert not list(tmp_path.iterdir())


def alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text("utf-8")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def test_an_exit_does_not_wait_for_it(tmp_path: Path) -> None:
    code = (
        "import sys, time; from perfolio.charts.vega import get_vega;"
        "get_vega().script('window.x = vegaEmbed;'); time.sleep(0.2);"
        "print(get_vega()._process.pid, time.monotonic(), flush=True); sys.exit(3)"
    )
    done = run(code, tmp_path)
    pid, at = done.stdout.split()
    assert done.returncode == 3
    assert not done.stderr
    assert time.monotonic() - float(at) < 1.0
    assert not alive(int(pid))
