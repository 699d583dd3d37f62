"""The generated reference is the one that the sources give: `make docs` writes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfolio.metrics.catalog import load_catalog
from reference.build import cli_page, reference_pages, write_pages

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "reference"


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return reference_pages()


@pytest.mark.parametrize(
    "name", ["cli.md", "items.md", "metrics.md", "models.md", "rules.md", "schema.md"]
)
def test_committed_page_is_up_to_date(pages: dict[str, str], name: str) -> None:
    assert (FOLDER / name).read_text("utf-8") == pages[name], "run `make docs`"


def test_help_keeps_the_lines_of_its_examples(pages: dict[str, str]) -> None:
    examples = pages["cli.md"].count("Example:") + pages["cli.md"].count("Examples:")
    assert examples == pages["cli.md"].count("```text")
    assert "\\b" not in pages["cli.md"]


def test_every_metric_has_its_entry(pages: dict[str, str]) -> None:
    for name in load_catalog():
        assert f"| Name | `{name}` |" in pages["metrics.md"]


def test_every_column_of_a_table_says_its_meaning(pages: dict[str, str]) -> None:
    tables = pages["schema.md"].partition("## Functions")[0]
    rows = [line.split(" | ") for line in tables.splitlines() if line.startswith("| `")]
    assert len(rows) > 60
    assert [row[0] for row in rows if not row[2].strip()] == []


def test_pages_are_written(tmp_path: Path, pages: dict[str, str]) -> None:
    write_pages(tmp_path)
    assert {one.name: one.read_text("utf-8") for one in tmp_path.iterdir()} == pages


def test_words_of_sources_are_no_markup() -> None:
    import click

    @click.group(help="Reads <b>bold</b> files.")
    def group() -> None: ...

    assert "```text\nUsage: perfolio" in cli_page(group)
