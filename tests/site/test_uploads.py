"""Uploads to a served page: who may send, what becomes of names and bytes, one build at a time."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.errors import SiteError, UsageError
from perfolio.site.local_server import SiteServer
from perfolio.site.serve import accept_uploads, serve_folder
from perfolio.site.uploads import offered_files, upload_queue
from perfolio.site.uploads.offered_files import UploadRefusedError, read_offer
from perfolio.site.uploads.upload_queue import CommandBuilder, Upload, UploadQueue
from perfolio.site.uploads.upload_routes import PREFIX, TOKEN, UploadRoutes, add_drop_zone
from tests.site.served import asked, serving, write_site

POLICY = b"<meta content=\"default-src 'none'; script-src 'self'\">"


@dataclass
class FakeBuilder:
    """Makes a page of the files that came, or fails; waits where a test says so."""

    going: threading.Event = field(default_factory=threading.Event)
    built: list[str] = field(default_factory=list)

    def build(self, upload: Upload) -> None:
        upload.hear("   0.1 s  reading <b>")
        upload.hear("perfolio: note: a note")
        assert self.going.wait(10)
        paths = sorted(one for one in upload.received.rglob("*") if one.is_file())
        self.built += [one.relative_to(upload.received).as_posix() for one in paths]
        if paths[0].read_bytes() == b"garbage":
            raise SiteError(f"{paths[0].name}: no profile found there")
        upload.site.mkdir()
        (upload.site / "index.html").write_bytes(POLICY + b"<body>made</body>")
        (upload.site / "out.txt").symlink_to("../../../secret.txt")

    def end(self) -> None:
        self.going.set()


@dataclass(frozen=True)
class UploadingServer:
    """A server with uploads, and a page that may use it."""

    server: SiteServer
    routes: UploadRoutes
    builder: FakeBuilder
    folder: Path

    @property
    def own(self) -> dict[str, str]:
        host = f"127.0.0.1:{self.server.server_port}"
        return {"Host": host, "Origin": f"http://{host}", TOKEN: self.routes.token}

    def send(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> tuple[int, str]:
        connection = HTTPConnection("127.0.0.1", self.server.server_port, timeout=20)
        connection.request(method, PREFIX + path, body, headers or self.own)
        with connection.getresponse() as answer:
            return answer.status, answer.read().decode()

    def upload(self, *files: tuple[str, bytes]) -> tuple[int, str]:
        offer = [{"path": path, "size": len(data)} for path, data in files]
        status, told = self.send("POST", "", json.dumps(offer).encode())
        if status != 201:
            return status, told
        return self.send("PUT", json.loads(told)["key"], b"".join(data for _, data in files))

    def settled(self) -> list[dict[str, object]]:
        """All uploads, once nothing is under way."""
        end = time.monotonic() + 10
        while time.monotonic() < end:
            found: list[dict[str, object]] = json.loads(self.send("GET", "")[1])
            if all(one["state"] in {"ready", "failed"} for one in found):
                return found
            time.sleep(0.01)
        raise AssertionError("it took too long")


@pytest.fixture
def uploading(tmp_path: Path) -> Iterator[UploadingServer]:
    folder = tmp_path / "uploads"
    folder.mkdir()
    builder = FakeBuilder()
    builder.going.set()
    queue = UploadQueue(folder, builder)
    with serving(write_site(tmp_path)) as server:
        server.uploads = routes = UploadRoutes(queue)
        yield UploadingServer(server, routes, builder, folder)
    queue.close()


def files_below(folder: Path) -> list[str]:
    return sorted(one.relative_to(folder).as_posix() for one in folder.rglob("*") if one.is_file())


def test_what_is_dropped_is_built_and_shown(uploading: UploadingServer) -> None:
    status, _ = uploading.upload(("run/rank0.json", b"abc"), ("run/rank1.json", b"de"))
    assert status == 202
    (one,) = uploading.settled()
    assert (one["name"], one["state"], one["notes"]) == ("run", "ready", ["a note"])
    assert uploading.builder.built == ["run/rank0.json", "run/rank1.json"]

    page = asked(uploading.server, f"{PREFIX}{one['key']}/")
    assert b"made" in page.body
    assert b"uploads.js" in page.body
    assert asked(uploading.server, f"{PREFIX}{one['key']}/out.txt").status == 404
    assert asked(uploading.server, f"{PREFIX}{one['key']}/nothing.html").status == 404
    assert not [name for name in files_below(uploading.folder) if "received" in name], "input stays"


def test_a_page_shows_the_drop_zone_and_the_site_is_as_it_was(
    uploading: UploadingServer, tmp_path: Path
) -> None:
    before = {one: one.read_bytes() for one in (tmp_path / "site").glob("*.html")}
    page = asked(uploading.server, "/index.html").body.decode()

    assert f'<script src="{PREFIX}uploads.js"></script></body>' in page
    assert uploading.routes.token not in page
    assert (
        uploading.routes.token not in asked(uploading.server, f"{PREFIX}uploads.js").body.decode()
    )
    assert "var a;" in asked(uploading.server, "/code.js").body.decode()
    assert {one: one.read_bytes() for one in before} == before


def test_a_page_may_ask_this_server_and_no_other() -> None:
    page = add_drop_zone(POLICY + b"<body>default-src 'none'</body>")
    assert page.count(b"default-src 'none'; connect-src 'self'; script-src") == 1
    assert add_drop_zone(page).count(b"connect-src") == 1


def test_without_uploads_nothing_of_them_is_there(tmp_path: Path) -> None:
    with serving(write_site(tmp_path)) as server:
        assert b"uploads" not in asked(server, "/index.html").body
        assert asked(server, PREFIX).status == 404
        assert asked(server, f"{PREFIX}uploads.js").status == 404
        assert asked(server, PREFIX, method="POST").status == 405


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"Host": "evil.example"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({TOKEN: ""}, 403),
        ({TOKEN: "x" * 32}, 403),
        ({TOKEN: "\xe9"}, 403),
        ({"Content-Length": "x"}, 411),
        ({"Content-Length": "9" * 14}, 413),
    ],
    ids=str,
)
def test_who_may_not_upload(
    uploading: UploadingServer, changed: dict[str, str], status: int
) -> None:
    headers = {name: value for name, value in (uploading.own | changed).items() if value}
    offer = json.dumps([{"path": "a.json", "size": 3}]).encode()
    assert uploading.send("POST", "", offer, headers)[0] == status
    assert files_below(uploading.folder) == []


def test_how_far_uploads_are_is_told_to_who_may_upload(uploading: UploadingServer) -> None:
    assert uploading.send("GET", "", headers={"Host": "localhost"})[0] == 403
    assert uploading.send("DELETE", "")[0] == 405
    assert uploading.send("GET", "")[1] == "[]"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../x.json", "x.json"),
        ("..\\..\\x.json", "x.json"),
        ("/etc/passwd", "etc/passwd"),
        ("a/./b//c.json", "a/b/c.json"),
        ("<img src=x onerror=alert(1)>.json", "<img src=x onerror=alert(1)>.json"),
        ("a\x00b\x1b[2J\u202e.json", "a_b_[2J_.json"),
        ("-o.json", "-o.json"),
        (" trace.json ", "trace.json"),
        ("Spur für Größe.json", "Spur für Größe.json"),
    ],
)
def test_names_stay_below_their_folder(given: str, kept: str) -> None:
    (one,) = read_offer(json.dumps([{"path": given, "size": 1}]).encode())
    assert one.path.as_posix() == kept


@pytest.mark.parametrize("long", ["a" * 3_000 + ".json.gz", "語" * 400 + ".json.gz"])
def test_a_long_name_keeps_its_suffixes(long: str) -> None:
    (one,) = read_offer(json.dumps([{"path": long, "size": 1}]).encode())
    assert len(one.path.name.encode()) <= offered_files.NAME_BYTES
    assert one.path.name.endswith(".json.gz")


@pytest.mark.parametrize(
    ("offer", "status", "told"),
    [
        (b"", 400, "no list of files"),
        (b"{}", 400, "no list of files"),
        (b'[{"path": "a", "size": "1"}]', 400, "no list of files"),
        (b'[{"path": "a", "size": 1, "mode": 7}]', 400, "no list of files"),
        (b'[{"path": "a", "size": -1}]', 400, "negative"),
        (b'[{"path": "a", "size": 0}]', 400, "empty"),
        (b'[{"path": "..", "size": 1}]', 400, "no name"),
        (b'[{"path": "a/a/a/a/a/a/a/a/a", "size": 1}]', 400, "too deep"),
        (b'[{"path": "a", "size": 1}, {"path": "./a", "size": 1}]', 400, "one name"),
        (b'[{"path": "a", "size": 1}, {"path": "a/b", "size": 1}]', 400, "one name"),
        (b'[{"path": "a", "size": 99999999999}]', 413, "at most 68.7"),
        (b"[]", 413, "1 to 10,000"),
        (b"[" + b'{"path": "a", "size": 1},' * 10_000 + b'{"path":"b","size":1}]', 413, "10,001"),
    ],
)
def test_an_offer_that_is_refused(offer: bytes, status: int, told: str) -> None:
    with pytest.raises(UploadRefusedError, match=told) as refused:
        read_offer(offer)
    assert refused.value.status == status


def test_what_needs_more_room_than_there_is(
    uploading: UploadingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: type("Usage", (), {"free": 5}))
    status, told = uploading.upload(("a.json", b"abc"))
    assert status == 507
    assert "3 B need twice as much space, and 5 B are free" in told


def test_bytes_that_do_not_come_leave_nothing(uploading: UploadingServer) -> None:
    offer = json.dumps([{"path": "a.json", "size": 10}, {"path": "b.json", "size": 10}]).encode()
    key = json.loads(uploading.send("POST", "", offer)[1])["key"]
    assert uploading.send("PUT", key, b"x" * 19)[0] == 400, "another length"

    connection = HTTPConnection("127.0.0.1", uploading.server.server_port, timeout=20)
    connection.putrequest("PUT", PREFIX + key, skip_host=True)
    for name, value in (uploading.own | {"Content-Length": "20"}).items():
        connection.putheader(name, value)
    connection.endheaders(b"x" * 15)
    connection.close()
    end = time.monotonic() + 10
    while not (found := json.loads(uploading.send("GET", "")[1])) or found[0]["state"] != "failed":
        assert time.monotonic() < end
    assert "ended before all bytes had come; drop it again" in found[0]["error"]
    assert files_below(uploading.folder) == []
    assert uploading.send("PUT", key, b"x" * 20)[0] == 404, "an offer is taken once"


def test_one_is_built_at_a_time_and_a_failure_ends_no_other(uploading: UploadingServer) -> None:
    uploading.builder.going.clear()
    for name, data in (("one.json", b"1"), ("bad.json", b"garbage"), ("two.json", b"2")):
        assert uploading.upload((name, data))[0] == 202
    end = time.monotonic() + 10
    while "reading" not in (told := uploading.send("GET", "")[1]):
        assert time.monotonic() < end
    assert [one["state"] for one in json.loads(told)] == ["building", "waiting", "waiting"]
    uploading.builder.going.set()

    settled = uploading.settled()
    assert [one["state"] for one in settled] == ["ready", "failed", "ready"]
    assert settled[1]["error"] == "bad.json: no profile found there"
    assert uploading.builder.built == ["one.json", "bad.json", "two.json"]


def test_a_second_upload_is_told_of_the_first_and_a_full_server_says_so(
    uploading: UploadingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with uploading.routes.uploads._receiving:
        status, told = uploading.upload(("a.json", b"abc"))
        assert (status, told.strip()) == (
            409,
            "another upload is arriving; drop it again afterwards",
        )
    assert uploading.upload(("a.json", b"abc"))[0] == 202
    monkeypatch.setattr(upload_queue, "MOST_UPLOADS", 1)
    assert uploading.upload(("a.json", b"abc"))[0] == 429


@pytest.mark.parametrize("address", ["0.0.0.0:8000", "[::]:8000", "node17:8000", "192.0.2.1:80"])
def test_no_other_machine_uploads(address: str) -> None:
    with (
        pytest.raises(UsageError, match="is reached from other machines; leave --address out"),
        accept_uploads(address),
    ):
        pass


@pytest.mark.parametrize("address", ["127.0.0.1:0", "localhost:0", "[::1]:0"])
def test_uploads_are_of_the_servers_in_the_block(tmp_path: Path, address: str) -> None:
    with accept_uploads(address) as routes, serve_folder(tmp_path, "127.0.0.1:0") as server:
        assert server.uploads is routes
    assert SiteServer.uploads is None


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts another program in the place of `perfolio build`."""

    def put(code: str) -> None:
        real = subprocess.Popen

        def start(command: list[str], **options: Any) -> object:
            return real([sys.executable, "-P", "-c", code, *command[4:]], **options)

        monkeypatch.setattr(subprocess, "Popen", start)

    return put


