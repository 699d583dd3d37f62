"""Variants of workloads: tables that say what differs from another one."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from perfolio.cli.main import main
from perfolio.common.errors import ContentError, UsageError
from perfolio.workloads import torch_check
from perfolio.workloads.catalog import find_workload, load_workloads

KNOWN = load_workloads()


@pytest.mark.parametrize("name", KNOWN)
def test_a_variant_differs_from_its_base(name: str) -> None:
    one = KNOWN[name]
    if one.base:
        base = KNOWN[one.base]
        assert (one.model, one.options) != (base.model, base.options)
        assert type(one.model) is type(base.model)
        assert one.title != base.title


def test_no_two_variants_are_the_same() -> None:
    kinds = [msgspec.json.encode((one.model, one.options)) for one in KNOWN.values()]
    assert len(set(kinds)) == len(kinds)


def test_every_title_is_another_one() -> None:
    assert len({one.title for one in KNOWN.values()}) == len(KNOWN)


def test_an_unknown_name_suggests_one() -> None:
    with pytest.raises(UsageError, match="no workload is called 'dlmr'") as problem:
        find_workload("dlmr")
    assert problem.value.hint == "did you mean dlrm?"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"x": '[a]\nfrom = "b"\n'}, "b: there is no such variant"),
        ({"x": '[a]\nfrom = "b"\n', "y": '[b]\nfrom = "a"\n'}, "made from itself"),
        (
            {"x": '[a]\ntitle = "A"\nabout = "B"\nmodel = {name = "nobody"}\n'},
            "a: Invalid value",
        ),
        (
            {
                "x": '[a]\ntitle = "A"\nabout = "B"\n'
                'model = {name = "dlrm", bottom = [1], top = [1], tables = [0]}\n'
            },
            r"`int` >= 1",
        ),
        ({"x": "title = \n"}, "x.toml: is not TOML"),
        ({"x": 'title = "A"\n'}, "x.toml: title: is no table of a variant"),
        ({"x": "[a]\n", "y": "[a]\n"}, "y.toml: a: another file has a variant of this name"),
    ],
)
def test_a_faulty_file_is_named(files: dict[str, str], said: str, tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / f"{name}.toml").write_text(text, "utf-8")
    with pytest.raises(ContentError, match=said):
        load_workloads(tmp_path)


def test_the_list_has_each_variant() -> None:
    lines = CliRunner().invoke(main, ["workload", "list"]).stdout.splitlines()
    assert [line.split()[0] for line in lines] == sorted(KNOWN)
    assert [" mistake " in line for line in lines] == [one.mistake for one in KNOWN.values()]


def test_without_pytorch_one_line_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(torch_check, "find_spec", lambda _: None)
    done = CliRunner().invoke(main, ["workload", "run", "dlrm", "-o", str(tmp_path / "out")])
    assert done.exit_code == 2
    assert done.stderr == f"perfolio: PyTorch is not installed; install it: {torch_check.INSTALL}\n"
    assert not (tmp_path / "out").exists()


def test_an_unknown_name_is_told_also_without_pytorch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch_check, "find_spec", lambda _: None)
    done = CliRunner().invoke(main, ["workload", "run", "nobody", "-o", "x"])
    assert done.exit_code == 2
    assert "no workload is called 'nobody'" in done.stderr
