"""Files that nobody should trust: each ends in one line, and none in this process."""

from __future__ import annotations

import json
import marshal
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perfolio.common.errors import FormatError, InputError, PerfolioError
from perfolio.readers import registry
from perfolio.readers.hatchet import input_guards, reader, worker
from perfolio.readers.hatchet.marshal_check import MarshalError, check_plain
from perfolio.readers.hatchet.profile_kinds import CallTreeFormat
from perfolio.readers.hatchet.staged_files import stage_files
from perfolio.readers.hatchet.worker import HatchetReaderMissingError, run_hatchet
from tests.readers.hatchet import files

STATS: dict[Any, Any] = {
    ("a.py", 1, "main"): (1, 1, 0.5, 2.0, {}),
    ("a.py", 9, "solve"): (3, 3, 1.5, 1.5, {("a.py", 1, "main"): (3, 3, 1.5, 1.5)}),
}


def check_line(problem: PerfolioError) -> None:
    assert "\n" not in str(problem)


def check_offset(problem: MarshalError, most: int) -> None:
    assert 0 <= problem.offset <= most


def deep_json() -> str:
    one = json.dumps(files.frame("deep", 1.0))[:-1] + ', "children": ['
    whole = json.dumps(files.pyinstrument([files.frame("deepest", 1.0)]))
    head, tail = whole.rsplit("[", maxsplit=1)
    return head + "[" + one * 600 + tail[:-3] + "]}" * 600 + tail[-3:]


def test_code_in_statistics_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.pstats"
    code = compile("1", "x", "eval")
    path.write_bytes(marshal.dumps({("a.py", 1, "main"): (code, 1, 0.5, 2.0, {})}))
    with pytest.raises(FormatError, match=r"type 'c', which no profile holds"):
        registry.read(path)


def test_statistics_of_python_2_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.pstats"
    path.write_bytes(marshal.dumps({(b"a.py", 1, b"main"): (1, 1, 0.5, 2.0, {})}))
    with pytest.raises(InputError, match="Python 2"):
        registry.read(path)


@pytest.mark.parametrize("version", [2, 4])
def test_plain_data_of_marshal_pass(version: int) -> None:
    check_plain(marshal.dumps(STATS, version))


@given(st.data())
def test_what_passes_is_what_python_reads(data: st.DataObject) -> None:
    """A change of any byte is refused, or what is read is still plain data."""
    text = bytearray(marshal.dumps(STATS))
    for _ in range(data.draw(st.integers(1, 3))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    try:
        check_plain(bytes(text))
    except MarshalError as problem:
        check_offset(problem, len(text))
        return
    try:
        found = marshal.loads(bytes(text))
    except (ValueError, TypeError, EOFError):
        return
    assert not hasattr(found, "co_code")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"\xfb", "end early"),
        (b"(\xff\xff\xff\x7f", "parts in"),
        (b")\x01r\x05\x00\x00\x00", "reference"),
        (b"N" * 2, "more follows"),
        (b")\x01" * 40 + b"N", "within each other"),
        (b")\x010", "without a dictionary"),
        (b"l\x10\x00\x00\x00ab", "end early"),
    ],
)
def test_each_fault_of_marshal_has_its_words(data: bytes, problem: str) -> None:
    with pytest.raises(MarshalError, match=problem):
        check_plain(data)


def test_entities_of_xml_are_refused(tmp_path: Path) -> None:
    folder = files.write_database(tmp_path / "db")
    laughs = '<!ENTITY a "ha"><!ENTITY b "&a;&a;">\n<!ELEMENT'
    (folder / "experiment.xml").write_text(files.XML.replace("<!ELEMENT", laughs))
    with pytest.raises(FormatError, match="an entity"):
        registry.read(folder)


def test_depth_of_xml_is_bounded(tmp_path: Path) -> None:
    folder = files.write_database(tmp_path / "db")
    step = '<PF i="1" s="1" l="0" lm="2" f="2" n="2">'
    body = f"<SecCallPathProfileData>{step * 5_000}{'</PF>' * 5_000}</SecCallPathProfileData>"
    head = files.XML.split("<SecCallPathProfileData>", maxsplit=1)[0]
    end = "</SecCallPathProfile></HPCToolkitExperiment>"
    (folder / "experiment.xml").write_text(head + body + end)
    with pytest.raises(InputError, match="more than 400 calls within each other"):
        registry.read(folder)


def test_a_size_that_is_not_there_is_refused(tmp_path: Path) -> None:
    folder = files.write_database(tmp_path / "db")
    path = next(folder.glob("*.metric-db"))
    text = bytearray(path.read_bytes())
    text[24:28] = b"\x7f\xff\xff\xff"
    path.write_bytes(text)
    with pytest.raises(FormatError, match="promises 2,147,483,647 contexts"):
        registry.read(folder)


def test_a_database_without_costs_or_a_rank_says_so(tmp_path: Path) -> None:
    folder = files.write_database(tmp_path / "db", ranks=3)
    next(folder.glob("solver-000001-*")).unlink()
    with pytest.raises(InputError, match="ranks or threads are missing"):
        registry.read(folder)
    for each in folder.glob("*.metric-db"):
        each.unlink()
    with pytest.raises(InputError, match=r"no \.metric-db files"):
        registry.read(folder)


