"""What the catalog of metrics accepts and refuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from perfolio.common.errors import ContentError
from perfolio.metrics.catalog import HERE, load_catalog, load_files
from perfolio.metrics.requirements import find_unmet_need, load_vocabulary
from perfolio.metrics.run_inventory import MISSING, FixedInventory, load_signs
from perfolio.readers.tool_catalog import CAPABILITIES, list_tools
from perfolio.store.model_catalog import load_models

GOOD = """/*---
title: Launches
unit: count
better: lower
definition: How often kernels start.
population: all contexts
needs: [GKER:COUNT]
source: made for a test
---*/
SELECT 1 AS value FROM run
"""


def _write(folder: Path, text: str, name: str = "gpu/launches.sql") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return path


def test_a_complete_file_is_a_metric(tmp_path: Path) -> None:
    _write(tmp_path, GOOD)
    (metric,) = load_catalog(tmp_path).values()
    assert metric.name == "gpu.launches"
    assert metric.unit == "count"
    assert metric.needs == ("GKER:COUNT",)
    assert metric.shape == "scalar"
    assert metric.sql.startswith("SELECT 1")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("title: Launches\n", "", "title: is missing"),
        ("title: Launches", "title: ''", "title: must be words"),
        ("unit: count\n", "", "unknown unit ''"),
        ("unit: count", "unit: furlong", "unknown unit 'furlong'"),
        ("better: lower", "better: red", "better: 'red' is none of higher, lower, neither"),
        ("definition: How often kernels start.\n", "", "definition: is missing"),
        ("population: all contexts\n", "", "population: is missing"),
        ("source: made for a test\n", "", "source: is missing"),
        ("needs: [GKER:COUNT]\n", "", "needs: is missing"),
        ("needs: [GKER:COUNT]", "needs: GKER:COUNT", "needs: must be a list, not text"),
        ("needs: [GKER:COUNT]", "needs: [GKRE:COUNT]", "unknown need GKRE:COUNT"),
        ("better: lower", "better: lower\ncolor: red", "color: is no known key"),
        ("better: lower", "better: lower\ncolumns: []", "columns: must be a list of length >= 1"),
        ("better: lower", "better: lower\ncolumns: [{name: a}]", "columns[0].title: is missing"),
        ("FROM run", "WHERE 1 = $run", "has no parameters"),
        ("/*---", "--", "front matter"),
        ("title: Launches", "title: [", "while parsing"),
    ],
)
def test_a_gap_is_refused_naming_the_file(tmp_path: Path, old: str, new: str, problem: str) -> None:
    assert old in GOOD
    path = _write(tmp_path, GOOD.replace(old, new))
    with pytest.raises(ContentError) as refusal:
        load_catalog(tmp_path)
    assert str(path) in str(refusal.value)
    assert problem in str(refusal.value)


@pytest.mark.parametrize("name", ["launches.sql", "GPU/launches.sql", "a/b/c.sql"])
def test_a_path_that_is_no_name_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "x").mkdir()
    _write(tmp_path / "x", GOOD, name) if "/" in name else (tmp_path / "x" / name).write_text(GOOD)
    with pytest.raises(ContentError, match=r"group\.name"):
        load_catalog(tmp_path / "x")


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    column = "{name: a, title: A, unit: text}"
    _write(tmp_path, GOOD.replace("unit: count", f"columns: [{column}, {column}]"))
    with pytest.raises(ContentError, match="same name"):
        load_catalog(tmp_path)


@pytest.mark.parametrize("metric", load_catalog().values(), ids=lambda metric: str(metric.name))
def test_what_is_published_reads_well(metric: object) -> None:
    text = {name: getattr(metric, name) for name in ("title", "definition", "source")}
    assert not text["title"].endswith(".")
    assert text["definition"].endswith(".")
    assert len(text["definition"]) > 25
    assert text["definition"] != text["title"]


def test_seeds_say_that_no_finding_uses_them() -> None:
    seeds = [metric for metric in load_catalog().values() if metric.name.startswith("seed.")]
    assert {"never used in a finding" in metric.source for metric in seeds} == {True}


def test_every_need_that_is_described_is_used() -> None:
    vocabulary = load_vocabulary()
    needs = {need for metric in load_catalog().values() for need in metric.needs}
    needs |= {need for entry in vocabulary.entries for need in entry.requires}
    used = [vocabulary.entry(need) for need in needs]
    unused = [entry.names for entry in vocabulary.entries if entry not in used]
    assert unused == []


@pytest.mark.parametrize("folder", sorted(set(list_tools().values())), ids=lambda path: path.name)
@pytest.mark.parametrize("vendor", ["NVIDIA", "AMD", "Intel", "unknown"])
def test_every_lack_gives_a_reason_and_a_command(vendor: str, folder: Path) -> None:
    vocabulary = load_vocabulary(folder / CAPABILITIES)
    for held in (
        FixedInventory(frozenset(), vendor),
        FixedInventory(frozenset({"values"}), vendor),
    ):
        for metric in load_catalog().values():
            for need in set(metric.needs) - held.met:
                gap = find_unmet_need(need, held, vocabulary)
                assert gap
                assert gap.reason
                assert gap.collect
                assert "{" not in gap.reason


def test_signs_of_missing_kernels_are_those_that_its_model_gives() -> None:
    found = re.findall(r"^SELECT '(\w+)'", load_models()["missing_kernels"].sql, re.MULTILINE)
    assert set(found) == MISSING
    hidden = {
        one.by
        for path in set(list_tools().values())
        for one in load_vocabulary(path / CAPABILITIES).hidden
    }
    assert hidden > MISSING


def test_each_need_that_is_told_by_rows_is_asked_for() -> None:
    vocabularies = [load_vocabulary(folder / CAPABILITIES) for folder in set(list_tools().values())]
    needs = {need for metric in load_catalog().values() for need in metric.needs}
    needs |= {need for one in vocabularies for entry in one.entries for need in entry.requires}
    needs |= {hidden.by for one in vocabularies for hidden in one.hidden}
    assert load_signs().keys() - needs == set()


def test_a_faulty_list_of_signs_names_its_file(tmp_path: Path) -> None:
    for text in ("values", "values = 'FROM value'"):
        path = tmp_path / f"{len(text)}.toml"
        path.write_text(text)
        with pytest.raises(ContentError, match=path.name):
            load_signs(path)


def test_a_faulty_vocabulary_names_its_file(tmp_path: Path) -> None:
    for text in ("need = 1", "[[need]]\nwhat = 'x'", "[[need]]\nnames = []\nwhat = 'x'\nif = 1"):
        path = tmp_path / f"{len(text)}.toml"
        path.write_text(text)
        with pytest.raises(ContentError, match=path.name):
            load_vocabulary(path)


def test_the_catalog_is_read_from_the_package() -> None:
    assert set(load_files().values()) == set(HERE.rglob("*.sql"))


def test_no_two_metrics_have_one_title() -> None:
    titles = [metric.title.lower() for metric in load_catalog().values()]
    assert sorted(titles) == sorted(set(titles))


SEVERAL = """/*---
defaults:
  unit: count
  better: lower
  population: all contexts
  needs: [GKER:COUNT]
  source: made for a test
  caveat: not exact
---*/