def received(folder: Path, *names: str) -> Upload:
    files = read_offer(json.dumps([{"path": name, "size": 1} for name in names]).encode())
    upload = Upload("key", files, folder / "key")
    for one in files:
        place = upload.received / one.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(b"x")
    return upload


def test_a_build_that_is_killed_is_an_error_of_one_line(
    tmp_path: Path, program: Callable[[str], None]
) -> None:
    program("import os; os.kill(os.getpid(), 9)")
    with pytest.raises(SiteError, match="ended by signal 9, as where no memory is left"):
        CommandBuilder().build(received(tmp_path, "a.json"))


def test_the_end_of_the_server_ends_a_build(tmp_path: Path, program: Callable[[str], None]) -> None:
    program(
        "import sys, time; print('   0.1 s  begun', file=sys.stderr, flush=True); time.sleep(60)"
    )
    builder, upload = CommandBuilder(), received(tmp_path, "a.json")
    failures: list[SiteError] = []

    def build() -> None:
        with pytest.raises(SiteError) as failure:
            builder.build(upload)
        failures.append(failure.value)

    thread = threading.Thread(target=build)
    thread.start()
    while upload.stage != "begun":
        time.sleep(0.01)
    begin = time.monotonic()
    builder.end()
    thread.join(10)
    assert time.monotonic() - begin < 5
    assert "signal 15" in str(failures[0])
    with pytest.raises(SiteError, match="the server ends"):
        builder.build(upload)


def test_names_are_arguments_and_no_options(tmp_path: Path, program: Callable[[str], None]) -> None:
    program("import sys; print('perfolio: ' + repr(sys.argv[1:]), file=sys.stderr); sys.exit(3)")
    with pytest.raises(SiteError, match=r"'--', '--help', 'b'\]"):
        CommandBuilder().build(received(tmp_path, "--help", "b/c.json"))
