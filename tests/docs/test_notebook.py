"""The example notebook runs as it stands, and its page shows it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.docs import notebook
from tests.kit.measurements import measured_once
from tests.kit.samples import PROFILES, store_at
from tests.kit.shared import ROOT

NOTEBOOK = ROOT / "docs" / "examples" / "frames.ipynb"
PAGE = ROOT / "docs" / "how-to" / "notebooks.md"


@pytest.mark.slow
def test_the_notebook_gives_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, update_snapshots: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(store_at(PROFILES / "dlrm-cpu-torch" / "trace.json.gz"), "run.duckdb")
    found = notebook.read(NOTEBOOK)
    with measured_once():
        texts = notebook.run(found)
    if update_snapshots:
        NOTEBOOK.write_text(notebook.with_outputs(found, texts), "utf-8")
    assert notebook.outputs(notebook.read(NOTEBOOK)) == texts
    assert any(texts)


def test_the_page_shows_the_notebook(update_snapshots: bool) -> None:
    text = notebook.page(notebook.read(NOTEBOOK), NOTEBOOK.name)
    if update_snapshots:
        PAGE.write_text(text, "utf-8")
    assert PAGE.read_text("utf-8") == text
