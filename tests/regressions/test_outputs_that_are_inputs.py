"""`perfolio check s.duckdb -o s.duckdb` replaced the store and exited with 0.

So did export, audit, handout, worksheet export and `build --single-file`. Outputs are compared with
inputs now before any work. And `-o` put a file in the place of a pipe, a device or a link: as root
that of /dev/null. Now what is no regular file is written into, and links stay.
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import click
import pytest

from perfolio.cli.command_options import OutputPath
from perfolio.cli.main import main
from perfolio.cli.output_guard import OutputPlace, refuse_replacing
from perfolio.common.atomic_output import replace_file, replace_folder, write_file
from perfolio.common.errors import OutputError
from perfolio.site.file_sync import sync_tree
from tests.functional.conftest import called

FILES = ("a.toml", "c.csv", "s.json", "sub/answers.json", "keys/keys.json", "sub/trace.json")
DESTROYING = {
    "audit": ["audit a.toml s.json -o s.json", "audit a.toml s.json -o a.toml"],
    "brief": ["brief s.json -o s.json"],
    "build": [
        "build s.json --single-file s.json",
        "build s.json --single-file ./sub/../s.json",
        "build s.json --store s.json",
        "build s.json --config a.toml --single-file a.toml",
        "build sub/trace.json -o sub",
        "build sub -o sub",
        "build s.json -o out --store out/s.duckdb",
        "build s.json --single-file out.html --store out.html",
    ],
    "check": ["check s.json -o s.json", "check s.json -o link", "check s.json -o hard"],
    "compare": ["compare s.json a.toml -o s.json", "compare --before a.toml --after sub -o sub"],
    "export": ["export s.json s.json --to hatchet", "export sub/trace.json sub --to csv"],
    "fleet report": ["fleet report run --lake sub -o sub"],
    "fleet site": [
        "fleet site --lake sub -o sub",
        "fleet site --lake sub -o .",
        "fleet site --lake file://sub -o sub",
        "fleet site --lake zip://::sub/trace.json -o sub",
    ],
    "grade": ["grade sub --key keys -o keys", "grade sub --key keys/keys.json -o keys"],
    "handout": ["handout s.json -o s.json"],
    "history site": ["history site --series main --folder sub -o sub"],
    "ingest": ["ingest s.json --store s.json"],
    "promises add": ["promises add s.json a.toml --file s.json"],
    "scaling": ["scaling s.json a.json -o s.json", "scaling s.json sub -o sub"],
    "whatif": ["whatif s.json -o s.json", "whatif s.json --change a.toml -o a.toml"],
    "report": ["report keys/keys.json --docs keys"],
    "simulate": ["simulate a.toml -o a.toml", "simulate sub/trace.json -o sub"],
    "worksheet build": ["worksheet build keys/keys.json -o keys"],
    "worksheet export": ["worksheet export s.json --format gift -o s.json"],
}
"""By command; what lies in keys/ is what an earlier run wrote there."""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        if not name.startswith("keys"):
            (tmp_path / name).write_text("precious")
    sync_tree({"keys.json": "precious"}, tmp_path / "keys")
    (tmp_path / "link").symlink_to("s.json")
    (tmp_path / "hard").hardlink_to(tmp_path / "s.json")
    return tmp_path


def contents(folder: Path) -> dict[Path, str]:
    return {path: path.read_text() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("line", [line for lines in DESTROYING.values() for line in lines])
def test_an_output_that_is_an_input_is_refused(place: Path, line: str) -> None:
    before = contents(place)
    done = called(*line.split(), cwd=place)
    assert done.returncode == 9, done.stderr
    assert done.stderr.count("\n") == 1
    assert "replace" in done.stderr
    assert contents(place) == before


def commands(group: click.Group, above: str = "") -> Iterator[tuple[str, click.Command]]:
    for name, each in group.commands.items():
        if isinstance(each, click.Group):
            yield from commands(each, f"{above}{name} ")
        else:
            yield f"{above}{name}", each


def test_every_command_that_reads_and_writes_paths_is_tried() -> None:
    found = set()
    for name, each in commands(main):
        kinds = [given.type for given in each.params if isinstance(given.type, click.Path)]
        outputs = [kind for kind in kinds if isinstance(kind, OutputPath)]
        if outputs and len(outputs) < len(kinds):
            found.add(name)
    assert found == set(DESTROYING)


def test_options_called_output_are_outputs() -> None:
    wrong = [
        f"{name} {given.name}"
        for name, each in commands(main)
        for given in each.params
        if "-o" in given.opts and not isinstance(given.type, OutputPath)
    ]
    assert wrong == []


def test_what_destroys_nothing_is_not_refused(place: Path) -> None:
    sync_tree({"grades.csv": "earlier"}, place / "grades")
    (place / "grades" / "answers").mkdir()
    (place / "report.html").write_text("earlier")
    for output, path in (
        (OutputPlace(place / "new.json", "file"), "s.json"),
        (OutputPlace(place / "report.html", "file"), "."),
        (OutputPlace(place / "c.csv", "file"), "a.toml"),
        (OutputPlace(place / "site", "folder"), "."),
        (OutputPlace(place / "sub", "folder"), "."),
        (OutputPlace(place / "sub", "parts"), "sub"),
        (OutputPlace(place / "grades", "tree"), "grades/answers"),
        (OutputPlace(place / "sub/trace.json", "store"), "sub"),
    ):
        refuse_replacing([output], [place / path])


def test_what_is_read_with_a_folder_is_not_replaced(place: Path) -> None:
    (place / "exercise.md").write_text("precious")
    for name in ("a.toml", "exercise.md"):
        with pytest.raises(OutputError, match="what belongs to"):
            refuse_replacing([OutputPlace(place / name, "file")], [place])


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    pipe, got = tmp_path / "pipe", list[bytes]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_file(pipe, b"data" * 100_000)
    reader.join()
    assert got == [b"data" * 100_000]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_file_that_is_open_goes_on_from_where_it_is(tmp_path: Path) -> None:
    with (tmp_path / "log").open("wb") as file:
        file.write(b"first\n")
        file.flush()
        (tmp_path / "out").symlink_to(f"/dev/fd/{file.fileno()}")
        write_file(tmp_path / "out", b"second\n")
        write_file(Path(f"/proc/self/fd/{file.fileno()}"), b"third\n")
    assert (tmp_path / "log").read_text() == "first\nsecond\nthird\n"


def test_a_device_stays_one(tmp_path: Path) -> None:
    device = tmp_path / "null"
    try:
        os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except OSError:
        pytest.skip("devices are made by root alone")
    write_file(device, b"data")
    assert stat.S_ISCHR(device.stat().st_mode)
    assert [path.name for path in tmp_path.iterdir()] == ["null"]


def test_links_and_permissions_stay(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("earlier")
    real.chmod(0o640)
    link.symlink_to("real")
    write_file(link, b"now")
    assert link.is_symlink()
    assert (real.read_text(), stat.S_IMODE(real.stat().st_mode)) == ("now", 0o640)
    dangling = tmp_path / "dangling"
    dangling.symlink_to("there/none")
    write_file(dangling, b"now")
    assert (tmp_path / "there" / "none").read_text() == "now"


def test_a_link_to_a_folder_stays(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to("real")
    with replace_folder(tmp_path / "link") as partial:
        (partial / "file").write_text("now")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "file").read_text() == "now"
    assert stat.S_IMODE((tmp_path / "real").stat().st_mode) == 0o700


def test_a_loop_of_links_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OutputError, match="cannot be written"):
        write_file(tmp_path / "loop", b"")


def test_nothing_is_left_of_a_file_that_fails(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("earlier")
    with suppress(ZeroDivisionError), replace_file(tmp_path / "out") as partial:
        partial.write_text("half")
        raise ZeroDivisionError
    assert contents(tmp_path) == {tmp_path / "out": "earlier"}
