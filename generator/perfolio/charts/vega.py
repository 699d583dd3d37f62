"""Vega, which renders, in a process reply this one: it starts and works while this one does.

In:  a Vega-Lite specification, or a snippet of JavaScript that uses Vega-Embed.
Out: an answer: the SVG, or the snippet with all that it needs, once somebody reads it.

In a process, because vl-convert lets no other thread run. Nothing depends on that process:
what it does not answer is made here.

Texts are measured in the font that vl-convert brings, whichever fonts a machine has: a file of the
system would be opened for each letter. Where it lacks a letter, a second process has those files.
"""

from __future__ import annotations

import atexit
import json
import os
import re
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
_FOREIGN = re.compile(
    r"\\u(?!00|01[0-7]|03(?:9[1-9a-f]|a[^2]|b|c[^f])|04[0-5]|20(?:1[013-589a-e]|2[0126])"
    r"|219[0-5]|22(?:12|1e|48|60|6[45]))"
)
"""A letter, as JSON escapes it, that Liberation Sans 2.1 may lack: vl-convert brings that font."""
_NO_FONTS = {"FONTCONFIG_FILE": str(_PROGRAM.with_name("no_fonts.xml"))}

Process = subprocess.Popen[bytes]


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
        self._process: Process | None = None
        self._with_fonts: Process | None = None
        """The one for texts with foreign letters, which few have."""
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
            self._process = _start_process(_NO_FONTS)
            self._thread = Thread(target=self._answer_all, name="vega", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """End the process, whatever it does: it holds nothing that would be lost."""
        processes = [self._process, self._with_fonts]
        self._process = None
        for process in filter(None, processes):
            process.kill()
        if self._thread is not None:
            self._waiting.put(None)
            self._thread.join()
        for process in filter(None, {*processes, self._with_fonts}):
            process.kill()  # one that the thread started meanwhile
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
                request = json.dumps([answer.function, answer.arguments])
                text = self._exchange(request, self._choose_process(request))
            finally:
                answer.reply.set_result(text)

    def _choose_process(self, request: str) -> Process | None:
        """The process that has a font for every letter of a request; None where it has ended."""
        if self._process is None or not _FOREIGN.search(request):
            return self._process
        if self._with_fonts is None:
            self._with_fonts = _start_process({})
        return self._with_fonts

    def _exchange(self, request: str, process: Process | None) -> str | None:
        """What a process answers; None where it has ended."""
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


def _start_process(variables: Mapping[str, str]) -> Process | None:
    # -P: what lies in the current folder may be anybody's, and is never imported.
    command = [sys.executable, "-P", str(_PROGRAM), _locate_vl_convert()]
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    with suppress(OSError):
        return subprocess.Popen(  # noqa: S603 - ours
            command, stdin=pipe, stdout=pipe, stderr=nothing, env=os.environ | variables
        )
    return None


def _locate_vl_convert() -> str:
    """The folder from which this process would import it."""
    spec = find_spec("vl_convert")
    return str(Path(spec.origin).parents[1]) if spec and spec.origin else ""
