"""A folder on a local server: whom it answers, with what, and for how long."""

from __future__ import annotations

import logging
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from socket import SHUT_WR, SO_LINGER, SO_RCVBUF, SOL_SOCKET

import pytest
from mkdocs.livereload import LiveReloadServer
from watchdog.events import FileModifiedEvent

from perfolio.common.errors import SiteError
from perfolio.site import local_server as server_module
from perfolio.site.local_server import SiteServer, ignore_reports, replace_server
from perfolio.site.serve import serve_folder
from tests.site.served import PAGE, asked, connected, received, serving, write_site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_site(tmp_path_factory.mktemp("served"))


@pytest.fixture(scope="module")
def server(site: Path) -> Iterator[SiteServer]:
    with serving(site) as server:
        yield server


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.01)


def test_files_are_served_and_nothing_is_said(
    server: SiteServer, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in ("/", "/index.html", "/index.html?q=%00", "/inner.html"):
        answer = asked(server, path)
        assert (answer.status, answer.body.decode()) == (200, PAGE), path
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.1:x", "127.0.0.1:99999", "no.host.:80"])
def test_an_address_that_cannot_be_used_is_named(tmp_path: Path, address: str) -> None:
    with pytest.raises(SiteError, match="cannot serve"), serve_folder(tmp_path, address):
        pass


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/../secret.txt", 400),
        ("/..%2fsecret.txt", 400),
        ("/%2e%2e/secret.txt", 400),
        ("/..\\secret.txt", 400),
        ("/..%5csecret.txt", 400),
        ("/%c0%ae%c0%ae/secret.txt", 400),
        ("/./index.html", 400),
        ("/%2findex.html", 400),
        ("/index.html/..", 400),
        ("/%00", 400),
        ("/index.html%00.png", 400),
        ("/%0d%0aX-Evil:%201", 400),
        ("http://localhost/index.html", 400),
        ("file:///etc/passwd", 400),
        ("index.html", 400),
        ("/%", 404),
        ("/%zz", 404),
        ("/nothing", 404),
        ("/index.html/", 404),
        ("/outer/secret.txt", 404),
        ("/out.txt", 404),
        ("/dir/", 404),
        ("/outer/", 404),
        ("/outer", 404),
        ("/loop", 404),
        ("/" + "a" * 300, 404),
        ("/" + "a" * 4000, 414),
        ("/livereload/" + "9" * 5000 + "/1", 414),
    ],
)
def test_what_is_no_file_of_the_site_is_refused(
    server: SiteServer, capsys: pytest.CaptureFixture[str], path: str, status: int
) -> None:
    answer = asked(server, path)
    assert answer.status == status
    assert "X-Evil" not in answer.head
    assert "Traceback" not in capsys.readouterr().err


def test_folders_are_not_listed(server: SiteServer) -> None:
    assert asked(server, "/dir").status == 302
    answer = asked(server, "/dir/")
    assert (answer.status, answer.body) == (404, b"nothing here")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get"])
def test_nothing_can_be_changed(server: SiteServer, method: str) -> None:
    answer = asked(server, "/index.html", method=method)
    assert answer.status == 405
    assert "Allow: GET, HEAD" in answer.head


def test_a_head_alone_is_as_of_the_file(server: SiteServer) -> None:
    answer = asked(server, "/code.js", method="HEAD")
    assert (answer.status, answer.body) == (200, b"")
    assert "Content-Length: 6" in answer.head


@pytest.mark.parametrize("path", ["/code.js", "/index.html", "/nothing", "/.."])
def test_other_sites_can_use_no_file(server: SiteServer, path: str) -> None:
    head = asked(server, path).head
    assert "X-Content-Type-Options: nosniff" in head
    assert "Cross-Origin-Resource-Policy: same-origin" in head


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 200 + b"\r\n", b"431"),
        (b"GET / HTTP/1.1\r\nX: " + b"a" * 70_000 + b"\r\n\r\n", b"431"),
        (b"GET / HTTP/1.1\r\n" + (b"X: " + b"a" * 60_000 + b"\r\n") * 90 + b"\r\n", b""),
        (b"GET / HTTP/9.9\r\n\r\n", b"505"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a b c\r\n\r\n", b"400"),
        (b"\r\n", b""),
        (b"", b""),
    ],
)
def test_what_is_no_request_is_told_the_client(
    server: SiteServer, capsys: pytest.CaptureFixture[str], sent: bytes, status: bytes
) -> None:
    with connected(server) as client:
        with suppress(ConnectionError):  # it has heard enough
            client.sendall(sent)
            client.shutdown(SHUT_WR)
        assert status in received(client)[:600]
    assert "Traceback" not in capsys.readouterr().err


