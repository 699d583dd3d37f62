"""A server of one site for one's own browser: whom it answers, with what, and for how long.

In:  the folder of a site, and whatever a client sends. Out: files of that folder, or a refusal.

It is MkDocs' live server, which trusts all that reach it. Those are more than the author: a page of
any web site can ask a server of this machine under a name of its own that leads here (DNS
rebinding), and so can each process of each user.
"""

from __future__ import annotations

import io
import logging
import os
import re
import socket
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast
from urllib.parse import unquote
from wsgiref.headers import Headers
from wsgiref.simple_server import ServerHandler, WSGIRequestHandler

from mkdocs.livereload import _SCRIPT_TEMPLATE, LiveReloadServer, _timestamp

from perfolio.common.escaping import to_plain_line
from perfolio.site.uploads.upload_routes import (
    METHODS,
    PREFIX,
    UploadAnswer,
    UploadRequest,
    UploadRoutes,
    serve_with_drop_zone,
)

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from watchdog.events import FileSystemEvent, FileSystemEventHandler

REPORTS = "reports"
"""The folder of pages that a build writes itself."""
CONNECTIONS = 200
"""At once. An open page holds one, by which it hears of changes."""
HEAD_SECONDS = 10.0
"""For a request to arrive whole, however slowly its bytes drip."""
STALL_SECONDS = 10.0
"""For a client to take the next piece of an answer, 8 KiB."""
BUILD_SECONDS = 60.0
"""For a build to end, before a client is told to ask again."""
_HEAD_BYTES = 64 * 1024
_LINE_BYTES = 4_000
_DISCARDED = 1 << 20
_HEADERS = (
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Resource-Policy", "same-origin"),  # charts and search indexes are scripts
    ("X-Frame-Options", "SAMEORIGIN"),
    ("Referrer-Policy", "no-referrer"),
)
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{0,5})?", re.ASCII)
_SEGMENTS = re.compile(r"/(?:(?!\.\.?(?:/|$))[^/\\\x00-\x1f\x7f]+(?:/|$))*")
"""A path without empty or dotted parts, backslashes and control characters."""
_NO_REQUESTS = re.compile(
    rb"""(<meta http-equiv="?Content-Security-Policy"? content="default-src 'none')"""
)
_RELOADING = re.compile(r"/livereload\.js\?(\d{1,18})")
_PLAIN = (("Content-Type", "text/plain"),)
_READ_ONLY = ("GET", "HEAD")
_BUSY = b"HTTP/1.0 503 Service Unavailable\r\nConnection: close\r\n\r\n"
_log = logging.getLogger("mkdocs.livereload")


class SiteServer(LiveReloadServer):
    """Serves a folder, and builds it again after changes of what it watches."""

    request_queue_size = 128
    uploads: UploadRoutes | None = None
    """What pages may upload, if anything. Of all: MkDocs makes the server of a project."""

    def __init__(
        self,
        builder: Callable[[], None],
        address: tuple[str, int],
        root: str,
        mount_path: str = "/",
    ) -> None:
        super().__init__(builder, *address, root=root, mount_path=mount_path)
        self.RequestHandlerClass = _RequestHandler
        self.error_handler = self._error_page
        self.hosts = {"localhost", "127.0.0.1", "::1", address[0].lower()}
        self._free = threading.BoundedSemaphore(CONNECTIONS)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread of its own, while there are not too many of them."""
        if not self._free.acquire(blocking=False):
            with suppress(OSError):
                request.sendall(_BUSY)
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except RuntimeError:  # the system gives no further thread
            self._free.release()
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer, and make room for another."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def serve_request(
        self, environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        """A file, or the script by which a page hears of changes."""
        if self.uploads is None:
            return self._serve_page(environ, start_response)
        return serve_with_drop_zone(self._serve_page, environ, start_response)

    def _serve_page(
        self, environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        request = f"{environ['PATH_INFO']}?{environ['QUERY_STRING']}"
        if found := _RELOADING.fullmatch(request):
            start_response("200 OK", [("Content-Type", "application/javascript")])
            script = _SCRIPT_TEMPLATE.substitute(epoch=found[1], request_id=_timestamp())
            return [script.encode()]
        path = environ["PATH_INFO"].encode("latin-1").decode()
        if path.startswith("/livereload/"):
            return super().serve_request(environ, start_response)
        if not self._is_built():
            start_response("503 Service Unavailable", [*_PLAIN, ("Refresh", "5")])
            return [b"The site is being built, or could not be: see where it is served.\n"]
        if path != "/" and not self.has(path):
            start_response("404 Not Found", [("Content-Type", "text/html")])
            return [self._error_page(404) or b"404 Not Found"]
        return super().serve_request(environ, start_response)

    def _is_built(self) -> bool:
        """Wait for a build. One that failed is never visible."""
        with self._epoch_cond:
            return self._epoch_cond.wait_for(
                lambda: self._visible_epoch == self._wanted_epoch, BUILD_SECONDS
            )

    def has(self, path: str) -> bool:
        """Whether a path leads to a file or a folder of the site; links may not lead out of it."""
        root = Path(self.root).resolve()
        name = path.removeprefix(self.mount_path).lstrip("/")
        index = "index.html" if path.endswith("/") else ""
        file = Path(os.path.realpath(root / name / index))  # follows links, and bears loops
        try:
            return file.is_relative_to(root) and (file.is_file() or file.is_dir())
        except OSError:  # a name that is too long
            return False

    def _inject_js_into_html(self, content: bytes, epoch: int) -> bytes:
        """Name the script in place of writing it into the page, whose policy refuses such scripts.

        That policy allows no requests either; here, those for changes are.
        """
        page = _NO_REQUESTS.sub(rb"\1; connect-src 'self'", content, count=1)
        body, end, rest = page.rpartition(b"</body>")
        script = b'<script src="/livereload.js?%d"></script>' % epoch
        return body + script + end + rest if end else page + script

    def _error_page(self, code: int) -> bytes | None:
        page = Path(self.root, f"{code}.html")
        return page.read_bytes() if self.has(f"/{page.name}") and page.is_file() else None


def replace_server(server: LiveReloadServer) -> SiteServer:
    """A server that serves and watches the same as one of MkDocs' that has not begun to."""
    host, port = server.server_address[:2]
    made = SiteServer(server.builder, (str(host), int(port)), server.root, server.mount_path)
    for path in server._watched_paths:  # noqa: SLF001 - MkDocs tells nobody
        made.watch(path)
    server.server_close()
    return made


