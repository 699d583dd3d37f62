"""Folders at addresses of fsspec, such as s3://bucket/folder: only read, and trusted in nothing.

In:  an address that a user gave. Out: names and sizes in the folder; copies of its files.

Nothing but that address is reached: a name from a listing is never opened, only one that the
caller makes of it. What may be secret in an address (`user:password@`, `?token=`) is in no message,
nor is any text of the packages that speak a protocol, which may hold it, too.
"""

from __future__ import annotations

import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tarfile import TarError
from typing import Any, NamedTuple, TypeVar
from zipfile import BadZipFile

from perfolio.common.errors import BusyError, InputError, UsageError

S = TypeVar("S")
T = TypeVar("T")
MOST_NAMES = 100_000
"""In one folder."""
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+._-]*(?:://|::)")
_PROTOCOL = re.compile(r"[A-Za-z0-9+._-]*")
_LINKED = {"reference"}
"""Protocols whose files say at which other addresses their content is."""
_LOCAL = {"", "file", "local"}
_CHUNK = 1 << 20
_AT_ONCE = 8
"""Files that are read at once where a package waits for a network by itself."""
_FAILURES: tuple[type[Exception], ...] = (
    ArithmeticError, AttributeError, EOFError, LookupError, NotImplementedError, OSError,
    RuntimeError, TarError, TypeError, ValueError, BadZipFile, zlib.error,
)  # fmt: skip
"""Of Python and its library, which packages raise for what an address leads to."""
_PACKAGE_FAILURES = {
    "aiohttp": ("ClientError",),
    "azure.core.exceptions": ("AzureError",),
    "botocore.exceptions": ("BotoCoreError", "ClientError"),
    "gcsfs.retry": ("HttpError", "NonRetryableError"),
    "google.auth.exceptions": ("GoogleAuthError",),
    "paramiko": ("SSHException",),
    "requests": ("RequestException",),
}
"""Roots of the errors of packages that speak a protocol, by module."""
_CHECK = "check the address, the network, and the settings and credentials of its package"


@dataclass(frozen=True)
class RemoteAddress:
    """An address as the user gave it; as text, without what may be secret."""

    text: str = field(repr=False)

    def __str__(self) -> str:
        first, *more = self.text.split("::")
        if any("@" in part and "://" not in part for part in more):  # of a password with ::
            return f"{first.partition('://')[0]}://…"
        return "::".join(map(_hide_secrets, (first, *more)))

    @property
    def protocols(self) -> list[str]:
        """Of each part of a chained address; empty where a part has none."""
        return [part.partition("://")[0] if "://" in part else "" for part in self._parts]

    @property
    def local_paths(self) -> list[Path]:
        """Parts that are files or folders of this machine."""
        parts = zip(self.protocols, self._parts, strict=True)
        return [Path(part.partition("://")[2] or part) for name, part in parts if name in _LOCAL]

    @property
    def _parts(self) -> list[str]:
        return self.text.split("::")


def _hide_secrets(part: str) -> str:
    protocol, mark, place = part.partition("://") if "://" in part else ("", "", part)
    protocol = protocol if _PROTOCOL.fullmatch(protocol) else "…"
    cut = re.search(r"[?#]", place)
    place, query = (place[: cut.start()], place[cut.start() :]) if cut else (place, "")
    if "@" in query:  # the mark may be part of a password
        return f"{protocol}{mark}…"
    login, at, place = place.rpartition("@")
    return f"{protocol}{mark}{'…@' if login or at else ''}{place}{'?…' if query else ''}"


def find_address(text: str) -> RemoteAddress | None:
    """What a user gave as an address, unless it is a path."""
    if not _ADDRESS.match(text) or ("://" not in text and Path(text).exists()):
        return None
    return RemoteAddress(text)


class RemoteEntry(NamedTuple):
    """A file or folder in a listing."""

    size: int | None
    """In bytes; None where the listing does not say."""
    is_folder: bool


class RemoteFolder:
    """A folder at an address. Raises InputError where it cannot be read, and why."""

    def __init__(self, address: RemoteAddress) -> None:
        self.address = address
        self._system, root = _open_file_system(address)
        self._root = root
        self._before = root if not root or root.endswith("/") else f"{root}/"

    def refresh(self) -> None:
        """Forget listings that a package keeps."""
        with _explain_failure(self.address):
            self._system.invalidate_cache()

    def list_entries(self, folder: str) -> dict[str, RemoteEntry]:
        """What is directly in a folder of it, by its last name; nothing where it is missing.

        What is neither file nor folder is left out.
        """
        try:
            with _explain_failure(self.address):
                listed = self._system.ls(self._locate(folder), detail=True)
                found = [_read_entry(one) for one in listed]
        except FileNotFoundError:
            return {}
        if len(found) > MOST_NAMES:
            raise InputError(
                f"{self.address}: a folder of it has {len(found):,} names, and at most "
                f"{MOST_NAMES:,} are read"
            )
        return {name: entry for name, entry in found if entry is not None}

    def measure_file(self, name: str) -> int:
        """The size of a file [bytes]. Raises BusyError where it is not there any more."""
        try:
            with _explain_failure(self.address):
                size = self._system.info(self._locate(name))["size"]
        except FileNotFoundError as problem:
            raise self._make_busy_error(name) from problem
        if not _is_size(size):
            raise InputError(f"{self.address}: does not say how large {name} is")
        return int(size)

    def copy_file(self, name: str, size: int, target: Path) -> None:
        """Copy a file that a listing had.

        Raises BusyError where it is not there any more or has another size, and OSError where
        `target` cannot be written.
        """
        target.parent.mkdir(parents=True, exist_ok=True)
        left = size
        with target.open("wb") as made:
            for piece in self._read_pieces(name, size):
                left -= len(piece)
                made.write(piece)
        if left:
            raise self._make_busy_error(name)

    def read_file(self, name: str, size: int) -> bytes:
        """A small file that a listing had. Raises BusyError where it is not there any more."""
        return b"".join(self._read_pieces(name, size))

    def _read_pieces(self, name: str, size: int) -> Iterator[bytes]:
        """What a file holds, up to this size and one byte more."""
        left = size + 1
        try:
            with _explain_failure(self.address):
                file = self._system.open(self._locate(name), "rb")
            try:
                while left > 0:
                    with _explain_failure(self.address):
                        piece = bytes(file.read(min(left, _CHUNK)))
                    if not piece:
                        return
                    left -= len(piece)
                    yield piece
            finally:
                with _explain_failure(self.address):
                    file.close()
        except FileNotFoundError as problem:
            raise self._make_busy_error(name) from problem

    def map_each(self, function: Callable[[S], T], items: Sequence[S]) -> Iterator[T]:
        """What a function gives of each, in their order; several at once where that is safe."""
        if not getattr(self._system, "async_impl", False):
            yield from map(function, items)
            return
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(_AT_ONCE) as pool:
            try:
                yield from pool.map(function, items)
            finally:
                pool.shutdown(cancel_futures=True)

    def _locate(self, name: str) -> str:
        return f"{self._before}{name}" if name else self._root

    def _make_busy_error(self, name: str) -> BusyError:
        return BusyError(
            f"{self.address}: {name} changes while it is copied",
            hint="try again when what writes there has ended",
        )


def _open_file_system(address: RemoteAddress) -> tuple[Any, str]:
    try:
        import fsspec
        from fsspec.core import url_to_fs
    except ImportError as problem:
        from perfolio.common.extra_packages import make_install_command

        raise UsageError(
            f"{address}: addresses are read by fsspec, which is not installed",
            hint=make_install_command("fleet"),
        ) from problem
    known = {"", *fsspec.available_protocols(), *fsspec.registry}
    for protocol in address.protocols:
        if protocol not in known:
            raise UsageError(
                f"{address}: {protocol!r} is no protocol of fsspec",
                hint="s3, gs, az, https, sftp, zip or file, for example",
            )
    if _LINKED.intersection(address.protocols) or _LINKED.intersection(address.text.split("::")):
        raise UsageError(f"{address}: leads to other addresses, which are not read")
    try:
        with _explain_failure(address):
            system, root = url_to_fs(address.text)
    except FileNotFoundError:
        raise InputError(f"{address}: is not there", hint=_CHECK) from None
    return system, str(root)


@contextmanager
def _explain_failure(address: RemoteAddress) -> Iterator[None]:
    """Raise UsageError or InputError for whatever a package of a protocol raises.

    FileNotFoundError passes. No other text of a package is taken over but how to install one.
    """
    try:
        yield
    except FileNotFoundError:
        raise
    except ImportError as problem:
        package = re.sub(r"[^\w .,:'=\[\]-]", " ", str(problem))[:120] or "a package is missing"
        raise UsageError(f"{address}: cannot be read: {package}") from None
    except PermissionError:
        raise InputError(
            f"{address}: access was denied", hint="check the credentials and rights for it"
        ) from None
    except (*_FAILURES, *_list_package_failures()) as problem:
        raise InputError(
            f"{address}: cannot be read: {_name_failure(problem)}", hint=_CHECK
        ) from None


def _list_package_failures() -> list[type[Exception]]:
    """Roots of the errors of packages that are loaded: they share none."""
    found = (
        getattr(sys.modules[module], name, None)
        for module, names in _PACKAGE_FAILURES.items()
        if module in sys.modules
        for name in names
    )
    return [one for one in found if isinstance(one, type) and issubclass(one, Exception)]


def _name_failure(problem: Exception) -> str:
    """The kind of an error, and what the system says of its number."""
    kind = type(problem).__name__
    number = getattr(problem, "errno", None)
    known = isinstance(problem, OSError) and isinstance(number, int) and number > 0
    return f"{kind} ({os.strerror(number)})" if known else kind  # type: ignore[arg-type]


def _read_entry(listed: Any) -> tuple[str, RemoteEntry | None]:
    name = str(listed["name"]).rstrip("/").rpartition("/")[2]
    if listed["type"] == "directory":
        return name, RemoteEntry(0, is_folder=True)
    size = listed["size"]
    usable = listed["type"] == "file" and (size is None or _is_size(size))
    return name, RemoteEntry(size, is_folder=False) if usable else None


def _is_size(size: Any) -> bool:
    return isinstance(size, int) and 0 <= size < 1 << 63
