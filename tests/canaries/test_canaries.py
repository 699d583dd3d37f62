"""No word that is planted in an input leaves with what is made of it for others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from perfolio.pipeline.build_context import Context
from perfolio.pipeline.inputs import read_documents
from perfolio.pipeline.report_files import report_files
from perfolio.pipeline.run_redaction import ShareRequest
from perfolio.site.file_sync import as_bytes
from tests.canaries.inputs import described, kineto
from tests.canaries.outputs import told_by
from tests.canaries.plant import Canaries
from tests.kit.measurements import documents_once


@pytest.mark.slow
def test_a_report_of_a_trace_tells_none_and_many_without_share(tmp_path: Path) -> None:
    canaries = Canaries(3)
    folder = tmp_path / canaries.word("folder") / "run"
    folder.mkdir(parents=True)
    profile = kineto(folder, canaries)
    described(folder, canaries)

    context = Context(share=ShareRequest(), draws_timeline=True)
    (shared,) = read_documents(profile, context=context)
    files = report_files(shared, context)
    assert "timeline/r.js" in files, "it names each interval"
    assert told_by(((name, as_bytes(data)) for name, data in files.items()), canaries) == {}

    (own,) = documents_once("as it is", lambda: profile, folder)
    told = told_by([("findings.json", json.dumps(own.findings).encode())], canaries)
    assert len(canaries.words) > 300
    assert len(told) > 50, "the words are where a report may tell them"
