"""What holds for the code as a whole: sizes, words, locks, nothing from a network."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "generator" / "perfolio"
MODULES = sorted((ROOT / "generator").rglob("*.py"))
HOOK = ROOT / "generator" / "build_hook.py"
INJECTED = PACKAGE / "workloads" / "recorder" / "inject"
"""What other programs import: a folder on their path, and no package."""
MODULE_LINES = 400
FUNCTION_LINES = 50
THEME_FILES = sorted(
    path
    for path in PACKAGE.rglob("*")
    if path.suffix in {".css", ".js", ".html", ".svg", ".j2"} and "__pycache__" not in path.parts
)
NAMESPACES = ("http://www.w3.org/",)
"""Identifiers, never fetched."""
FETCHED = re.compile(
    r"""(?:src|href)\s*=\s*["'](?:https?:)?//|url\(\s*["']?(?:https?:)?//|@import"""
    r"""|fetch\(\s*["'`]https?:|importScripts\(\s*["'`]https?:"""
)


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_module_says_what_it_is_for_and_stays_short(path: Path) -> None:
    text = path.read_text("utf-8")
    assert ast.get_docstring(ast.parse(text)), "no docstring"
    assert len(text.splitlines()) <= MODULE_LINES


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_functions_stay_short(path: Path) -> None:
    lengths = {one.name: (one.end_lineno or 0) - one.lineno + 1 for one in functions(path)}
    assert {one: n for one, n in lengths.items() if n > FUNCTION_LINES} == {}


def test_every_folder_of_code_is_a_package_with_a_map() -> None:
    folders = {path.parent for path in MODULES} - {INJECTED, HOOK.parent}
    assert [name(one) for one in folders if not (one / "__init__.py").is_file()] == []


@pytest.mark.parametrize("path", THEME_FILES, ids=name)
def test_theme_and_templates_load_nothing_from_a_network(path: Path) -> None:
    text = path.read_text("utf-8")
    for namespace in NAMESPACES:
        text = text.replace(namespace, "")
    assert FETCHED.findall(text) == []


def test_no_broad_handlers() -> None:
    broad = {"Exception", "BaseException", None}
    found = [
        f"{name(path)}:{node.lineno}"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ExceptHandler)
        and (node.type.id if isinstance(node.type, ast.Name) else node.type) in broad
    ]
    assert found == []


WRITING = {"write_text", "write_bytes", "touch", "mkstemp", "mkdtemp", "copytree", "write_table"}
"""Calls that write a file, besides `open` and `Path.replace`."""
WRITERS = {
    "common/atomic_output.py": "outputs: beside their place, and renamed",
    "common/atomic_folders.py": "what `atomic_output` made",
    "common/special_files.py": "pipes and devices",
    "common/partial_files.py": "files beside their place, and renamed",
    "site/file_sync.py": "what `atomic_output` made",
    "common/cache.py": "the cache, each beside its place",
    "common/remote_folders.py": "a temporary folder of ours",
    "fleet/lake.py": "its staging folder, and renamed",
    "fleet/lake_compaction.py": "what `lake` staged",
    "fleet/remote_lake.py": "a temporary folder of ours",
    "fleet/lake_tables.py": "what `lake` staged",
    "exporters/export_files.py": "what `atomic_output` made",
    "site/build.py": "a temporary folder",
    "site/site_marker.py": "what `atomic_output` made",
    "site/uploads/offered_files.py": "a temporary folder",
    "store/database.py": "a new store, which is renamed",
    "store/ingest.py": "a new store, which is renamed",
    "pipeline/prepared_cache.py": "what `atomic_output` made",
    "pipeline/redacted_site.py": "a temporary folder",
    "pipeline/reports.py": "a temporary folder",
    "readers/hatchet/worker_process.py": "a temporary folder",
    "readers/tool_exports.py": "a temporary folder",
    "readers/hatchet/staged_files.py": "a temporary folder",
    "pipeline/verification/site_verification.py": "a temporary folder",
    "workloads/recorder/inject/sitecustomize.py": "what `atomic_output` made",
    "workloads/recorder/passes.py": "what `atomic_output` made",
    "workloads/workload_run.py": "what `atomic_output` made",
    "writers/events/kineto_json.py": "what `atomic_output` made",
    "writers/hpctoolkit/database_files.py": "what `atomic_output` made",
    "writers/hpctoolkit/format_output.py": "what `atomic_output` made",
}
"""Modules that write files, and where. What a user names is written through
`perfolio.common.atomic_output`."""


def _writes(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute | ast.Name):
        return False
    called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
    if called in {"open", "fdopen"}:
        return any(
            isinstance(each, ast.Constant) and re.fullmatch("[wax]b?[+]?", str(each.value))
            for each in (*node.args, *(key.value for key in node.keywords))
        )
    is_method = isinstance(node.func, ast.Attribute)  # of a path: that of a text takes two
    is_move = called == "replace" and is_method and len(node.args) == 1 and not node.keywords
    return called in WRITING or is_move


def test_outputs_are_written_in_one_place() -> None:
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in MODULES
        if path.is_relative_to(PACKAGE)
        and any(map(_writes, ast.walk(ast.parse(path.read_text("utf-8")))))
    }
    assert found == set(WRITERS)


def requirements(lock: str) -> list[tuple[str, int]]:
    """The pins of a lock, each with the number of its hashes."""
    text = (ROOT / lock).read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    return [(line.split()[0], line.count("--hash=sha256:")) for line in lines]


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_lock_pins_every_package_by_hash_and_names_no_host(lock: str) -> None:
    pinned = requirements(lock)
    assert len(pinned) > 10
    assert [pin for pin, hashes in pinned if "==" not in pin or hashes == 0] == []
    text = (ROOT / lock).read_text("utf-8")
    assert re.findall(r"https?://|file:|--(?:extra-)?index|--find-links", text) == []


def test_tools_are_locked_over_what_runs() -> None:
    runs, tools = requirements("requirements.lock"), requirements("requirements-dev.lock")
    assert {pin for pin, _ in runs} < {pin for pin, _ in tools}


def test_sample_is_small_enough_for_the_history() -> None:
    sizes = {name(path): path.stat().st_size for path in (ROOT / "profiles").rglob("*.db")}
    assert sizes
    assert [one for one, size in sizes.items() if size >= 1_000_000] == []


def keys_given_twice(node: yaml.Node | None) -> Iterator[str]:
    """Of a mapping the last of two entries is read, and the other one lost without a word."""
    if isinstance(node, yaml.MappingNode):
        keys = [key.value for key, _ in node.value]
        yield from {key for key in keys if keys.count(key) > 1}
    for child in node.value if isinstance(node, yaml.CollectionNode) else ():
        for each in child if isinstance(child, tuple) else (child,):
            yield from keys_given_twice(each)


def test_no_case_is_named_twice_in_a_file() -> None:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    assert list(keys_given_twice(yaml.compose("{a: 1, b: [{c: 1, c: 2}]}", loader))) == ["c"]
    for path in sorted((ROOT / "tests").rglob("*.yaml")):
        assert list(keys_given_twice(yaml.compose(path.read_text("utf-8"), loader))) == [], path
