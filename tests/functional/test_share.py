"""`perfolio build --share`: what others may read, as a site and as one file; and its refusals."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from perfolio.cli.main import main
from perfolio.exporters.notebook_run import NotebookRun
from perfolio.findings.document_format import restore_document, shorten_document
from perfolio.pipeline import reports
from perfolio.pipeline.build_context import Context
from perfolio.pipeline.inputs import read_documents
from perfolio.pipeline.run_redaction import ShareRequest, open_shared_run
from perfolio.redaction.leak_check import prove
from perfolio.redaction.pseudonyms import Secrets
from perfolio.store.database import open_store
from tests.kit.databases import Shape, write_database
from tests.kit.shared import ROOT
from tests.readers.nsys_files import report, write_sqlite

SECRETS = ("zqalice", "zqsecret", "zqnode17")


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)])


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    names = ("main", "/home/zqalice/zqsecret/train.py work", "wait_zqalice")
    shape = Shape(names=names, description="on zqnode17")
    return write_database(tmp_path / "home" / "zqalice" / "zqsecret" / "run.d", shape)


@pytest.mark.slow
def test_no_file_of_the_site_tells(profile: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    done = run("build", profile, "-o", site, "--share", "--hide", "zqnode17")

    assert done.exit_code == 0, done.output
    assert "note" not in done.stderr
    told = b"".join(path.read_bytes() for path in site.rglob("*") if path.is_file())
    assert not [each for each in SECRETS if each.encode() in told]
    assert "…/train.py work".encode() in told
    assert json.loads((site / "run" / "findings.json").read_text())["metrics"]["run"]["shared"]

    refused = run("verify", site, "--profiles", profile)
    assert refused.exit_code == 3
    assert "was built with --share" in refused.stderr


@pytest.mark.slow
def test_neither_does_the_one_file(profile: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    done = run("build", profile, "--single-file", target, "--share", "--hide", "zqnode17")

    assert done.exit_code == 0, done.output
    assert not [each for each in SECRETS if each in target.read_text("utf-8")]
    assert "…/train.py work" in target.read_text("utf-8")


@pytest.mark.slow
def test_a_site_that_still_tells_does_not_appear(
    profile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    told = [Secrets(words=("wait_user",))]
    monkeypatch.setattr("perfolio.pipeline.reports.prove", lambda files, _: prove(files, told))
    done = run("build", profile, "-o", site, "--share")

    assert done.exit_code == 10
    assert "still names wait_user, which --share hides" in done.stderr
    assert not site.exists()


@pytest.mark.slow
def test_a_project_is_shared_beside_its_own_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = Path(reports.__file__).parents[1]
    here, fresh = package / "site", package / "pipeline" / "refresh_hook.py"
    root = tmp_path / "project"
    shape = Shape(names=("main", "/home/zqalice/zqsecret/train.py work", "wait_zqalice"))
    write_database(root / "profiles" / "run", shape)
    (root / "docs").mkdir()
    (root / "docs" / "index.md").write_text("# By zqalice\n\n[Reports](reports/index.md)\n")
    (root / "mkdocs.yml").write_text(
        f"INHERIT: {here}/base.yml\nsite_name: Mine\nextra: {{perfolio_refresh: true}}\n"
        f"theme: {{custom_dir: {here}/theme}}\nhooks: [{fresh}, {here}/hooks.py]\n"
        "nav: [{Start: index.md}, {Reports: reports/index.md}]\n"
    )
    monkeypatch.chdir(root)
    done = run("build", "--share", "-o", "public")

    assert done.exit_code == 0, done.output
    told = b"".join(p.read_bytes() for p in (root / "public" / "reports").rglob("*") if p.is_file())
    assert not [each for each in SECRETS if each.encode() in told]
    assert "zqalice" in (root / "public" / "index.html").read_text()
    kept = (root / "docs" / "reports" / "run" / "findings.json").read_text()
    assert "/home/zqalice/zqsecret/train.py" in kept


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--hide", "x"), "--hide goes with --share"),
        (("--share", "--hide", " "), "needs a word"),
        (("--allow", "x"), "--allow goes with --share"),
        (("--share", "--store", "kept.duckdb"), "--store goes without --share"),
    ],
)
def test_words_without_use_are_refused(
    profile: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    said: str,
) -> None:
    before = sorted(tmp_path.iterdir())
    monkeypatch.chdir(tmp_path)
    done = run("build", profile, *options)

    assert sorted(tmp_path.iterdir()) == before
    assert done.exit_code == 2
    assert said in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        "baseline add",
        "brief",
        "build",
        "compare",
        "report",
        "check",
        "export",
        "handout",
        "promises add",
        "worksheet build",
        "worksheet export",
    ],
)
def test_whatever_writes_for_readers_shares(words: str) -> None:
    command: click.Command = main
    for word in words.split():
        assert isinstance(command, click.Group)
        command = command.commands[word]
    assert {"--share", "--hide", "--allow"} <= {one for p in command.params for one in p.opts}


@pytest.mark.slow
def test_exports_and_checks_of_a_store_tell_nothing(profile: Path, tmp_path: Path) -> None:
    store = tmp_path / "run.duckdb"
    assert run("ingest", profile, "--store", store).exit_code == 0
    out = tmp_path / "out"
    for form in ("hatchet", "speedscope", "perfetto", "csv"):
        done = run("export", store, out / form, "--to", form, "--share", "--hide", "zqnode17")
        assert done.exit_code == 0, done.output
    check = ("check", store, "--share", "--hide", "zqnode17", "--fail-on", "never")
    assert run(*check, "--format", "json", "-o", out / "check").exit_code == 0
    brief = ("brief", store, "--share", "--hide", "zqnode17")
    assert run(*brief, "-o", out / "report.md").exit_code == 0
    assert run(*brief).stdout == (out / "report.md").read_text("utf-8")
    shown = NotebookRun(store, share=True, hide=["zqnode17"])
    (out / "cell.html").write_text(shown._repr_html_() + shown.metrics.to_csv(), "utf-8")

    told = b"".join(path.read_bytes() for path in out.rglob("*") if path.is_file())
    assert "…/train.py work".encode() in told
    assert not [each for each in SECRETS if each.encode() in told]
    own = run("export", store, tmp_path / "own", "--to", "hatchet")
    assert own.exit_code == 0
    assert b"zqalice" in (tmp_path / "own").read_bytes()


@pytest.mark.slow
def test_a_shared_report_is_not_named_by_a_folder(tmp_path: Path) -> None:
    """A trace.json is else called by its folder, which may be a person or a project."""
    trace = tmp_path / "zqalice.smith" / "trace.json.gz"
    trace.parent.mkdir()
    trace.write_bytes((ROOT / "profiles" / "dlrm-cpu-torch" / "trace.json.gz").read_bytes())
    for name, options, slug in (("own", (), "zqalice-smith"), ("public", ("--share",), "trace")):
        done = run("build", trace, "-o", tmp_path / name, *options)
        assert done.exit_code == 0, done.output
        assert (tmp_path / name / slug / "index.html").is_file()
    told = b"".join(p.read_bytes() for p in (tmp_path / "public").rglob("*") if p.is_file())
    assert b"zqalice" not in told


@pytest.mark.slow
def test_a_command_line_is_no_others(tmp_path: Path) -> None:
    """Its shape tells, too: under --share PROGRAM stays, and no store that is given away has it."""
    meta = [("PROCESS_0:COMMAND", "./zqsolver"), ("PROCESS_0:ARGUMENT_0", "77001")]
    rows = [{"name": name, "value": value} for name, value in meta]
    profile = write_sqlite(tmp_path / "run.sqlite", report(META_DATA_CAPTURE=rows))
    store, told = tmp_path / "run.duckdb", tmp_path / "told.json"
    assert run("ingest", profile, "--store", store).exit_code == 0
    (own,) = read_documents(store)
    assert "./zqsolver 77001" in json.dumps(own.findings["not_measured"])
    (shared,) = read_documents(store, context=Context(share=ShareRequest()))
    for one in (own, shared):
        assert restore_document(shorten_document(one.findings)) == one.findings
    told.write_text(json.dumps(shared.findings), "utf-8")
    assert "-o run PROGRAM" in told.read_text("utf-8")
    assert "77001" not in told.read_text("utf-8")
    assert "zqsolver" not in told.read_text("utf-8")
    with open_shared_run(store, None, ShareRequest()) as (place, _, _), open_store(place) as copy:
        assert copy.execute("SELECT key FROM setting WHERE key = 'run.command'").fetchall() == []
