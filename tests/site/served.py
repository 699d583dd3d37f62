"""A small site on our server, and clients that write what they like."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from socketserver import BaseServer

from perfolio.site.local_server import SiteServer
from perfolio.site.serve import serve_folder

PAGE = "<!doctype html><title>A page</title><body>words</body>"
SECRET = "of another folder"


@dataclass(frozen=True)
class Answer:
    """What a server sent."""

    status: int
    head: str
    body: bytes


def write_site(parent: Path) -> Path:
    """A site with links that lead out of it, beside a file that is not of it."""
    site = parent / "site"
    (site / "dir").mkdir(parents=True)
    (parent / "secret.txt").write_text(SECRET)
    (site / "index.html").write_text(PAGE)
    (site / "404.html").write_text("nothing here")
    (site / "code.js").write_text("var a;")
    (site / "dir" / "index.html").symlink_to(parent / "secret.txt")
    (site / "out.txt").symlink_to(parent / "secret.txt")
    (site / "outer").symlink_to(parent)
    (site / "inner.html").symlink_to("index.html")
    (site / "loop").symlink_to("loop")
    return site


@contextmanager
def serving(site: Path) -> Iterator[SiteServer]:
    """The server of a folder, in a thread."""
    with serve_folder(site, "127.0.0.1:0") as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            BaseServer.shutdown(server)
            thread.join()


def connected(server: SiteServer) -> socket.socket:
    """A connection that has said nothing yet."""
    return socket.create_connection(("127.0.0.1", server.server_port), timeout=20)


def received(client: socket.socket) -> bytes:
    """All that comes until the server has said its last."""
    parts = []
    try:
        while part := client.recv(65536):
            parts.append(part)
    except ConnectionError:  # it closed while we still had something to say
        pass
    return b"".join(parts)


def asked(
    server: SiteServer, path: str, *, method: str = "GET", hosts: tuple[str, ...] = ("localhost",)
) -> Answer:
    """What comes of one request."""
    lines = [f"{method} {path} HTTP/1.1", *(f"Host: {each}" for each in hosts), "", ""]
    with connected(server) as client:
        client.sendall("\r\n".join(lines).encode("latin-1"))
        head, _, body = received(client).partition(b"\r\n\r\n")
    words = head.decode("latin-1")
    return Answer(int(words.split()[1]), words, body)
