"""Content files read the same whichever of PyYAML's safe loaders is there."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import generator
from generator.content import load_yaml

CONTENT = sorted((Path(generator.__file__).parent / "findings").rglob("*.yaml"))
RULES = sorted((Path(generator.__file__).parent / "findings" / "rules").glob("*.md"))


@pytest.mark.parametrize("path", CONTENT, ids=lambda path: path.name)
def test_files_read_as_by_the_plain_loader(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert load_yaml(text) == yaml.safe_load(text)


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_rules_read_as_by_the_plain_loader(path: Path) -> None:
    head = path.read_text(encoding="utf-8").split("---\n")[1]
    assert load_yaml(head) == yaml.safe_load(head)


def test_no_object_of_python_is_made() -> None:
    with pytest.raises(yaml.YAMLError):
        load_yaml("!!python/object/apply:os.getcwd []")
