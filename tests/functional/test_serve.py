"""A report on a local server, from the command line: answered, refused, ended."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.kit.databases import write_database
from tests.kit.shared import ROOT


def status(address: str, path: str, host: str) -> int:
    connection = HTTPConnection(address, timeout=20)
    connection.request("GET", path, headers={"Host": host})
    with connection.getresponse() as answer:
        return answer.status


@pytest.mark.slow
def test_a_report_is_served_until_a_batch_system_ends_it(tmp_path: Path) -> None:
    write_database(tmp_path / "x.d")
    (tmp_path / "temporary").mkdir()
    environment = {
        **os.environ,
        "PYTHONPATH": os.fspath(ROOT),
        "PYTHONUNBUFFERED": "1",
        "TMPDIR": os.fspath(tmp_path / "temporary"),
    }
    command = [sys.executable, "-m", "perfolio", "serve", "x.d", "--address", "127.0.0.1:0"]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
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
            found = re.match(r"Serving on http://(127\.0\.0\.1:\d+)/ ", line)
        assert status(found[1], "/", "localhost") == 200
        assert status(found[1], "/x/index.html", "evil.example") == 403
        assert status(found[1], "/x/", "localhost") == 200
        process.send_signal(signal.SIGTERM)
        told = process.communicate(timeout=30)[1].splitlines()
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert "interrupted" in told[-1]
    assert "Traceback" not in "".join(told)
    assert list((tmp_path / "temporary").iterdir()) == []
