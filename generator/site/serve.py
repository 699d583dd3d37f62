"""A site on a local server that rebuilds when something changes."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from generator.errors import SiteError
from generator.site.build import check_date, silence_notice


def serve_site(config: Path, address: str = "127.0.0.1:8000") -> None:
    """Serve the project of `config` (its mkdocs.yml) on `address` until interrupted.

    The hooks of the project refresh its reports before each build.
    Raises SiteError when the address cannot be used or the first build fails.
    """
    check_date()
    silence_notice()
    _show_log()
    from mkdocs.commands.serve import serve
    from mkdocs.exceptions import MkDocsException

    try:
        serve(config_file=os.fspath(config), dev_addr=address)
    except (MkDocsException, OSError) as error:
        raise SiteError(f"cannot serve {config} on {address}: {error}") from error


@contextmanager
def folder_server(folder: Path, address: str) -> Iterator[ThreadingHTTPServer]:
    """A server of the files below `folder`; SiteError where the address cannot be used."""
    host, _, port = address.rpartition(":")
    handler = partial(_Quiet, directory=os.fspath(folder))
    try:
        server = ThreadingHTTPServer((host.strip("[]") or "127.0.0.1", int(port)), handler)
    except (OSError, ValueError, OverflowError) as error:
        raise SiteError(f"cannot serve {folder} on {address}: {error}") from error
    with server:
        yield server


class _Quiet(SimpleHTTPRequestHandler):
    """Files, without a line for each."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _show_log() -> None:
    """Print what MkDocs says: where it serves, when it builds, and why a build failed."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(levelname)s: %(message)s"))
    log = logging.getLogger("mkdocs")
    log.setLevel(logging.INFO)
    if not log.handlers:
        log.addHandler(handler)
