"""The generated pages say all that the sources hold, and MkDocs has them without any file."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from mkdocs.config import load_config
from mkdocs.structure.files import get_files

from perfolio.common.errors import ContentError
from perfolio.metrics.catalog import load_catalog
from reference import docs_hook, models
from reference.build import cli_page, generated_pages, write_pages
from reference.lineage import drawn, ordered, reduced
from reference.models import FOLLOWED, followed, model_readers, models_page, rooms

# The generated pages say all that the sources hold, and MkDocs has them without any file.


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return generated_pages()


@pytest.mark.slow
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


@pytest.mark.parametrize(("page", "least"), [("schema", 60), ("lake", 50)])
def test_every_column_of_a_table_says_its_meaning(
    page: str, least: int, pages: dict[str, str]
) -> None:
    tables = pages[f"reference/{page}.md"].partition("## Functions")[0]
    rows = [line.split(" | ") for line in tables.splitlines() if line.startswith("| `")]
    assert len(rows) > least
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


# The picture of what models read, and the page around it.

ROOT = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"
COLUMNS = {"First": ["a", "b"], "Second": ["c"], "Third": ["d", "e"]}
READS = {"c": {"a"}, "d": {"a", "c"}, "e": {"d", "b"}}


def test_every_name_is_in_its_column_and_kept_ones_are_bold() -> None:
    picture = ET.fromstring(drawn(COLUMNS, READS, {"c"}))
    found = {text.text: text for text in picture.iter(f"{SVG}text")}
    assert found.keys() == {"First", "Second", "Third", "a", "b", "c", "d", "e"}
    left = {name: float(text.attrib["x"]) for name, text in found.items()}
    assert left["a"] == left["b"] < left["c"] < left["d"] == left["e"]
    assert [name for name, text in found.items() if text.get("font-weight") == "bold"] == ["c"]


def test_a_line_leads_from_what_is_read() -> None:
    picture = ET.fromstring(drawn(COLUMNS, READS, set()))
    assert len(list(picture.iter(f"{SVG}path"))) == 4
    assert picture.attrib["role"] == "img"
    assert picture.attrib["aria-label"]


def test_a_line_that_a_longer_way_stands_for_is_left_out() -> None:
    assert reduced(READS) == {"c": ["a"], "d": ["c"], "e": ["b", "d"]}


def test_names_are_near_to_what_they_read() -> None:
    found = ordered({"One": ["a", "b", "c"], "Two": ["x", "y", "z"]}, {"x": {"c"}, "z": {"a"}})
    assert [found["One"].index(name) for name in "ca"] == [
        found["Two"].index(name) for name in "xz"
    ]


def test_the_page_has_a_row_for_every_model() -> None:
    page = models_page()
    names = [model.name for members in rooms().values() for model in members]
    assert len(names) > 100
    assert [name for name in names if f"| `{name}" not in page] == []
    assert page == models_page()


def test_the_picture_has_the_colours_of_the_page() -> None:
    picture = models_page().partition("<svg")[2].partition("</svg>")[0]
    assert 'fill="currentColor"' in picture
    assert "#" not in picture
    assert "\n\n" not in picture, "Markdown would end the block there"


def test_one_figure_is_followed_through_files_that_exist() -> None:
    paths = [line.partition("`")[2].partition("`")[0] for line in followed().splitlines()]
    assert 2 < len(paths) <= 6
    assert [path for path in paths if not (ROOT / path).is_file()] == []


def test_a_step_that_does_not_read_the_last_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "FOLLOWED", (FOLLOWED[0], FOLLOWED[-1]))
    with pytest.raises(ContentError, match="does not read trace"):
        followed()


def test_readers_are_models_metrics_and_modules() -> None:
    readers = model_readers()
    assert "gpu_level" in readers["gpu_operation"]
    assert "time.concurrency" in readers["gpu_level"]
    assert "store/derived_tables.py" in readers["line_kind"]
