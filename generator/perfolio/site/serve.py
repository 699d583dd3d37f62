"""A site on a local server that rebuilds when something changes."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.errors import SiteError, UsageError
from perfolio.site.build import build_site, check_date, check_paths, silence_notice
from perfolio.site.file_sync import sync_tree

if TYPE_CHECKING:
    from perfolio.site.local_server import SiteServer
    from perfolio.site.uploads.upload_routes import UploadRoutes

_START = """# Drop a profile here

<div class="pf-uploads-here"></div>

The report opens when it is built. A profile is what `perfolio build` reads: a trace of PyTorch's or
XLA's profiler, a report of Nsight Systems, a recording of ROCm's profilers, a database of
HPCToolkit, a call tree. Drop the folder of a run that has several files.

Reports made here last until the server ends. `perfolio build PATH` keeps one.
"""


def serve_site(config: Path, address: str = "127.0.0.1:8000") -> None:
    """Serve the project of `config` (its mkdocs.yml) on `address` until interrupted.

    The hooks of the project refresh its reports before each build.
    Raises SiteError when the address cannot be used or the first build fails.
    """
    check_date()
    check_paths(config)
    silence_notice()
    _show_log()
    from mkdocs.commands.serve import serve
    from mkdocs.exceptions import MkDocsException

    try:
        with _use_swept_folder():
            serve(config_file=os.fspath(config), dev_addr=address)
    except (MkDocsException, OSError) as error:
        raise SiteError(f"cannot serve {config} on {address}: {error}") from error


@contextmanager
def _use_swept_folder() -> Iterator[None]:
    """Temporary folders lie in one of ours: MkDocs leaves its own where a project is faulty."""
    before = tempfile.tempdir
    with make_temporary_folder() as work:
        tempfile.tempdir = os.fspath(work)
        try:
            yield
        finally:
            tempfile.tempdir = before


@contextmanager
def accept_uploads(address: str) -> Iterator[UploadRoutes]:
    """Let pages of the servers in the block upload profiles, whose reports go at its end.

    Raises UsageError where `address` is reached from other machines.
    """
    _check_loopback(address)
    silence_notice()
    from perfolio.site.local_server import SiteServer
    from perfolio.site.uploads.upload_queue import open_uploads
    from perfolio.site.uploads.upload_routes import UploadRoutes

    with open_uploads() as uploads:
        SiteServer.uploads = routes = UploadRoutes(uploads)
        try:
            yield routes
        finally:
            SiteServer.uploads = None


def _check_loopback(address: str) -> None:
    host = address.rpartition(":")[0].strip("[]").lower()
    try:
        is_local = host in {"", "localhost"} or ip_address(host).is_loopback
    except ValueError:
        is_local = False
    if not is_local:
        raise UsageError(
            f"--upload: {address} is reached from other machines",
            hint="leave --address out, or give 127.0.0.1:PORT",
        )


def build_start_page(folder: Path) -> None:
    """A site of one page, on which profiles are dropped."""
    with make_temporary_folder() as docs:
        sync_tree({"index.md": _START}, docs)
        build_site(docs, folder, site_name="Perfolio")


@contextmanager
def serve_folder(folder: Path, address: str) -> Iterator[SiteServer]:
    """A server of the site in `folder`; SiteError where the address cannot be used."""
    silence_notice()
    from perfolio.site.local_server import SiteServer

    host, _, port = address.rpartition(":")
    with ExitStack() as stack:
        try:
            place = host.strip("[]") or "127.0.0.1", int(port)
            server = stack.enter_context(SiteServer(lambda: None, place, os.fspath(folder)))
            server.server_bind()
            server.server_activate()
        except (OSError, ValueError, OverflowError) as error:
            raise SiteError(f"cannot serve {folder} on {address}: {error}") from error
        yield server


def _show_log() -> None:
    """Print what MkDocs says: where it serves, when it builds, and why a build failed."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(levelname)s: %(message)s"))
    log = logging.getLogger("mkdocs")
    log.setLevel(logging.INFO)
    if not log.handlers:
        log.addHandler(handler)
