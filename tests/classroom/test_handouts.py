"""Handouts: what is public and what is not, pages and PDF, fields that are read back."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from perfolio.classroom.grading import grade_files
from perfolio.classroom.handouts import make_run_sheets, write_handouts
from perfolio.common.errors import InputError, OutputError, UsageError
from perfolio.exercises.items import load_item_type
from perfolio.exercises.key_documents import make_key_document, read_key
from perfolio.exercises.submissions import read_fields
from perfolio.pages.handout_pages import (
    HandoutOptions,
    HandoutStyle,
    RunSheet,
    make_handout_files,
    read_handout_css,
    render_handout,
)
from perfolio.pages.pdf_printing import MissingPdfError, check_printable, to_pdf
from perfolio.pipeline.build_context import Context
from tests.exercises.support import (
    SCRIPT,
    exercise_of,
    fenced,
    load_item_cases,
    sample_run,
    sample_sheet,
    sheet_of,
)
from tests.kit.samples import sample_documents

SLUG, RUN = "which-second", "dlrm-h100-timed"
PAPERS = {"a4": (595, 842), "letter": (612, 792)}


@pytest.fixture(scope="module")
def printer() -> None:
    try:
        check_printable()
    except MissingPdfError as problem:
        pytest.skip(str(problem))


def made(kind: Any = "practice") -> RunSheet:
    sheet = sample_sheet(SLUG)
    return RunSheet(replace(sheet, exercise=replace(sheet.exercise, kind=kind)), sample_run(RUN))


def test_a_handout_about_a_change_names_figures_of_the_run_before() -> None:
    documents = [sample_documents(slug) for slug in ("transformer", "transformer-fused")]
    (one,), refused = make_run_sheets(documents, "transformer-fused", ("predict-compare",))
    assert refused == []
    text = " ".join(
        map(str, make_handout_files([one], HandoutOptions("self", "a4", ("html",))).values())
    )
    assert "16.57\xa0ms" in text
    assert "13.55\xa0ms" in text


@pytest.fixture(scope="module", name="all_types")
def _all_types(tmp_path_factory: pytest.TempPathFactory) -> RunSheet:
    """A sheet with every type of item, over more than one page."""
    items = []
    for name, case in load_item_cases().items():
        aim: dict[str, Any] = {} if case.get("points", 1) else {"tests": []}
        told = {"ask": f"How much is it of type {name}?"}
        items.append({**case["item"], **told, "id": f"it-{name}", "type": name, **aim})
    exercise = exercise_of(
        tmp_path_factory.mktemp("types"), fenced(*items), {"before": "transformer"}
    )
    run = sample_run("transformer-fused")
    return RunSheet(sheet_of(exercise, run, runs={"transformer": sample_run("transformer")}), run)


def texts(content: str | bytes) -> str:
    """All that a file says: of HTML as it stands and as it reads, of a PDF its text and fields.

    The script of pages is left out: it is the same on all of them.
    """
    if isinstance(content, str):
        content = content.replace(SCRIPT.read_text(encoding="utf-8"), "")
        return content + unescape(content).replace("\u00a0", " ").replace("\u2060", "")
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(content))
    told = [page.extract_text() for page in reader.pages]
    return " ".join(
        [*told, str(reader.metadata), str(reader.get_fields()), str(reader.xmp_metadata)]
    )


def secrets(made_of: RunSheet) -> Iterator[str]:
    """What only the key says."""
    yield from ("scenario", "truth", "seed", "SELECT", "accept", "perfolio-key")
    for question in made_of.sheet.answerable:
        key: Mapping[str, Any] = question.keyed.key if question.keyed else {}
        yield key["explain"][:40]
        for wrong in key.get("wrong", ()):
            yield wrong["code"]
            yield wrong["says"][:40]
        for option in key.get("options", ()):
            yield from (text for text in (option["because"], option["code"]) if text)
        if "accept" in key:
            yield str(load_item_type(key["type"]).solve(key))


def leaks(files: Mapping[str, str | bytes], made_of: RunSheet) -> list[tuple[str, str]]:
    told = {name: " ".join(texts(content).split()) for name, content in files.items()}
    return [(name, text) for name in told for text in secrets(made_of) if text in told[name]]


def split(files: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    public = {name: data for name, data in files.items() if name.startswith("public/")}
    secret = {name: data for name, data in files.items() if name.startswith("instructor/")}
    assert not files.keys() - public.keys() - secret.keys()
    return public, secret


@pytest.mark.parametrize("kind", ["practice", "graded"])
def test_nothing_public_tells_an_answer(kind: str) -> None:
    public, secret = split(make_handout_files([made(kind)], HandoutOptions(formats=("html",))))
    assert set(public) == {"public/index.html", f"public/{SLUG}.html"}
    assert set(secret) == {f"instructor/{SLUG}.key.json", f"instructor/{SLUG}-key.html"}
    assert leaks(public, made()) == []
    assert leaks(secret, made()) != []


@pytest.mark.slow
@pytest.mark.pdf
@pytest.mark.usefixtures("printer")
def test_no_public_pdf_tells_an_answer() -> None:
    public, secret = split(make_handout_files([made("graded")], HandoutOptions(formats=("pdf",))))
    assert set(public) == {"public/index.html", f"public/{SLUG}.pdf", f"public/{SLUG}-blank.pdf"}
    assert leaks(public, made()) == []
    key = texts(secret[f"instructor/{SLUG}-key.pdf"])
    assert "Key: " in key
    assert "SELECT" in key


def test_learners_get_no_key_and_who_learns_alone_gets_it() -> None:
    public, secret = split(
        make_handout_files([made()], HandoutOptions("learner", formats=("html",)))
    )
    assert not secret
    public, secret = split(make_handout_files([made()], HandoutOptions("self", formats=("html",))))
    assert not secret
    assert f"public/{SLUG}-key.html" in public
    with pytest.raises(UsageError, match="graded"):
        make_handout_files([made("graded")], HandoutOptions("self", formats=("html",)))


def test_the_key_says_what_is_accepted_which_mistakes_are_known_and_the_query() -> None:
    text = texts(render_handout(made(), HandoutStyle(key=True)))
    key = make_key_document(made().sheet)["items"]["s1-wall"]
    for said in ("89.62 s", "accepted from", key["wrong"][0]["code"], "time.wall", "SELECT"):
        assert said in text
    for shown in ("page", "blank"):
        assert "89.62" not in texts(render_handout(made(), HandoutStyle(browser=shown == "page")))


def test_pages_load_nothing(all_types: RunSheet) -> None:
    for how in (HandoutStyle(browser=True), HandoutStyle(fields=True), HandoutStyle(key=True)):
        text = render_handout(all_types, how)
        assert not re.search(r"\bsrc=|<link|@import|url\(|<script[^>]", text)
        assert ("<script>" in text) == how.browser


def test_the_style_knows_black_white_and_grey_alone() -> None:
    assert set(re.findall(r"#[0-9a-fA-F]{3,6}\b", read_handout_css())) <= {
        "#000",
        "#fff",
        "#666",
        "#999",
    }
    assert not re.search(r"\b(rgb|hsl|red|green|blue)\b", read_handout_css())


@pytest.mark.slow
@pytest.mark.pdf
@pytest.mark.usefixtures("printer")
@pytest.mark.parametrize("paper", PAPERS)
def test_pages_have_their_size_the_sheet_and_their_number(paper: str, all_types: RunSheet) -> None:
    from pypdf import PdfReader

    one = all_types
    size = {"a4": "A4", "letter": "Letter"}[paper]
    reader = PdfReader(io.BytesIO(to_pdf(render_handout(one, HandoutStyle(size)), fields=False)))
    assert len(reader.pages) > 1
    for number, page in enumerate(reader.pages, 1):
        assert (round(page.mediabox.width), round(page.mediabox.height)) == PAPERS[paper]
        told = page.extract_text()
        assert f"Sheet {one.sheet.id}" in told
        assert f"Page {number} of {len(reader.pages)}" in told
    assert "/MarkInfo" in reader.root_object
    assert "/StructTreeRoot" in reader.root_object
    assert not reader.get_fields()


@pytest.mark.slow
@pytest.mark.pdf
@pytest.mark.usefixtures("printer")
def test_no_field_stands_on_another_page_than_its_question(all_types: RunSheet) -> None:
    from pypdf import PdfReader

    one = all_types
    reader = PdfReader(
        io.BytesIO(to_pdf(render_handout(one, HandoutStyle(fields=True)), fields=True))
    )
    seen = set()
    for page in reader.pages:
        told = " ".join(page.extract_text().split())
        for note in page.get("/Annots", []):
            name = note.get_object()["/T"]
            if name.startswith("it-"):
                kind = name.removeprefix("it-").split("_")[0]
                assert f"How much is it of type {kind}?" in told
                seen.add(kind)
            assert note.get_object()["/TU"]
            low, high = (note.get_object()["/Rect"][n] for n in (1, 3))
            assert abs(high - low) >= (17 if "_" not in name or name[-1].isdecimal() else 10)
    asked = {each.item.type for each in one.sheet.answerable}
    assert seen == asked - {"trouble", "command", "range"}


@pytest.mark.slow
@pytest.mark.pdf
@pytest.mark.usefixtures("printer")
def test_every_field_lies_within_the_margins_and_no_heading_ends_a_page() -> None:
    """Names of kernels are long, and what follows a heading of a step is often a table."""
    from pypdf import PdfReader

    one = RunSheet(sample_sheet("bottleneck-identification"), sample_run("transformer"))
    reader = PdfReader(
        io.BytesIO(to_pdf(render_handout(one, HandoutStyle(fields=True)), fields=True))
    )
    margin, fields = 16 / 25.4 * 72, 0
    for page in reader.pages:
        for note in page.get("/Annots", []):
            left, _, right, _ = note.get_object()["/Rect"]
            assert margin - 1 <= left < right <= page.mediabox.width - margin + 1
            fields += 1
        lines = page.extract_text().strip().splitlines()
        assert not [line for line in lines[-3:] if line.startswith("Step ")]
    assert fields > 60


def filled(pdf: bytes, learner: str, items: Mapping[str, Any], sheet: str) -> bytes:
    """A PDF as a reader of PDF saves it after somebody filled it in."""
    from pypdf import PdfWriter

    values = {f"learner_{sheet}": learner}
    for name, given in items.items():
        if isinstance(given, str):
            values[name] = given
        elif all(re.fullmatch("[A-Z]", each) for each in given) and f"{name}_0" not in str(pdf):
            values |= {f"{name}_{each}": "/on" for each in given}
            values |= {f"{name}_{n}": each for n, each in enumerate(given)}
        else:
            values |= {f"{name}_{n}": each for n, each in enumerate(given)}
    writer = PdfWriter(clone_from=io.BytesIO(pdf))
    for page in writer.pages:
        if "/Annots" in page:
            writer.update_page_form_field_values(page, values)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.mark.slow
@pytest.mark.pdf
@pytest.mark.usefixtures("printer")
def test_a_filled_pdf_is_graded_as_what_was_typed(all_types: RunSheet, tmp_path: Path) -> None:
    """Every type of item, answered from the key in the PDF: all points but those of a person."""
    one = all_types
    write_handouts([one], HandoutOptions(formats=("pdf",)), tmp_path / "made")
    key = read_key(tmp_path / "made" / "instructor" / "made.key.json")
    pdf = (tmp_path / "made" / "public" / "made.pdf").read_bytes()
    items = {name: load_item_type(each["type"]).solve(each) for name, each in key["items"].items()}
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ada.pdf").write_bytes(filled(pdf, "Ada, 李", items, one.sheet.id))
    (tmp_path / "in" / "nobody.PDF").write_bytes(pdf)
    marked = grade_files(
        [tmp_path / "in"], tmp_path / "made" / "instructor", tmp_path / "out", print
    )
    ada, nobody = marked
    assert (ada.learner, nobody.learner) == ("Ada, 李", "nobody")
    for name, graded in ada.graded.items():
        wanted = {"open": "by-hand", **dict.fromkeys(("checklist", "command", "trouble"), "blank")}
        assert graded.code == wanted.get(key["items"][name]["type"], "right"), name
    assert {each.code for each in nobody.graded.values()} == {"blank"}


@pytest.mark.slow
@pytest.mark.pdf
@pytest.mark.usefixtures("printer")
def test_the_same_sheet_gives_the_same_bytes() -> None:
    one, other = (make_handout_files([made()], HandoutOptions()) for _ in range(2))
    assert one == other


@pytest.mark.pdf
@pytest.mark.usefixtures("printer")
def test_boxes_name_a_font_that_the_form_has(all_types: RunSheet) -> None:
    """Readers that draw fields again would else show a ticked box as an empty one."""
    from pypdf import PdfReader

    pdf = to_pdf(render_handout(all_types, HandoutStyle(fields=True)), fields=True)
    reader = PdfReader(io.BytesIO(pdf))
    form: Any = reader.root_object["/AcroForm"]
    boxes = [
        note.get_object()
        for page in reader.pages
        for note in page.get("/Annots", [])
        if note.get_object()["/FT"] == "/Btn"
    ]
    assert len(boxes) >= 5
    for box in boxes:
        font, size, operator = box["/DA"].split()[:3]
        assert (size, operator) == ("0", "Tf")
        assert font in form["/DR"]["/Font"]
        assert box["/MK"]["/CA"]


@cache
def fillable() -> bytes:
    """The PDF of a sheet with its fields."""
    return to_pdf(render_handout(made(), HandoutStyle(fields=True)), fields=True)


def hostile(name: str, pdf: bytes) -> bytes:
    from pypdf import PdfWriter

    if name == "no fields":
        return to_pdf(render_handout(made(), HandoutStyle()), fields=False)
    if name == "another sheet":
        sheet = render_handout(made(), HandoutStyle(fields=True))
        return to_pdf(sheet.replace("learner_", "learner_A"), fields=True)
    if name == "encrypted":
        writer = PdfWriter(clone_from=io.BytesIO(pdf))
        writer.encrypt("secret")
        out = io.BytesIO()
        writer.write(out)
        return out.getvalue()
    return {"text": b"%PDF-1.7\nnothing", "cut": pdf[: len(pdf) // 2], "empty": b"",
            "zeros": pdf.replace(b"obj", b"\0\0\0")}[name]  # fmt: skip


@pytest.mark.pdf
@pytest.mark.usefixtures("printer")
@pytest.mark.parametrize(
    "name", ["no fields", "another sheet", "encrypted", "text", "cut", "empty", "zeros"]
)
def test_a_pdf_that_cannot_be_graded_is_named(name: str, tmp_path: Path) -> None:
    write_handouts([made()], HandoutOptions(formats=("html",)), tmp_path / "made")
    (tmp_path / "bad.pdf").write_bytes(hostile(name, fillable()))
    told: list[str] = []
    with pytest.raises(InputError, match="1 of 1 files"):
        grade_files(
            [tmp_path / "bad.pdf"], tmp_path / "made" / "instructor", tmp_path / "out", told.append
        )
    assert "bad.pdf" in told[0]
    assert len(told[0]) < 700
    assert not (tmp_path / "out").exists()


@pytest.mark.pdf
@pytest.mark.usefixtures("printer")
@pytest.mark.parametrize("step", range(0, 60, 4))
def test_damaged_bytes_are_an_error_of_ours_or_none(step: int, tmp_path: Path) -> None:
    pdf = bytearray(small_pdf())
    for place in range(step * 7, len(pdf), 613):
        pdf[place] = (pdf[place] + step + 1) % 256
    path = tmp_path / "damaged.pdf"
    path.write_bytes(bytes(pdf))
    with suppress(InputError):
        read_fields(path)


@cache
def small_pdf() -> bytes:
    return to_pdf('<title>T</title><html lang="en"><input name="a" title="A">', fields=True)


def test_without_weasyprint_pages_are_made_alone_and_a_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    said: list[str] = []
    write_handouts([made()], HandoutOptions(), tmp_path, Context(say=said.append))
    assert not list(tmp_path.rglob("*.pdf"))
    assert (tmp_path / "public" / f"{SLUG}.html").is_file()
    assert len(said) == 1
    assert "weasyprint>=" in said[0]
    with pytest.raises(OutputError, match="WeasyPrint"):
        write_handouts([made()], HandoutOptions(formats=("pdf",)), tmp_path / "pdf")
    assert not (tmp_path / "pdf").exists()


def test_an_unknown_format_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="docx"):
        write_handouts([made()], HandoutOptions(formats=("docx",)), tmp_path)


def test_the_key_of_a_handout_is_a_document_of_its_schema(tmp_path: Path) -> None:
    write_handouts([made()], HandoutOptions(formats=("html",)), tmp_path)
    path = tmp_path / "instructor" / f"{SLUG}.key.json"
    assert read_key(path) == json.loads(json.dumps(make_key_document(made().sheet)))
