"""Local servers: any web site could read the report, through a name of its own that leads here.

`perfolio serve` answered whatever name a request gave as its host. A page of `evil.example`, whose
name leads to 127.0.0.1 a moment later, read everything that was served. That was not the site
alone: links in it were followed, folders were listed, and `perfolio serve PATH` served the folder
around the site. `%00` in a path was a traceback, a client that said nothing kept its thread.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from perfolio.site.local_server import SiteServer
from tests.site.served import SECRET, asked, serving, write_site


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    with serving(write_site(tmp_path_factory.mktemp("hosts"))) as server:
        yield server


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:1", "LOCALHOST:80", "127.0.0.1:8000", "[::1]", "[::1]:8000"]
)
def test_the_browser_of_this_machine_is_answered(server: SiteServer, host: str) -> None:
    assert asked(server, "/index.html", hosts=(host,)).status == 200


@pytest.mark.parametrize(
    "hosts",
    [
        (),
        ("",),
        ("evil.example",),
        ("evil.example:8000",),
        ("127.0.0.1.evil.example",),
        ("localhost.evil.example",),
        ("127.0.0.1@evil.example",),
        ("evil.example#localhost",),
        ("localhost, evil.example",),
        ("localhost", "evil.example"),
        ("evil.example", "localhost"),
        ("192.0.2.1",),
        ("2130706433",),
        ("\x00",),
    ],
)
def test_a_name_that_leads_here_is_not(server: SiteServer, hosts: tuple[str, ...]) -> None:
    assert asked(server, "/index.html", hosts=hosts).status == 403


def test_the_address_that_was_asked_for_is_answered(server: SiteServer) -> None:
    hosts = {"localhost", "127.0.0.1", "::1"}
    assert server.hosts == hosts
    made = SiteServer(lambda: None, ("Report.example", 0), server.root)
    made.server_close()
    assert made.hosts == {*hosts, "report.example"}


@pytest.mark.parametrize("path", ["/../secret.txt", "/out.txt", "/outer/secret.txt", "/dir/"])
def test_nothing_around_the_site_is_served(server: SiteServer, path: str) -> None:
    answer = asked(server, path)
    assert answer.status in {400, 404}
    assert SECRET not in answer.body.decode()
