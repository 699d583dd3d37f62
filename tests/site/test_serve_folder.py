"""A folder on a local server."""

from __future__ import annotations

import threading
from pathlib import Path
from urllib.request import urlopen

import pytest

from generator.errors import SiteError
from generator.site.serve import folder_server


def test_files_are_served_and_nothing_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "index.html").write_text("a page")
    with folder_server(tmp_path, "127.0.0.1:0") as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with urlopen(f"http://127.0.0.1:{server.server_port}/index.html") as answer:
            assert answer.read() == b"a page"
        server.shutdown()
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.1:x", "127.0.0.1:99999", "no.host.:80"])
def test_an_address_that_cannot_be_used_is_named(tmp_path: Path, address: str) -> None:
    with pytest.raises(SiteError, match="cannot serve"), folder_server(tmp_path, address):
        pass
