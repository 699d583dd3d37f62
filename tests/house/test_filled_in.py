"""Nothing that `perfolio new` wrote still waits for its author."""

from __future__ import annotations

from tests.house.figures import PACKAGE, ROOT

OF_THE_COMMAND = {
    PACKAGE / "cli" / "commands" / "new.py",
    PACKAGE / "cli" / "skeleton_files.py",
    ROOT / "tests" / "functional" / "test_new.py",
}
"""Files that speak of the mark itself."""


def test_each_skeleton_was_filled_in() -> None:
    mark = "FILL " + "IN"
    left = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for folder in (PACKAGE, ROOT / "tests")
        for path in sorted(folder.rglob("*"))
        if path.suffix in {".md", ".py", ".sql", ".toml", ".yaml"}
        if "skeletons" not in path.parts and path not in OF_THE_COMMAND
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if mark in line
    ]
    assert left == []