/*---
name: launches
title: Launches
definition: How often kernels start.
---*/
SELECT 1 AS value FROM run

/*---
name: launch_rate
title: Launches in each second
unit: Hz
definition: How often kernels start in a second.
caveat: null
---*/
SELECT 2 AS value FROM run
"""


def test_a_file_holds_several_metrics_that_share_defaults(tmp_path: Path) -> None:
    path = _write(tmp_path, SEVERAL, "gpu/scalars.sql")
    rate, launches = load_catalog(tmp_path).values()
    assert (launches.name, launches.unit, launches.caveat) == ("gpu.launches", "count", "not exact")
    assert (rate.name, rate.unit, rate.caveat) == ("gpu.launch_rate", "Hz", "")
    assert rate.needs == launches.needs == ("GKER:COUNT",)
    assert (launches.sql, rate.sql) == ("SELECT 1 AS value FROM run", "SELECT 2 AS value FROM run")
    assert load_files(tmp_path) == {"gpu.launches": path, "gpu.launch_rate": path}


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("name: launch_rate\n", "", r"scalars\.sql: name: is missing"),
        ("name: launch_rate", "name: launches", r"gpu\.launches is in .*scalars\.sql as well"),
        ("name: launch_rate", "name: Launch", r"scalars\.sql, Launch: .*group\.name"),
        ("unit: Hz", "unit: furlong", r"scalars\.sql, launch_rate: unknown unit 'furlong'"),
        ("SELECT 2 AS value FROM run\n", "", r"scalars\.sql, launch_rate: has no query"),
        ("  unit: count\n", "  color: red\n", r"scalars\.sql, launches: color: is no known key"),
    ],
)
def test_a_gap_in_one_of_several_names_it(tmp_path: Path, old: str, new: str, problem: str) -> None:
    assert old in SEVERAL
    _write(tmp_path, SEVERAL.replace(old, new), "gpu/scalars.sql")
    with pytest.raises(ContentError, match=problem):
        load_catalog(tmp_path)