@pytest.mark.parametrize(
    ("text", "error", "problem"),
    [
        (deep_json(), InputError, "more than 400 calls"),
        ('{"timemory": {"wall_clock": {"ranks": []}}}', InputError, r"\.tree\.json"),
        ('{"timemory": {', FormatError, "no JSON"),
        ('{"data": [[1, 2', FormatError, "no JSON"),
        ('{"data": [[1]], "columns": []}', FormatError, "no json-split"),
        (files.CALI + "__rec=ctx,attr=21,loop.start_iteration=1,data=1\n", InputError, "intervals"),
        ('2 templated_functions\n# Name\n".TAU"', InputError, "told by their names"),
    ],
)
def test_each_fault_is_one_line(
    tmp_path: Path, text: str, error: type[PerfolioError], problem: str
) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(error, match=problem) as raised:
        registry.read(path)
    assert "\n" not in str(raised.value)
    assert str(path) in str(raised.value)


@pytest.mark.parametrize(
    "changed",
    [
        {"nodes": [{"label": "main", "parent": 0}, {"label": "x"}]},
        {"nodes": [{"label": "main", "parent": 1}, {"label": "x", "parent": 0}]},
        {"nodes": []},
        {"data": [[1.0, 0, 1.0]]},
        {"data": [["many", 0, "many", 0]]},
        {"data": [[1.0, 0, 1.0, 1 << 40]]},
        {"data": [[float("nan"), 0, 1.0, 0]]},
        {"data": [[-5.0, 0, -5.0, 0]]},
        {"column_metadata": []},
        {"columns": ["a", "b", "c", "d"]},
    ],
)
def test_json_of_caliper_that_is_wrong_is_refused(tmp_path: Path, changed: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        registry.read(files.write_caliper(tmp_path / "run.json", **changed))


@pytest.fixture
def real_process() -> Iterator[None]:
    """Hatchet is imported by the process that reads."""
    with patch.object(worker, "subprocess", subprocess):
        yield


@pytest.mark.slow
@pytest.mark.usefixtures("real_process")
def test_a_process_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    """A node of Caliper that is its own parent keeps its reader busy for ever."""
    path = tmp_path / "run.cali"
    path.write_text(files.CALI.replace("data=main", "data=main,parent=30"))
    with pytest.raises(InputError, match=r"processor time|MemoryError|signal|within 6 s"):
        run_hatchet(stage_files(path, CallTreeFormat.CALI), memory=2 << 30, seconds=3)


@pytest.mark.slow
@pytest.mark.usefixtures("real_process")
def test_what_hatchet_does_not_bear_ends_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "run.cali"
    path.write_text(files.CALI + "nonsense\n")
    with pytest.raises(InputError, match="Hatchet cannot read it as Caliper") as raised:
        registry.read(path)
    assert "Traceback" not in str(raised.value)


def test_a_missing_extra_is_named_with_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_name: str) -> str:
        raise PackageNotFoundError

    monkeypatch.setattr(worker, "version", missing)
    path = tmp_path / "run.cali"
    path.write_text(files.CALI)
    with pytest.raises(HatchetReaderMissingError, match=r"pip install .*llnl-hatchet>="):
        registry.read(path)


@pytest.mark.slow
def test_hatchet_is_not_imported_here(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(files.pyinstrument()))
    program = (
        "import sys; from pathlib import Path; from perfolio.readers import registry;"
        f"registry.read(Path({str(path)!r})); assert 'hatchet' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.slow
@pytest.mark.usefixtures("real_process")
def test_the_input_stays_as_it_was(tmp_path: Path) -> None:
    folder = files.write_database(tmp_path / "db")
    before = {each.name: each.read_bytes() for each in folder.iterdir()}
    registry.read(folder)
    assert {each.name: each.read_bytes() for each in folder.iterdir()} == before


@pytest.mark.parametrize(
    "form",
    [
        CallTreeFormat.CALIPER_JSON,
        CallTreeFormat.CALI,
        CallTreeFormat.PYINSTRUMENT,
        CallTreeFormat.DOT,
    ],
)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_changed_texts_pass_the_guards_or_end_in_an_error(
    tmp_path: Path, form: CallTreeFormat, data: st.DataObject
) -> None:
    """What Hatchet would then read is read in a process that may end as it likes."""
    whole = {
        CallTreeFormat.CALIPER_JSON: json.dumps(files.caliper_rows()),
        CallTreeFormat.CALI: files.CALI,
        CallTreeFormat.PYINSTRUMENT: json.dumps(files.pyinstrument()),
        CallTreeFormat.DOT: files.DOT,
    }[form]
    at = data.draw(st.integers(0, len(whole) - 1))
    count = data.draw(st.integers(0, 5))
    text = whole[:at] + data.draw(st.text(max_size=3)) + whole[at + count :]
    path = tmp_path / "file"
    path.write_text(text, "utf-8", "replace")
    try:
        held = stage_files(path, form)
        input_guards.check_input(held)
        if form is CallTreeFormat.CALIPER_JSON:
            reader._read_calls(held).checked(path)
    except InputError as problem:
        check_line(problem)


@pytest.mark.slow
@pytest.mark.fuzz
@pytest.mark.parametrize("form", ["cali", "pyinstrument", "dot", "tau", "database", "timemory"])
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_changed_files_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, form: str, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("changed")
    if form == "tau":
        path = files.write_tau(folder / "tau")
    elif form == "database":
        path = files.write_database(folder / "db")
    else:
        path = folder / "file"
        texts = {
            "cali": files.CALI,
            "pyinstrument": json.dumps(files.pyinstrument()),
            "dot": files.DOT,
            "timemory": json.dumps(files.timemory()),
        }
        path.write_text(texts[form])
    inside = sorted(path.iterdir()) if path.is_dir() else [path]
    file = data.draw(st.sampled_from(inside))
    text = bytearray(file.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    file.write_bytes(text)
    try:
        registry.read(path)
    except PerfolioError as problem:
        check_line(problem)
