"""Lakes at addresses: what is copied of them, what is not, and what is said where one cannot be."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from perfolio.common.errors import BusyError, InputError, PerfolioError, StoreError, UsageError
from perfolio.common.progress import QuietProgress
from perfolio.common.remote_folders import RemoteAddress, RemoteFolder, find_address
from perfolio.fleet import lake_compaction, remote_lake
from perfolio.fleet.lake import JOURNAL, Lake, create_lake
from perfolio.fleet.lake_compaction import compact_lake
from perfolio.fleet.lake_connection import open_lake
from perfolio.fleet.lake_tables import load_table_schemas
from perfolio.fleet.remote_lake import copy_lake, list_queried_tables, open_lake_place
from tests.fleet.support import add_input, make_lake, make_rows

AT = RemoteAddress("memory://bucket/lake")
TABLES = tuple(load_table_schemas())
Rows = dict[str, list[tuple[Any, ...]]]


def read(lake: Lake) -> Rows:
    with open_lake(lake) as connection:
        return {
            table: connection.execute(f"FROM {table} ORDER BY ALL").fetchall() for table in TABLES
        }


def read_at(address: RemoteAddress) -> Rows:
    with open_lake_place(address) as lake:
        return read(lake)


def list_names(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return make_lake(tmp_path / "lake")


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> MemoryFileSystem:
    monkeypatch.setattr(MemoryFileSystem, "store", {})
    monkeypatch.setattr(MemoryFileSystem, "pseudo_dirs", [""])
    return MemoryFileSystem()


@pytest.fixture
def uploaded(lake: Lake, store: MemoryFileSystem) -> MemoryFileSystem:
    upload(lake, store)
    return store


def upload(lake: Lake, store: MemoryFileSystem) -> None:
    for name in list_names(lake.root):
        store.pipe_file(f"/bucket/lake/{name}", (lake.root / name).read_bytes())


def test_a_lake_at_an_address_has_the_rows_of_its_folder(
    lake: Lake, uploaded: MemoryFileSystem, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_lake_place(AT) as copied:
        assert copied.root != lake.root
        assert read(copied) == read(lake)
        assert copied.list_manifests() == lake.list_manifests()
        assert list_names(copied.root) == list_names(lake.root)
    assert not copied.root.exists()
    shown = capsys.readouterr().err.splitlines()
    assert [line.split("s  ")[1].partition(": ")[0] for line in shown] == [
        f"listing {AT}",
        f"copying {AT}",
    ]
    assert "13 files, 0.0 MB" in shown[1]
    with open_lake_place(lake.root) as same:
        assert same.root == lake.root
    compact_lake(lake, QuietProgress())
    uploaded.rm("/bucket", recursive=True)
    upload(lake, uploaded)
    assert read_at(AT) == read(lake)


def test_a_compaction_that_has_begun_counts_at_an_address_too(
    lake: Lake, store: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = read(lake)
    monkeypatch.setattr(lake_compaction, "_finish", lambda _: None)
    compact_lake(lake, QuietProgress())
    assert (lake.root / JOURNAL).is_file()
    upload(lake, store)
    assert read_at(AT) == before


def test_only_needed_tables_are_copied(uploaded: MemoryFileSystem) -> None:
    document = "/bucket/lake/table=document/month=2026-11/a.parquet"
    uploaded.pipe_file(document, b"large")
    tables = list_queried_tables("SELECT count(*) FROM run")
    with open_lake_place(AT, tables) as lake, open_lake(lake) as connection:
        assert connection.execute("SELECT count(*) FROM run").fetchall() == [(4,)]
        assert not list(lake.root.glob("table=document/*/*"))
    for sql in ("FROM Document", "FROM query_table('docu' || 'ment')"):
        assert list_queried_tables(sql) == list(TABLES)


def read_documents(lake: Lake) -> list[tuple[Any, ...]]:
    with open_lake(lake) as connection:
        return connection.execute("FROM document ORDER BY ALL").fetchall()


@pytest.fixture
def documented(tmp_path: Path) -> Lake:
    """A lake with documents of runs of two months."""
    made = create_lake(tmp_path / "documented")
    for name, month in (("a", "2026-10"), ("b", "2026-10"), ("c", "2026-11")):
        rows = [{"run": name, "name": "findings", "content": f"of {name}"}]
        made.add_runs(name, name, month, {name: {**make_rows(name), "document": rows}})
    return made


@pytest.mark.parametrize("begun", [False, True])
def test_documents_of_single_months_are_copied(
    documented: Lake, monkeypatch: pytest.MonkeyPatch, begun: bool
) -> None:
    address = RemoteAddress(f"file://{documented.root}")
    with open_lake_place(address, ["run"]) as lake:
        lake.fetch_documents(["a"], QuietProgress())
        assert [row[0] for row in read_documents(lake)] == ["a"]
        lake.fetch_documents(["c", "nowhere"], QuietProgress())
        assert [row[0] for row in read_documents(lake)] == ["a", "c"]
    if begun:
        monkeypatch.setattr(lake_compaction, "_finish", lambda _: None)
    compact_lake(documented, QuietProgress())
    with open_lake_place(address, ["run"]) as lake:
        lake.fetch_documents(["a"], QuietProgress())
        assert [row[0] for row in read_documents(lake)] == ["a", "b"]


def test_a_compaction_before_documents_are_copied_is_no_loss(
    documented: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = RemoteAddress(f"file://{documented.root}")
    with open_lake_place(address, ["run"]) as lake:
        compact_lake(documented, QuietProgress())
        lake.fetch_documents(["a"], QuietProgress())
        assert [row[0] for row in read_documents(lake)] == ["a", "b"]
        add_input(documented, "d")
        monkeypatch.setattr(lake_compaction, "_finish", lambda _: None)
        compact_lake(documented, QuietProgress())
        with pytest.raises(BusyError, match=r"file://.*: is compacted while it is copied"):
            lake.fetch_documents(["c"], QuietProgress())


def test_a_month_of_a_manifest_leads_nowhere(documented: Lake, tmp_path: Path) -> None:
    path = documented.root / "inputs" / "a.json"
    manifest = json.loads(path.read_text())
    path.write_text(json.dumps({**manifest, "month": "x/../../../outside"}))
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.parquet").write_text("x")
    with open_lake_place(RemoteAddress(f"file://{documented.root}"), ["run"]) as lake:
        lake.fetch_documents(["a"], QuietProgress())
        assert not list(lake.root.parent.rglob("table=document"))
        assert list_names(lake.root.parent) == {f"lake/{name}" for name in list_names(lake.root)}


@pytest.mark.parametrize("when", ["copy_file", "list_entries"])
def test_a_lake_that_is_compacted_meanwhile_is_copied_again(
    lake: Lake, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    before = read(lake)
    step, begun = getattr(RemoteFolder, when), iter([False, False, True])

    def compact_first(*given: Any) -> Any:
        if next(begun, False):
            compact_lake(lake, QuietProgress())
        return step(*given)

    monkeypatch.setattr(RemoteFolder, when, compact_first)
    assert read_at(RemoteAddress(f"file://{lake.root}")) == before
    assert next(begun, None) is None
    assert len(list(lake.root.glob("inputs/*"))) == 1


def test_a_compaction_that_ends_after_all_was_copied_is_noticed(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(lake_compaction, "_finish", lambda _: None)
        compact_lake(lake, QuietProgress())
    before, copy, tries = read(lake), remote_lake._copy_files, []

    def finish_after(*given: Any) -> None:
        copy(*given)
        tries.append(1)
        lake_compaction.finish_compaction(lake)

    monkeypatch.setattr(remote_lake, "_copy_files", finish_after)
    assert read_at(RemoteAddress(f"file://{lake.root}")) == before
    assert len(tries) == 2


def test_a_lake_that_changes_all_the_time_is_given_up(
    uploaded: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, tries = RemoteFolder.copy_file, []

    def copy_longer(self: RemoteFolder, name: str, size: int, target: Path) -> None:
        if name.endswith("a.json"):
            tries.append(name)
            with uploaded.open(f"/bucket/lake/{name}", "ab") as file:
                file.write(b" ")
        copy(self, name, size, target)

    monkeypatch.setattr(RemoteFolder, "copy_file", copy_longer)
    with pytest.raises(BusyError, match=r"memory://bucket/lake: inputs/a\.json changes while"):
        read_at(AT)
    assert len(tries) == 5


def test_files_that_a_compaction_removed_and_an_upload_left_do_not_count_twice(
    lake: Lake, store: MemoryFileSystem
) -> None:
    compact_lake(lake, QuietProgress())
    upload(lake, store)
    add_input(lake, "e", month="2026-10")
    compact_lake(lake, QuietProgress())
    upload(lake, store)
    with pytest.raises(
        StoreError,
        match=r"^memory://bucket/lake: has files from before and after a compaction; .* --delete",
    ):
        read_at(AT)


class HostileFileSystem(fsspec.AbstractFileSystem):  # type: ignore[misc]
    """Says of each folder that hostile names are in it, and has a file under each of them."""

    protocol = "hostile"
    cachable = False
    opened: list[str] = []  # noqa: RUF012 - emptied by the test

    def ls(self, path: str, detail: bool = True, **_: Any) -> list[dict[str, Any]]:  # noqa: ARG002
        names = [
            "../../x", "/etc/passwd", "/etc/cron.d/x.parquet", "..", ".", "", "a/../../../x.json",
            "<img src=x>.json", "a\n.json", f"{'a' * 300}.parquet", "C:\\x.json", "é.json",
            "~root/x.json", "a.json", "lake.json", "%2e%2e/b.json",
        ]  # fmt: skip
        files = [{"name": name, "type": "file", "size": 30} for name in names]
        folders = [
            {"name": f"{path}/{name}", "type": "directory", "size": 0}
            for name in ("..", "month=..", "month=2026-11", "month=<b>", "table=run", "inputs")
        ]
        more: list[dict[str, Any]] = [
            {"name": "b.json", "type": "link", "size": 1},
            {"name": "c.json", "type": "file", "size": -5},
            {"name": "e.json", "type": "file", "size": 10**400},
            {"name": "d.json", "type": "file", "size": "many"},
        ]
        return [*files, *folders, *more]

    def _open(self, path: str, mode: str = "rb", **_: Any) -> Any:  # noqa: ARG002
        import io

        self.opened.append(path)
        manifest = {"input": "a", "name": "x", "month": "2026-11", "runs": []}
        mark = {"schema": "perfolio-lake/1"}
        text = json.dumps(manifest if "/inputs/" in path else mark)
        return io.BytesIO(text.encode()[:30] + b" " * max(0, 30 - len(text)))


def test_hostile_names_are_copied_to_no_place(tmp_path: Path) -> None:
    fsspec.register_implementation("hostile", HostileFileSystem, clobber=True)
    HostileFileSystem.opened.clear()
    (tmp_path / "work").mkdir()
    root = tmp_path / "work" / "lake"
    copy_lake(RemoteAddress("hostile://host/lake"), root, TABLES, QuietProgress())
    copied = {f"inputs/{name}.json" for name in ("a", "b", "lake", "x")} | {"lake.json"}
    copied |= {f"table={table}/month=2026-11/x.parquet" for table in TABLES}
    assert list_names(tmp_path) == {f"work/lake/{name}" for name in copied}
    assert set(HostileFileSystem.opened) == {f"host/lake/{name}" for name in copied}


@pytest.mark.parametrize(
    ("limit", "most", "says"),
    [
        ("MOST_FILES", 5, "has more files than the 5 that are copied at most; compact"),
        ("MOST_BYTES", 3_000, r"has 0\.0 MB, and at most 0\.0 MB are copied; copy it to a folder"),
        ("MOST_DOCUMENT_BYTES", 10, "json has .* bytes, and at most 10 are copied"),
    ],
)
def test_a_limit_is_named_before_anything_is_copied(
    limit: str,
    most: int,
    says: str,
    uploaded: MemoryFileSystem,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    assert uploaded.exists("/bucket/lake")
    monkeypatch.setattr(remote_lake, limit, most)
    with pytest.raises(InputError, match=says):
        copy_lake(AT, tmp_path / "copy", TABLES, QuietProgress())
    assert not (tmp_path / "copy").exists()


def test_a_full_disk_is_named_before_anything_is_copied(
    uploaded: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert uploaded.exists("/bucket/lake")
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 9}))
    with pytest.raises(PerfolioError, match=r"has 0\.0 MB left, .* set TMPDIR") as problem:
        read_at(AT)
    assert problem.value.exit_code == 9


@pytest.mark.parametrize(
    ("name", "content", "kind", "says"),
    [
        ("lake.json", '{"schema": "perfolio-lake/99"}', StoreError, "made by a newer Perfolio"),
        ("inputs/a.json", "", StoreError, "inputs/a.json: cannot be read"),
        ("compaction.json", '{"add": ["../x"]}', StoreError, "outside of the lake"),
        ("table=run/month=2026-11/a.parquet", "PAR1", StoreError, "a file is damaged"),
    ],
)
def test_damage_is_told_of_the_address(
    uploaded: MemoryFileSystem, name: str, content: str, kind: type[Exception], says: str
) -> None:
    uploaded.pipe_file(f"/bucket/lake/{name}", content.encode())
    with pytest.raises(kind, match=says) as problem:
        read_at(AT)
    text = str(problem.value)
    assert text.startswith("memory://bucket/lake")
    assert ".scratch" not in text


@pytest.mark.parametrize(
    ("address", "kind", "says"),
    [
        ("memory://bucket/other", InputError, "is no lake; make one"),
        ("nope://host/lake", UsageError, "'nope' is no protocol of fsspec"),
        ("s3://bucket/lake", UsageError, "cannot be read: Install s3fs to access S3"),
        ("reference://::memory://x.json", UsageError, "leads to other addresses"),
        ("zip://::memory://nothing.zip", InputError, "is not there"),
        ("zip://::memory://no.zip", InputError, "cannot be read: BadZipFile; check the address"),
        ("failing://me:secret@host/lake?token=secret", InputError, "ConnectionRefusedError"),
    ],
)
def test_what_cannot_be_read_is_one_line_without_secrets(
    address: str,
    kind: type[Exception],
    says: str,
    store: MemoryFileSystem,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    class FailingFileSystem(MemoryFileSystem):  # type: ignore[misc]
        def ls(self, path: str, **_: Any) -> list[Any]:
            raise ConnectionRefusedError(111, f"no answer of me:secret@host {path}")

    fsspec.register_implementation("failing", FailingFileSystem, clobber=True)
    monkeypatch.setitem(sys.modules, "s3fs", None)
    store.pipe_file("/no.zip", b"no archive")
    with pytest.raises(kind, match=says) as problem:
        read_at(RemoteAddress(address))
    told = str(problem.value) + capsys.readouterr().err + repr(problem.value.__cause__)
    assert "secret" not in told
    assert str(problem.value).isprintable()


def test_refused_rights_are_named(
    uploaded: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError("Forbidden")

    monkeypatch.setattr(type(uploaded), "ls", refuse)
    with pytest.raises(InputError, match="memory://bucket/lake: access was denied; check the"):
        read_at(AT)


def test_errors_of_a_package_are_told_by_their_root_and_without_their_text(
    uploaded: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Packages of protocols share no root but Exception, which would hide defects of ours."""
    package = ModuleType("botocore.exceptions")
    root = type("ClientError", (Exception,), {})
    monkeypatch.setattr(package, "ClientError", root, raising=False)
    monkeypatch.setitem(sys.modules, "botocore.exceptions", package)

    def refuse(*_: Any, **__: Any) -> None:
        raise type("NoSuchBucket", (root,), {})("of me:secret@host")

    monkeypatch.setattr(type(uploaded), "ls", refuse)
    with pytest.raises(InputError, match="cannot be read: NoSuchBucket; check") as problem:
        read_at(AT)
    assert "secret" not in str(problem.value) + repr(problem.value.__cause__)


