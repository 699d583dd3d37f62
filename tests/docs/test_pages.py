"""Hand-written pages: their links, lists and examples are true; the example notebook runs."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner
from msgspec import structs

from perfolio.cli.main import main as cli
from perfolio.findings.model import rule
from perfolio.findings.rules import catalog as rule_catalog
from perfolio.findings.rules.advice_passages import find_named_metrics
from perfolio.findings.rules.threshold_overrides import apply_overrides, read_overrides
from perfolio.metrics import catalog as metric_catalog
from perfolio.readers import registry, run_description
from perfolio.store.database import create_schema, open_store
from perfolio.store.user_query import run_query
from tests.docs import notebook
from tests.docs.written import DOCS, PAGES, is_there, text_of
from tests.kit.measurements import measured_once
from tests.kit.queries import rows_of
from tests.kit.samples import PROFILES, store_at

# Hand-written pages: their links, lists and examples are true.

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "docs" / "examples" / "frames.ipynb"
NOTEBOOK_PAGE = ROOT / "docs" / "how-to" / "notebooks.md"
LINK = re.compile(r"\]\((?P<target>[^)#\s]+)(?:#(?P<anchor>[^)\s]+))?\)")
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def links(path: Path) -> list[str]:
    prose = CODE.sub("", text_of(path))
    targets = (match["target"] for match in LINK.finditer(prose))
    return [one for one in targets if not one.startswith(("http", "reports/", "mailto:"))]


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_links_lead_to_files(path: Path) -> None:
    assert [one for one in links(path) if not is_there(path.parent / one, path)] == []


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_page_starts_with_its_title(path: Path) -> None:
    before = r"\A---\n.*?\n---\n+|<!--.*?-->\n+|<div[^>]*>\n+"
    first = re.sub(before, "", text_of(path), flags=re.DOTALL).splitlines()[0]
    assert re.fullmatch(r"# \S.*", first)


def test_all_decisions_are_listed() -> None:
    records = {path.name for path in (DOCS / "decisions").glob("[0-9]*.md")}
    assert records
    assert set(links(DOCS / "decisions" / "index.md")) == records


def test_glossary_is_in_order() -> None:
    text = text_of(DOCS / "glossary.md")
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        terms = re.findall(r"^\*\*(.+)\*\*\n:   ", section, flags=re.MULTILINE)
        assert len(terms) > 10
        assert terms == sorted(terms, key=str.casefold)


def test_glossary_explains_all_stall_reasons() -> None:
    text = text_of(DOCS / "glossary.md")
    codes = {"IFET", "IDEP", "GMEM", "TMEM", "SYNC", "CMEM", "PIPE", "MTHR", "NSEL", "OTHR", "SLP"}
    assert {one for one in codes if one not in text} == set()


def test_profile_toml_reference_names_every_entry_that_is_read() -> None:
    text = (DOCS / "reference" / "profile-toml.md").read_text("utf-8")
    known = [*run_description.TEXTS, run_description.FLOPS, "simulated", "[workload]"]
    assert [one for one in known if f"| `{one}` |" not in text] == []


@pytest.mark.parametrize("page", ["reference/profile-toml.md", "how-to/own-profiles.md"])
def test_examples_of_profile_toml_are_read(page: str, tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)
    (tmp_path / "profile.toml").write_text(example, "utf-8")
    read = run_description.read_description(tmp_path)
    assert read.title == "DLRM on one H100, batch 2048"
    assert read.settings["workload.batch_size"] == "2048"


@pytest.mark.parametrize(
    ("page", "keys"),
    [
        ("add-a-metric.md", set(metric_catalog.MetricHead.__struct_fields__)),
        ("add-a-rule.md", {field.encode_name for field in structs.fields(rule.RuleHead)}),
    ],
)
def test_how_to_names_every_key_of_front_matter(page: str, keys: AbstractSet[str]) -> None:
    text = (DOCS / "how-to" / page).read_text("utf-8")
    cells = " ".join(re.findall(r"^\|([^|]+)\|", text, re.MULTILINE))
    assert sorted(key for key in keys if f"`{key}`" not in cells) == []


@pytest.mark.parametrize(
    "entry",
    [
        rule.AlsoClause,
        rule.RuleGate,
        rule.ExactMetric,
        rule.RuleNeeds,
        rule.RuleWorth,
        rule.EvidenceTable,
        rule.RuleTarget,
    ],
)
def test_how_to_names_every_key_of_an_entry(entry: type[rule.ContentEntry]) -> None:
    text = (DOCS / "how-to" / "add-a-rule.md").read_text("utf-8")
    keys = [field.encode_name for field in structs.fields(entry)]
    assert [key for key in keys if f"`{key}`" not in text] == []


def test_a_rule_has_no_more_keys_than_a_contributor_can_know() -> None:
    keys = structs.fields(rule.RuleHead)
    assert len(keys) <= 22
    assert sum(key.required for key in keys) <= 7


def test_example_of_a_metric_is_one(tmp_path: Path) -> None:
    text = (DOCS / "how-to" / "add-a-metric.md").read_text("utf-8")
    (example,) = re.findall(r"```sql\n(.*?)```", text, re.DOTALL)
    (tmp_path / "gpu").mkdir()
    (tmp_path / "gpu" / "launch_rate.sql").write_text(example, "utf-8")
    metric = metric_catalog.load_catalog(tmp_path)["gpu.launch_rate"]
    with duckdb.connect() as connection:
        create_schema(connection)
        assert rows_of(connection, metric.sql) == []
        connection.execute(
            "INSERT INTO metric VALUES"
            " (1, 7, 'GKER:COUNT', 'kernel_launches', 'execution', 'sum', '$$'),"
            " (1, 8, 'GKER (sec)', 'kernel_time', 'execution', 'sum', '$$')"
        )
        connection.execute("INSERT INTO summary VALUES (1, 0, 7, 300), (1, 0, 8, 2)")
        assert rows_of(connection, metric.sql) == [(150.0,)]


def test_example_of_a_rule_is_one(tmp_path: Path) -> None:
    text = (DOCS / "how-to" / "add-a-rule.md").read_text("utf-8")
    example, advice = re.findall(r"```(?:markdown|text)\n(.*?)```", text, re.DOTALL)
    (tmp_path / "L1-short-kernels.md").write_text(example, "utf-8")
    rules = rule_catalog.load_rules(tmp_path, metric_catalog.load_catalog())
    assert rules["L1"].thresholds[0].value == 1e-5
    assert set(find_named_metrics(advice)) <= metric_catalog.load_catalog().keys()


@pytest.mark.slow
def test_example_of_a_database_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (DOCS / "how-to" / "write-a-database.md").read_text("utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "write-a-database.md", "exec"), {})
    result = CliRunner().invoke(cli, ["info", "example.d"])
    assert result.exit_code == 0, result.output
    assert re.search(r"\b2\s+CPU\s+threads\b", result.output)
    assert re.search(r"\b2\s+trace\s+points\b", result.output)


def test_readme_names_every_command_and_the_two_targets() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert [one for one in cli.commands if f"perfolio {one}" not in readme] == []
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert {"site", "test"} <= set(targets)
    assert re.findall(r"^make (\w+) ", readme, re.MULTILINE) == ["site", "test"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("profile", "name", "queries"),
    [("dlrm-cpu", "dlrm.duckdb", 1), ("dlrm-cpu-torch", "torch.duckdb", 2)],
)
def test_tutorial_prints_what_its_queries_give(profile: str, name: str, queries: int) -> None:
    text = (DOCS / "tutorial.md").read_text("utf-8")
    found = re.findall(rf'perfolio (query {name} ".*?")\n(.*?)```', text, re.DOTALL)
    assert len(found) == queries
    (database,) = registry.find(PROFILES / profile)
    store = store_at(database)
    runner = CliRunner()
    for query, printed in found:
        command = [str(store) if one == name else one for one in shlex.split(query)]
        assert runner.invoke(cli, command).output == printed


def commands(page: Path) -> list[list[str]]:
    """Commands of ours on a page, in blocks and in words, as lists of words."""
    text = re.sub(r"\\\n\s*", " ", page.read_text("utf-8"))
    lines = re.findall(r"^ *\$ (?:\.venv/bin/)?(perfolio \w.*)$", text, re.MULTILINE)
    words = re.findall(r"`(perfolio (?:build|info|ingest) [^`]*)`", text)
    told = [shlex.split(line, comments=True) for line in (*lines, *words) if line.count('"') != 1]
    return [one for one in told if not set(" ".join(one)) & set("[|>…")]


@pytest.mark.parametrize(
    "page", ["index.md", "tutorial.md", "how-to/own-profiles.md", "../README.md"]
)
def test_commands_are_ours(page: str) -> None:
    found = commands(DOCS / page)
    assert found
    for _, name, *arguments in found:
        command = cli.commands[name]
        command.make_context(name, arguments, **cli.context_settings)


def test_programs_of_own_profiles_compile() -> None:
    text = (DOCS / "how-to" / "own-profiles.md").read_text("utf-8")
    found = re.findall(r"^( *)```python\n(.*?)```", text, re.DOTALL | re.MULTILINE)
    assert len(found) == 2
    for indent, program in found:
        plain = re.sub(rf"^{indent}", "", program, flags=re.MULTILINE)
        compile(plain, "own-profiles.md", "exec")


def test_documents_have_versions_that_their_schemas_name() -> None:
    paths = sorted((ROOT / "generator" / "perfolio").rglob("*.schema.json"))
    assert sorted(path.name for path in paths) == [
        f"{name}.schema.json"
        for name in (
            "answers-1",
            "baseline-1",
            "catalogue-1",
            "comparison-1",
            "findings-3",
            "key-1",
            "metrics-2",
            "promises-1",
            "run-record-1",
        )
    ]
    for path in paths:
        kind, _, version = path.name.removesuffix(".schema.json").rpartition("-")
        schema = json.loads(path.read_text("utf-8"))
        assert schema["properties"]["schema"]["const"] == f"perfolio-{kind}/{version}"


def test_example_of_thresholds_is_read(tmp_path: Path) -> None:
    text = (DOCS / "how-to" / "thresholds.md").read_text("utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    path = tmp_path / "perfolio.toml"
    path.write_text(example, "utf-8")
    rules = apply_overrides(rule_catalog.load_rules(), read_overrides(path))
    assert [threshold.value for threshold in rules["X2"].thresholds] == [2.0, 8.0]
    assert [threshold.value for threshold in rules["G1"].thresholds] == [0.15, 0.7]


# Each query that the documentation shows can be asked.

SHOWN = re.compile(r'perfolio query \S+( --run \S+)? \\?"([^"]+)"')


@cache
def _shown_queries() -> list[tuple[str, bool]]:
    """Queries, and whether each is of one run; pages are generated only where tests run."""
    found = (each for page in PAGES for each in SHOWN.findall(text_of(page)))
    return sorted({(sql.rstrip("\\"), bool(run)) for run, sql in found if sql != "SQL"})


@pytest.fixture(scope="module")
def store() -> Path:
    (database,) = registry.find(PROFILES / "dlrm-cpu")
    return store_at(database)


def test_there_are_queries_of_all_runs_and_of_one() -> None:
    assert {run for _, run in _shown_queries()} == {True, False}
    assert len(_shown_queries()) > 5


def test_each_query_of_the_documentation_is_answered(store: Path) -> None:
    with open_store(store) as connection:
        for sql, of_one_run in _shown_queries():
            run = "dlrm-cpu" if of_one_run else None
            assert "─" in "".join(run_query(connection, sql, "table", run=run)), sql


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
        NOTEBOOK_PAGE.write_text(text, "utf-8")
    assert NOTEBOOK_PAGE.read_text("utf-8") == text
