"""What a server answers to pages that upload, and what it refuses.

    GET  /perfolio-uploads/uploads.js    script and style of the pages
    GET  /perfolio-uploads/              how far each upload is, as JSON
    POST /perfolio-uploads/              an offer: names and sizes of files; its key comes back
    PUT  /perfolio-uploads/KEY           the bytes of an offer
    GET  /perfolio-uploads/KEY/...       the site of an upload

Any page of any web site, and each process of this machine, can ask a server of this machine. So
all but files needs the token, which is in the address that the terminal shows and in nothing that
is served; and what changes something needs this server's own origin.
"""

from __future__ import annotations

import hmac
import json
import mimetypes
import secrets
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from email.message import Message
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from perfolio.common.errors import PerfolioError
from perfolio.site.uploads.offered_files import OFFER_BYTES, Read, UploadRefusedError, read_offer
from perfolio.site.uploads.upload_queue import Upload, UploadQueue

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

PREFIX = "/perfolio-uploads/"
TOKEN = "X-Perfolio-Token"  # noqa: S105 - the name of a header
METHODS = ("GET", "HEAD", "POST", "PUT")
_ASSETS = {"uploads.js": "text/javascript", "uploads.css": "text/css"}
_TAGS = (
    f'<link rel="stylesheet" href="{PREFIX}uploads.css"><script src="{PREFIX}uploads.js"></script>'
).encode()
_HTML = "text/html"
_NO_REQUESTS, _REQUESTS = b"default-src 'none'", b"connect-src 'self'"


@dataclass(frozen=True)
class UploadRequest:
    """What a client sent: `read` gives the bytes after the head, and none where they end."""

    method: str
    path: str
    headers: Message
    read: Read


@dataclass(frozen=True)
class UploadAnswer:
    """What it gets."""

    body: bytes
    kind: str = "application/json"
    status: HTTPStatus = HTTPStatus.OK


@dataclass(frozen=True)
class UploadRoutes:
    """What is answered of the uploads of a server."""

    uploads: UploadQueue
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    @property
    def fragment(self) -> str:
        """The end of an address with which a page may upload. A browser sends it to nobody."""
        return f"#upload={self.token}"

    def answer(self, request: UploadRequest) -> UploadAnswer:
        """The answer to a request below `PREFIX`, whose host was checked."""
        try:
            return self._route(request.path.removeprefix(PREFIX), request)
        except UploadRefusedError as refused:
            return UploadAnswer(
                f"{refused}\n".encode(), "text/plain; charset=utf-8", refused.status
            )
        except PerfolioError as problem:
            words, status = f"{problem}\n".encode(), HTTPStatus.BAD_REQUEST
            return UploadAnswer(words, "text/plain; charset=utf-8", status)

    def _route(self, path: str, request: UploadRequest) -> UploadAnswer:
        if request.method in {"POST", "PUT"}:
            _check_origin(request.headers)
            self._check_token(request.headers)
            return (
                self._offer(request) if request.method == "POST" else self._receive(path, request)
            )
        if path in _ASSETS:
            return UploadAnswer((files(__package__) / path).read_bytes(), _ASSETS[path])
        if not path:
            self._check_token(request.headers)
            return UploadAnswer(json.dumps(self.uploads.describe()).encode())
        return self._find_page(path)

    def _offer(self, request: UploadRequest) -> UploadAnswer:
        size = _read_length(request.headers)
        if size > OFFER_BYTES:
            raise UploadRefusedError(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "this list of files is too long"
            )
        upload = self.uploads.offer(read_offer(_read_all(request.read, size)))
        return UploadAnswer(json.dumps({"key": upload.key}).encode(), status=HTTPStatus.CREATED)

    def _receive(self, path: str, request: UploadRequest) -> UploadAnswer:
        upload = self.uploads.find_offered(path)
        if _read_length(request.headers) != upload.size:
            raise UploadRefusedError(
                HTTPStatus.BAD_REQUEST, "these are not as many bytes as were offered"
            )
        self.uploads.receive(upload, request.read)
        return _tell(upload)

    def _find_page(self, path: str) -> UploadAnswer:
        key, _, name = path.partition("/")
        site = self.uploads.find_site(key)
        if site is not None:
            root = site.resolve()
            file = (root / (name if name and name[-1] != "/" else f"{name}index.html")).resolve()
            if file.is_relative_to(root) and file.is_file():
                return _read_page(file)
        raise UploadRefusedError(HTTPStatus.NOT_FOUND, "no such page")

    def _check_token(self, headers: Message) -> None:
        given = headers.get_all(TOKEN, [])
        if len(given) != 1 or not hmac.compare_digest(given[0].encode(), self.token.encode()):
            raise UploadRefusedError(
                HTTPStatus.FORBIDDEN,
                "this page may not upload",
                hint="open the address that perfolio serve printed",
            )


