"""A report on a local server, from the command line: answered, refused, ended; uploads to it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest
from click.testing import CliRunner

from perfolio.cli.main import main
from perfolio.site.uploads.upload_routes import PREFIX, TOKEN
from tests.kit.databases import write_database
from tests.kit.shared import ROOT

SERVING = re.compile(r"Serving on http://(127\.0\.0\.1:\d+)/(?:#upload=(\S+))? ")
SPOILT = "raise SystemExit('code of an upload ran')"


def status(address: str, path: str, host: str) -> int:
    connection = HTTPConnection(address, timeout=20)
    connection.request("GET", path, headers={"Host": host})
    with connection.getresponse() as answer:
        return answer.status


@contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """The command, its address and its token; it is gone after the block."""
    (folder / "temporary").mkdir()
    environment = {
        **os.environ,
        "PYTHONPATH": os.fspath(ROOT / "generator"),
        "PYTHONUNBUFFERED": "1",
        "TMPDIR": os.fspath(folder / "temporary"),
    }
    command = [sys.executable, "-m", "perfolio", "serve", *arguments, "--address", "127.0.0.1:0"]
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        found = None
        while found is None:
            line = process.stdout.readline()
            assert line, process.communicate()[1]
            found = SERVING.match(line)
        yield process, found[1], found[2] or ""
    finally:
        process.kill()
        process.wait()


def end(process: subprocess.Popen[str]) -> list[str]:
    """What it says when a batch system ends it."""
    process.send_signal(signal.SIGTERM)
    told = process.communicate(timeout=30)[1].splitlines()
    assert process.returncode == 130
    assert "interrupted" in told[-1]
    assert "Traceback" not in "".join(told)
    return told


@pytest.mark.slow
def test_a_report_is_served_until_a_batch_system_ends_it(tmp_path: Path) -> None:
    write_database(tmp_path / "x.d")
    with serving(tmp_path, "x.d") as (process, address, token):
        assert not token
        assert status(address, "/", "localhost") == 200
        assert status(address, "/x/index.html", "evil.example") == 403
        assert status(address, "/x/", "localhost") == 200
        end(process)
    assert list((tmp_path / "temporary").iterdir()) == []


def upload(address: str, token: str, files: Mapping[str, bytes]) -> dict[str, str]:
    """What became of these files, as a page hears it."""
    own = {"Host": address, "Origin": f"http://{address}", TOKEN: token}

    def send(method: str, path: str, body: bytes = b"") -> bytes:
        connection = HTTPConnection(address, timeout=20)
        connection.request(method, PREFIX + path, body, own)
        with connection.getresponse() as answer:
            assert answer.status < 300, answer.read()
            return answer.read()

    offer = [{"path": name, "size": len(data)} for name, data in files.items()]
    key = json.loads(send("POST", "", json.dumps(offer).encode()))["key"]
    send("PUT", key, b"".join(files.values()))
    until = time.monotonic() + 120
    while True:
        (one,) = (each for each in json.loads(send("GET", "")) if each["key"] == key)
        if one["state"] in {"ready", "failed"}:
            return dict(one)
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.mark.slow
def test_a_profile_that_is_uploaded_is_read_as_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also its messages; and files that Python would import from its folder are data."""
    database = tmp_path / "outside" / "x.d"
    write_database(database)
    files = {f"x.d/{one.name}": one.read_bytes() for one in database.iterdir()}
    code = {f"{name}.py": SPOILT.encode() for name in ("json", "perfolio", "sitecustomize")}
    page = "/perfolio-uploads/{}/x/index.html"
    garbage = "<img src=x onerror=alert(1)>.json"
    with serving(tmp_path, "--upload") as (process, address, token):
        assert status(address, "/", "localhost") == 200
        good = upload(address, token, files)
        assert (good["state"], good["error"]) == ("ready", "")
        assert status(address, page.format(good["key"]), "localhost") == 200
        assert status(address, page.format(good["key"]), "evil.example") == 403

        bad = upload(address, token, {f"../../{garbage}": b'{"traceEvents": [}'})
        assert bad["state"] == "failed"
        spoilt = upload(address, token, {**files, **code})
        assert "code of an upload ran" not in str(spoilt)
        assert status(address, page.format(good["key"]), "localhost") == 200
        end(process)
    monkeypatch.chdir(tmp_path / "outside")
    Path(garbage).write_bytes(b'{"traceEvents": [}')
    told = CliRunner().invoke(main, ["build", garbage])
    assert told.stderr.splitlines()[-1] == f"perfolio: {bad['error']}"
    assert garbage in bad["error"]
    assert list((tmp_path / "temporary").iterdir()) == []
    assert sorted(one.name for one in tmp_path.iterdir()) == ["outside", "temporary"]


def test_uploads_are_for_this_machine_alone() -> None:
    told = CliRunner().invoke(main, ["serve", "--upload", "--address", "0.0.0.0:8000"])
    assert told.exit_code == 2
    assert "is reached from other machines" in told.stderr