def test_without_fsspec_one_line_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(UsageError, match="which is not installed; "):
        read_at(AT)


def test_sizes_that_a_listing_lacks_are_asked_for(
    lake: Lake, uploaded: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = MemoryFileSystem.ls

    def leave_out_sizes(self: MemoryFileSystem, path: str, **more: Any) -> list[dict[str, Any]]:
        return [{**one, "size": None} for one in listed(self, path, **more)]

    monkeypatch.setattr(type(uploaded), "ls", leave_out_sizes)
    assert read_at(AT) == read(lake)


def test_packages_that_wait_by_themselves_read_several_files_at_once(
    lake: Lake, uploaded: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(uploaded), "async_impl", True)
    assert read_at(AT) == read(lake)
    uploaded.pipe_file("/bucket/lake/inputs/a.json", b"{}")
    with pytest.raises(StoreError):
        read_at(AT)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("s3://bucket/lake", "s3://bucket/lake"),
        ("s3://key:secret@bucket/lake", "s3://…@bucket/lake"),
        ("ftp://me:sec/ret@secret@host/x", "ftp://…@host/x"),
        ("https://host/lake?token=secret", "https://host/lake?…"),
        ("https://host/lake?token=a@secret", "https://…"),
        ("ftp://me:secret?secret@host/lake", "ftp://…"),
        ("https://host/lake#secret", "https://host/lake?…"),
        ("zip://lake::https://me:secret@host/x.zip", "zip://lake::https://…@host/x.zip"),
        ("ftp://me:secret::secret@host/lake", "ftp://…"),
        ("simplecache::https://host/lake?secret", "simplecache::https://host/lake?…"),
        ("zip://::me:secret@x://y", "zip://::…://y"),
    ],
)
def test_an_address_is_shown_without_secrets(text: str, shown: str) -> None:
    address = find_address(text)
    assert str(address) == shown
    assert "secret" not in repr(address)


def test_paths_are_no_addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("zip::lake").mkdir()
    for text in ("lake", "/lake", "../lake", "zip::lake", "1://x", "://x", "C:/lake"):
        assert find_address(text) is None
    assert find_address("zip::other.zip") is not None
    address = RemoteAddress("zip://lake::file:///tmp/lake.zip")
    assert address.local_paths == [Path("/tmp/lake.zip")]
    assert RemoteAddress("zip://::lake.zip").local_paths == [Path("lake.zip")]
    assert RemoteAddress("s3://bucket/lake").local_paths == []
