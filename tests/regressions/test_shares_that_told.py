"""A report that was built to be shared told private words, and its own proof did not object.

Hiding knew POSIX paths behind a blank alone: paths of Windows and of network shares, homes behind
a word (`triton_/home/alice/k.py`), `file://` and `user@host` stayed. The proof searched for what
hiding had found, and so found nothing. And names were cut at 60 characters before anything was
hidden: of a folder at the end a piece stayed, which looked like a file.

Then hosts were public with all below them (`amd.com`, `github.io`), for hiding and for the proof
alike: `jdoe@node3.amd.com:/scratch/x` stayed, path and all. Settings in a command line, lists of
hosts, hosts of a local network and escapes stayed, too. And a user called like a word of our pages
had the whole site refused.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.errors import SiteError, UsageError
from perfolio.exporters.export_files import export
from perfolio.findings.document_format import shorten_document
from perfolio.pipeline.build_context import Context
from perfolio.pipeline.inputs import read_documents
from perfolio.pipeline.report_files import report_files
from perfolio.pipeline.run_documents import ingest_paths, read_document_file
from perfolio.pipeline.run_redaction import ShareRequest
from perfolio.redaction.leak_check import prove_contents
from perfolio.redaction.pseudonyms import Secrets
from tests.kit.samples import sample_documents

PLANTED = (
    r"C:\Users\zqwindows\zqproj\k.cu",
    r"\\zqserver\zqshare\k.cu",
    "triton_/home/zqglued/zqcache/k.py",
    "k file:///scratch/zqurl/k.cu",
    "k zquser@zqhost:/data/zqplace/k.cu",
    "k zqnode17.zqsite.example.org",
    "k /home/zqplain/zq blank/k.cu",
)

HOSTS = (
    "mail zquser@amd.com",
    "zqnode7.amd.com",
    "ssh://zqssh@dgx.internal.nvidia.com/raid/zqraid",
    "zqlogin@node3.amd.com:/scratch/zqscratch",
    "https://zqpages.github.io/zqpage",
    "git@github.com:zqorg/zqprivate.git",
    "https://github.com/zqcorp/zqrepository",
    "USER=zqsetting HOSTNAME=zqmachine torchrun zqsetting",
    "zqlist[01-04].cluster.example.org",
    "zqscp7:/scratch/zqplace",
    "Zqs-MacBook.local",
    "C:%5CUsers%5Czqpercent",
    "zqcoded%40zqcodedhost",
    "&#47;home&#47;zqentity",
    r"\x2fhome\x2fzqescape",
    "/home/zqbr<wbr>zqeak/x",
)


def trace(path: Path, names: list[str]) -> Path:
    """A trace of PyTorch in which ranges, operators, calls and kernels have these names."""
    events: list[dict[str, Any]] = []
    for number, name in enumerate(names):
        at, call = 10 + 100 * number, 2 * number + 1
        host, gpu = {"ph": "X", "pid": 1, "tid": 1}, {"ph": "X", "pid": 0, "tid": 7}
        ran = {"device": 0, "stream": 7, "correlation": call, "grid": [1] * 3, "block": [32, 1, 1]}
        events += [
            {**host, "cat": "user_annotation", "name": f"load {name}", "ts": at, "dur": 90},
            {**host, "cat": "cpu_op", "name": f"op {name}", "ts": at + 1, "dur": 80},
            {**host, "cat": "cuda_runtime", "name": f"cuda {name}", "ts": at + 2, "dur": 5,
             "args": {"correlation": call}},
            {**gpu, "cat": "kernel", "name": name, "ts": at + 10, "dur": 30, "args": ran},
        ]  # fmt: skip
    path.write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}))
    return path


def told_of(path: Path) -> str:
    """All that a report of it for others says, names of its timeline and call trees included."""
    context = Context(share=ShareRequest(), draws_timeline=True)
    (one,) = read_documents(path, context=context)
    assert "op " in one.live["timeline/r.js"]
    return "".join([json.dumps(one.findings, ensure_ascii=False), *one.live.values()])


@pytest.mark.slow
def test_no_form_of_a_private_name_is_left_also_not_of_one_that_is_cut(tmp_path: Path) -> None:
    cut = [f"{'p' * (20 + n)} /home/zquserzq/zqfolderzq/file.py" for n in range(39)]
    told = told_of(trace(tmp_path / "t.json", [*PLANTED, *cut]))

    assert set(re.findall("zq[a-z]+", told)) == set()
    assert "triton_…" in told
    assert "/file.py" in told


@pytest.mark.slow
def test_no_form_of_a_host_is_left_and_words_of_ours_are_no_reason_to_refuse(
    tmp_path: Path,
) -> None:
    ours = ["train@step10", "/home/train/x.py(3): f", "/encoder/layer0/MatMul", "CUDA 12.4.131.10"]
    context = Context(share=ShareRequest(), draws_timeline=True)
    (one,) = read_documents(trace(tmp_path / "t.json", [*HOSTS, *ours]), context=context)
    assert "charts/cpu_icicle.js" in one.live
    told = "".join([json.dumps(one.findings, ensure_ascii=False), *one.live.values()])

    assert set(re.findall("(?i)zq[a-z]+", told)) == set()
    assert "/encoder/layer0/MatMul" in told
    assert "CUDA 12.4.131.10" in told
    context.prove(report_files(one, context).items())
    context.prove([("search.js", "how to train, at step10")])


@pytest.mark.slow
def test_a_document_whose_names_are_cut_already_is_not_shared(tmp_path: Path) -> None:
    place = tmp_path / "findings.json"
    place.write_text(json.dumps(shorten_document(sample_documents("low-occupancy").findings)))
    with pytest.raises(UsageError, match="was not built with --share"):
        read_document_file(place, Context(share=ShareRequest()))


@pytest.mark.parametrize("name", [*PLANTED, *HOSTS[:-1]])
def test_the_proof_finds_what_hiding_does_not_know(name: str) -> None:
    with pytest.raises(SiteError, match=r"page\.html: .* looks like an? .*--allow TEXT"):
        prove_contents([("page.html", f"<td>{name}</td>".encode())], [])


@pytest.mark.slow
@pytest.mark.parametrize("form", ["hatchet", "speedscope", "perfetto", "csv"])
def test_a_run_in_which_nothing_is_private_is_shared_as_it_is(
    tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its store was open when the export opened it again, which DuckDB answers with an error."""
    monkeypatch.chdir(tmp_path)  # the path of a profile is private
    store = Path("s.duckdb")
    ingest_paths([trace(Path("t.json"), ["aten::mm", "sgemm"])], store)
    place = export(store, None, form, Path("out"), Context(share=ShareRequest()))

    assert place.exists()


def test_packed_numbers_of_a_timeline_are_no_names() -> None:
    packed, secrets = "AAAA/bob+CCCC==", [Secrets(words=("bob",))]
    file = f'perfolio.timeline.take("r0","{packed}",16);\n'
    block = f'<script type="application/octet-stream" id="pf-tile-r0">{packed}</script>'
    prove_contents([("r0.js", file.encode()), ("report.html", block.encode())], secrets)
    for text in (file.replace('"r0"', '"bob"'), f"{block} bob", packed):
        with pytest.raises(SiteError, match="still names bob"):
            prove_contents([("r0.js", text.encode())], secrets)