def test_a_terminal_is_told_no_commands(
    server: SiteServer, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING), connected(server) as client:
        client.sendall(b"GET /\x1b[2J" + b"a" * 3_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        received(client)
    (line,) = caplog.messages
    assert "\x1b" not in line
    assert len(line) < 250


@pytest.mark.parametrize("sent", [b"", b"GET /", b"GET / HTTP/1.1\r\nX: "])
def test_slow_clients_are_left(
    server: SiteServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    sent: bytes,
) -> None:
    """Also those that say a little from time to time."""
    monkeypatch.setattr(server_module, "HEAD_SECONDS", 0.1)
    with connected(server) as client:
        begin = time.monotonic()
        client.sendall(sent)
        client.settimeout(0.02)
        while time.monotonic() - begin < 5:
            try:
                client.sendall(b"a")
                if client.recv(1) == b"":
                    break
            except TimeoutError:
                continue
            except ConnectionError:
                break
        assert time.monotonic() - begin < 2
    assert capsys.readouterr() == ("", "")


def test_clients_that_take_nothing_are_left(
    site: Path,
    server: SiteServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(server_module, "STALL_SECONDS", 0.1)
    with (site / "large.bin").open("wb") as file:
        file.truncate(50_000_000)
    with connected(server) as client:
        client.setsockopt(SOL_SOCKET, SO_RCVBUF, 4096)
        client.sendall(b"GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert client.recv(1)
        wait_until(lambda: server._free._value == server_module.CONNECTIONS)
    with connected(server) as client:
        client.setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
        client.sendall(b"GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert asked(server, "/").status == 200
    assert capsys.readouterr() == ("", "")


def test_more_connections_than_there_is_room_for_are_refused_until_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "CONNECTIONS", 3)
    with serving(write_site(tmp_path)) as server:
        silent = [connected(server) for _ in range(3)]
        assert asked(server, "/").status == 503
        for client in silent:
            client.close()
        wait_until(lambda: asked(server, "/").status == 200)


def test_a_build_that_failed_holds_no_client_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "BUILD_SECONDS", 0.05)
    with serving(write_site(tmp_path)) as server:
        server._wanted_epoch = server._visible_epoch + 1
        answer = asked(server, "/")
        assert answer.status == 503
        assert "Refresh: 5" in answer.head


def test_a_page_hears_of_changes_where_its_policy_allows_no_script_in_it(tmp_path: Path) -> None:
    """In place of MkDocs' script in the page, one is named; and requests to here are allowed."""
    policy = "default-src 'none'; script-src 'self'"
    quoted = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    site = write_site(tmp_path)
    (site / "index.html").write_text(f"<head>{quoted}</head><body>default-src 'none'</body>")
    with LiveReloadServer(lambda: None, "127.0.0.1", 0, str(site)) as theirs:
        theirs.watch(str(site))
        made = replace_server(theirs)
    made.server_bind()
    made.server_activate()
    made.serve_thread.start()
    try:
        page = asked(made, "/index.html").body.decode()
        assert policy.replace("'none'", "'none'; connect-src 'self'") in page
        assert "<body>default-src 'none'" in page
        (source,) = [part.split('"')[0] for part in page.split('<script src="')[1:]]
        assert "<script>" not in page
        script = asked(made, source)
        assert "application/javascript" in script.head
        epoch = source.partition("?")[2]
        assert f"livereload({epoch}, " in script.body.decode()
        assert asked(made, "/livereload/0/1").body.decode() == epoch
    finally:
        made.observer.start()
        made.shutdown(wait=True)


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[LiveReloadServer]:
    """One that watches a folder of pages, as MkDocs begins it, and does not run."""
    (tmp_path / "docs" / "reports").mkdir(parents=True)
    made = LiveReloadServer(lambda: None, "127.0.0.1", 0, str(tmp_path))
    made.watch(str(tmp_path / "docs"))
    yield made
    made.server_close()


def _is_built_after(server: LiveReloadServer, path: Path) -> bool:
    server._want_rebuild = False
    (watch,) = server.observer._handlers
    for handler in server.observer._handlers[watch]:
        handler.dispatch(FileModifiedEvent(str(path)))
    return server._want_rebuild


def test_pages_are_watched_and_reports_are_not(watching: LiveReloadServer, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    assert _is_built_after(watching, docs / "reports" / "a" / "index.md"), "as MkDocs does"
    schedule = watching.observer.schedule
    ignore_reports(watching, docs)

    assert not _is_built_after(watching, docs / "reports" / "a" / "index.md")
    assert _is_built_after(watching, docs / "new" / "page.md")
    assert _is_built_after(watching, docs / "reports.md")
    assert watching.observer.schedule == schedule