def ignore_reports(server: LiveReloadServer, docs: Path) -> None:
    """Watch the folder of pages but for the reports in it, which a build writes itself."""
    reports, schedule = (docs / REPORTS).resolve(), server.observer.schedule

    def schedule_filtered(handler: FileSystemEventHandler, path: str, **options: Any) -> Any:
        report = handler.on_any_event

        def report_others(event: FileSystemEvent) -> None:
            if not Path(os.fsdecode(event.src_path)).resolve().is_relative_to(reports):
                report(event)

        handler.on_any_event = report_others  # type: ignore[method-assign]
        return schedule(handler, path, **options)

    server.observer.schedule = schedule_filtered  # type: ignore[method-assign,assignment]
    try:
        server.unwatch(str(docs))
        server.watch(str(docs))
    finally:
        server.observer.schedule = schedule  # type: ignore[method-assign]


class _RequestHandler(WSGIRequestHandler):
    """What a client sends: read within limits, and answered where it may be."""

    server: SiteServer

    def setup(self) -> None:
        """Read by what counts bytes and seconds."""
        super().setup()
        self.rfile.close()
        self._reader = _BoundedReader(self.connection)
        self.rfile = io.BufferedReader(self._reader)

    def handle(self) -> None:
        """Answer one request. Of clients that leave or are too slow, nothing is said."""
        with suppress(OSError):
            try:
                arrived = self._read_head()
            except _TooLargeError:
                self.send_error(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
                return
            if not arrived:
                return
            self.connection.settimeout(STALL_SECONDS)
            refusal = self._refusal()
            if refusal is not None:
                self.send_error(*refusal)
                return
            if self._is_upload():
                self._answer_upload()
                return
            to_client = cast("IO[bytes]", self.wfile)
            answer = _AnswerHandler(io.BytesIO(), to_client, self.get_stderr(), self.get_environ())
            answer.request_handler = self
            answer.run(self.server.serve_request)

    def _read_head(self) -> bool:
        """Whether there is a request; what is none is told the client."""
        self.requestline = self.request_version = self.command = ""
        self.raw_requestline = self.rfile.readline(_LINE_BYTES + 1)
        if len(self.raw_requestline) > _LINE_BYTES:
            self.send_error(HTTPStatus.REQUEST_URI_TOO_LONG)
            return False
        return bool(self.raw_requestline.strip()) and self.parse_request()

    def _refusal(self) -> tuple[HTTPStatus, str] | None:
        """Why a request is not answered."""
        if self.command not in self._list_methods():
            return HTTPStatus.METHOD_NOT_ALLOWED, "GET and HEAD alone are answered"
        if not self._is_for_us():
            return HTTPStatus.FORBIDDEN, "This is no server of that name"
        try:
            path = unquote(self.path.partition("?")[0], errors="strict")
        except UnicodeDecodeError:
            return HTTPStatus.BAD_REQUEST, "A path that is not UTF-8"
        if not _SEGMENTS.fullmatch(path):
            return HTTPStatus.BAD_REQUEST, "No path of a site"
        return None

    def _is_for_us(self) -> bool:
        """Whether the client means this server, and not a name that leads here by deceit.

        Where all addresses are served, that is the one at which the client is connected.
        """
        named = self.headers.get_all("Host", [])
        found = _HOST.fullmatch(named[0].lower()) if len(named) == 1 else None
        reached = self.connection.getsockname()[0].removeprefix("::ffff:")
        return found is not None and found[1].strip("[]") in {*self.server.hosts, reached}

    def _is_upload(self) -> bool:
        """Whether a request is about what pages upload, where they may."""
        return self.server.uploads is not None and self.path.startswith(PREFIX)

    def _list_methods(self) -> tuple[str, ...]:
        return METHODS if self._is_upload() else _READ_ONLY

    def _answer_upload(self) -> None:
        """Take or show an upload, and send what comes of it."""
        self._reader.expect_body()
        path = unquote(self.path.partition("?")[0])
        request = UploadRequest(self.command, path, self.headers, self._read_body)
        routes = self.server.uploads
        answer = routes.answer(request) if routes is not None else UploadAnswer(b"")
        self.connection.settimeout(STALL_SECONDS)
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(answer.body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)
        if answer.status >= HTTPStatus.BAD_REQUEST:
            self._discard_rest()

    def _read_body(self, count: int) -> bytes:
        """Further bytes of a body; none where the client has left or is too slow."""
        try:
            return cast("io.BufferedReader", self.rfile).read1(count)
        except OSError:
            return b""

    def _discard_rest(self) -> None:
        """Read some of what still comes: a client that is cut off does not hear why."""
        self.connection.shutdown(socket.SHUT_WR)
        end, room = time.monotonic() + 1.0, _DISCARDED
        while room > 0 and time.monotonic() < end and (piece := self._read_body(room)):
            room -= len(piece)

    def end_headers(self) -> None:
        """Refusals have the same headers as files, and say what is allowed."""
        for name, value in (*_HEADERS, ("Allow", ", ".join(self._list_methods()))):
            self.send_header(name, value)
        super().end_headers()

    def log_request(self, code: object = "-", _size: object = "-") -> None:
        """One line for what was not found or not allowed, without what a terminal would obey."""
        status = code.value if isinstance(code, HTTPStatus) else code
        level = logging.DEBUG if str(status).startswith("20") else logging.WARNING
        _log.log(level, '"%s" code %s', to_plain_line(self.requestline, 200), status)

    def log_message(self, *_: object) -> None:
        """Say nothing else."""


class _AnswerHandler(ServerHandler):
    """An answer: with headers for browsers, and without a body where only the head is asked for."""

    server_software = "Perfolio"
    environ: WSGIEnvironment
    headers: Headers
    request_handler: _RequestHandler

    def cleanup_headers(self) -> None:
        """Add what keeps other sites from using our files."""
        super().cleanup_headers()
        for name, value in _HEADERS:
            self.headers.add_header(name, value)

    def finish_response(self) -> None:
        """Send the body, unless the client asked for none."""
        if self.environ["REQUEST_METHOD"] != "HEAD":
            super().finish_response()
            return
        try:
            self.finish_content()
        finally:
            self.close()

    def log_exception(self, exc_info: Any) -> None:
        """A client that takes nothing more is no defect of ours."""
        if not isinstance(exc_info[1], ConnectionError | TimeoutError):
            super().log_exception(exc_info)


class _BoundedReader(io.RawIOBase):
    """What a client sends: its head within a time and a size, a body piece by piece."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._end = time.monotonic() + HEAD_SECONDS
        self._room = _HEAD_BYTES
        self._is_head = True

    def expect_body(self) -> None:
        """Bound the time of each piece from now on: who reads counts the bytes."""
        self._is_head = False

    def readable(self) -> bool:
        """It is there to be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Wait for bytes, at most until the end of the time."""
        if not self._is_head:
            self._connection.settimeout(STALL_SECONDS)
            return self._connection.recv_into(buffer)
        self._connection.settimeout(max(self._end - time.monotonic(), 0.001))
        count = self._connection.recv_into(buffer)
        self._room -= count
        if self._room < 0:
            raise _TooLargeError
        return count


class _TooLargeError(OSError):
    """More headers than any browser sends."""