def _check_origin(headers: Message) -> None:
    """Refuse what another site's page sends: a browser says of which it is."""
    origin, sites = headers.get_all("Origin", []), headers.get_all("Sec-Fetch-Site", [])
    own = [f"http://{headers['Host']}".lower()]
    if [one.lower() for one in origin] != own or set(sites) - {"same-origin"}:
        raise UploadRefusedError(HTTPStatus.FORBIDDEN, "a page of another site may not upload")


def _read_length(headers: Message) -> int:
    given = headers.get_all("Content-Length", [])
    if len(given) != 1 or not given[0].isascii() or not given[0].isdecimal() or len(given[0]) > 15:
        raise UploadRefusedError(HTTPStatus.LENGTH_REQUIRED, "a request must say its length")
    if "Transfer-Encoding" in headers:
        raise UploadRefusedError(HTTPStatus.NOT_IMPLEMENTED, "no transfer encoding is read")
    return int(given[0])


def _read_all(read: Read, size: int) -> bytes:
    parts, missing = [], size
    while missing and (piece := read(missing)):
        parts.append(piece)
        missing -= len(piece)
    return b"".join(parts)


def _tell(upload: Upload) -> UploadAnswer:
    return UploadAnswer(json.dumps(upload.describe()).encode(), status=HTTPStatus.ACCEPTED)


def _read_page(file: Path) -> UploadAnswer:
    """A file of a site. Each is small: the largest is the library of charts."""
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    body = file.read_bytes()
    return UploadAnswer(add_drop_zone(body) if kind == _HTML else body, kind)


def serve_with_drop_zone(
    serve: Callable[[WSGIEnvironment, StartResponse], Iterable[bytes]],
    environ: WSGIEnvironment,
    start_response: StartResponse,
) -> Iterable[bytes]:
    """What `serve` answers; a page of the site with our script and style."""
    told: list[tuple[str, list[tuple[str, str]]]] = []

    def note(status: str, headers: list[tuple[str, str]], *_: object) -> Callable[[bytes], object]:
        told.append((status, headers))
        return bytes

    body = serve(environ, note)
    status, headers = told[-1]
    if status.startswith("200") and ("Content-Type", _HTML) in headers:
        with closing(cast("IO[bytes]", body)):
            page = add_drop_zone(b"".join(body))
        body = [page]
        headers = [each for each in headers if each[0] != "Content-Length"]
        headers.append(("Content-Length", str(len(page))))
    start_response(status, headers)
    return body


def add_drop_zone(page: bytes) -> bytes:
    """A page of a site with our script and style, and with leave to ask this server."""
    head, policy, rest = page.partition(_NO_REQUESTS)
    if policy and _REQUESTS not in rest[:2_000]:
        page = head + policy + b"; " + _REQUESTS + rest
    body, end, after = page.rpartition(b"</body>")
    return body + _TAGS + end + after if end else page + _TAGS
