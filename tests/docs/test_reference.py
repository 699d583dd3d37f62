"""The generated pages say all that the sources hold, and MkDocs has them without any file."""

from __future__ import annotations

from pathlib import Path

import pytest
from mkdocs.config import load_config
from mkdocs.structure.files import get_files

from perfolio.metrics.catalog import load_catalog
from reference import docs_hook
from reference.build import cli_page, generated_pages, write_pages


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return generated_pages()


def test_mkdocs_has_each_page_once_and_as_it_is_now(tmp_path: Path, pages: dict[str, str]) -> None:
    page = tmp_path / "docs" / "reference" / "cli.md"
    page.parent.mkdir(parents=True)
    page.write_text("# Of an earlier version")
    hook = f"hooks: [{docs_hook.__file__}]"
    (tmp_path / "mkdocs.yml").write_text(f"site_name: x\nplugins: []\n{hook}\n")
    config = load_config(str(tmp_path / "mkdocs.yml"))
    found = config.plugins.run_event("files", get_files(config), config=config)
    assert {one.src_uri: one.content_string for one in found} == pages


def test_help_keeps_the_lines_of_its_examples(pages: dict[str, str]) -> None:
    text = pages["reference/cli.md"]
    assert text.count("Example:") + text.count("Examples:") == text.count("```text")
    assert "\\b" not in text


def test_every_metric_has_its_entry(pages: dict[str, str]) -> None:
    for name in load_catalog():
        assert f"| Name | `{name}` |" in pages["reference/metrics.md"]


def test_every_column_of_a_table_says_its_meaning(pages: dict[str, str]) -> None:
    tables = pages["reference/schema.md"].partition("## Functions")[0]
    rows = [line.split(" | ") for line in tables.splitlines() if line.startswith("| `")]
    assert len(rows) > 60
    assert [row[0] for row in rows if not row[2].strip()] == []


def test_pages_are_written(tmp_path: Path, pages: dict[str, str]) -> None:
    write_pages(tmp_path)
    written = {path: (tmp_path / path).read_text("utf-8") for path in pages}
    assert written == pages


def test_words_of_sources_are_no_markup() -> None:
    import click

    @click.group(help="Reads <b>bold</b> files.")
    def group() -> None: ...

    assert "```text\nUsage: perfolio" in cli_page(group)
