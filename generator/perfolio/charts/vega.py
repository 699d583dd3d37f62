"""Vega, which renders, in a process reply this one: it starts and works while this one does.

In:  a Vega-Lite specification, or a snippet of JavaScript that uses Vega-Embed.
Out: an answer: the SVG, or the snippet with all that it needs, once somebody reads it.

In a process, because vl-convert lets no other thread run. Nothing depends on that process:
what it does not answer is made here.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

_PROGRAM = Path(__file__).with_name("vega_process.py")


@dataclass(frozen=True)
class VegaAnswer:
    """What a function of vl_convert gives for some arguments."""

    function: str
    arguments: Mapping[str, object]
    reply: Future[str | None]
    """What the process says; None where it ended before."""

    def text(self) -> str:
        """The answer. Raises ValueError where the arguments are faulty."""
        answer = self.reply.result()
        if answer is not None:
            return answer
        import vl_convert

        return str(getattr(vl_convert, self.function)(**self.arguments))


class VegaClient:
    """Takes requests at any time, and answers one after the other."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: Thread | None = None
        self._waiting: SimpleQueue[VegaAnswer | None] = SimpleQueue()

    def svg(self, spec: str) -> VegaAnswer:
        """The image of a Vega-Lite specification, which loads nothing."""
        return self._request("vegalite_to_svg", {"vl_spec": spec, "allowed_base_urls": []})

    def script(self, snippet: str) -> VegaAnswer:
        """A module of JavaScript: the snippet, and what it imports."""
        return self._request("javascript_bundle", {"snippet": snippet})

    def start(self) -> None:
        """Start the process, if that was not done: requests will follow."""
        if self._thread is None:
            self._process = _start_process()
            self._thread = Thread(target=self._answer_all, name="vega", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """End the process, whatever it does: it holds nothing that would be lost."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
        if self._thread is not None:
            self._waiting.put(None)
            self._thread.join()
        if process is not None:
            process.communicate()

    def _request(self, function: str, arguments: Mapping[str, object]) -> VegaAnswer:
        self.start()
        answer = VegaAnswer(function, arguments, Future())
        self._waiting.put(answer)
        return answer

    def _answer_all(self) -> None:
        while (answer := self._waiting.get()) is not None:
            text = None
            try:
                text = self._exchange(json.dumps([answer.function, answer.arguments]))
            finally:
                answer.reply.set_result(text)

    def _exchange(self, request: str) -> str | None:
        """What the process answers; None where it has ended."""
        process = self._process
        if process is None or not process.stdin or not process.stdout:
            return None
        try:
            process.stdin.write(request.encode() + b"\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            return None
        return str(json.loads(line)) if line.endswith(b"\n") else None


@cache
def get_vega() -> VegaClient:
    """The one of this process, which ends with it."""
    made = VegaClient()
    atexit.register(made.close)
    return made


def _start_process() -> subprocess.Popen[bytes] | None:
    # -P: what lies in the current folder may be anybody's, and is never imported.
    command = [sys.executable, "-P", str(_PROGRAM), _locate_vl_convert()]
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    with suppress(OSError):
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nothing)  # noqa: S603 - ours
    return None


def _locate_vl_convert() -> str:
    """The folder from which this process would import it."""
    spec = find_spec("vl_convert")
    return str(Path(spec.origin).parents[1]) if spec and spec.origin else ""
