"""Names and numbers on their way into Markdown."""

from __future__ import annotations

import re

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from perfolio.common.errors import ContentError
from perfolio.pages import page_tables, template_filters
from tests.pages.support import HOSTILE, Page, rendered

PLACES = (
    "{}",
    "Word {} word",
    "# {}",
    "## Words {} {{: #anchor }}",
    "- {}\n- two",
    "1. {}",
    "| a | b |\n| --- | ---: |\n| {} | [1](x.md) |\n| c | d |",
    "[{}](x.md#y){{: .pf-card }}",
    "*{}*",
    "<code>{}</code>",
    'word <span title="{}">word</span>',
    '<figure>\n<img src="x.svg" alt="{}">\n<figcaption>{}</figcaption>\n</figure>',
    '<div class="pf-cards" markdown="span">\n[<span>{}</span>](x.md){{: .pf-card }}\n</div>',
    '<div markdown="1">\n\n| a |\n| --- |\n| {} |\n\n</div>',
    '<details class="pf-data" markdown="1">\n<summary>{}</summary>\n\nbody\n\n</details>',
    "Term\n:   {}",
    "!!! note\n\n    Word {}\n",
)
"""Every kind of place in which a template puts text; `{}` is the text."""

fragments = st.lists(
    st.one_of(
        st.sampled_from(HOSTILE[:-2]),
        st.text(max_size=20),
        st.text(alphabet="<>&\"'`*_{}[]()|\\:;!#+-.=~^$%@/? \n1a", max_size=30),
    ),
    min_size=1,
    max_size=4,
).map("".join)


def place(template: str, text: str) -> str:
    return template.replace("{{", "\0").replace("{}", text).replace("\0", "{").replace("}}", "}")


def squeezed(text: str) -> str:
    """Without what keeps the parts of a unit together: it has no width."""
    return " ".join(text.replace("\u2060", "").split())


@pytest.mark.parametrize("template", PLACES)
@given(hostile=fragments)
def test_text_is_words_in_every_place(template: str, hostile: str) -> None:
    shown = squeezed(template_filters.clean(hostile))
    harmless = rendered(place(template, "words" if shown else ""))
    page = rendered(place(template, template_filters.text(hostile)))
    assert without_texts(page) == without_texts(harmless)
    assert page.hidden == []
    values = map(squeezed, page.values("title") + page.values("alt"))
    assert shown in squeezed(page.text) or shown in values


def without_texts(page: Page) -> list[object]:
    """Elements in order with their attributes, except the three that hold what is tested."""
    elements = [
        (tag, [(key, value) for key, value in attrs if key not in ("title", "alt", "id")])
        for tag, attrs in page.elements
        # Links to headings carry the heading's own identifier.
        if dict(attrs).get("class") != "headerlink"
    ]
    return [elements, page.closed]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_name_is_one_code_element_and_bounded(hostile: str) -> None:
    page = rendered(f"| a |\n| --- |\n| {template_filters.name(hostile)} |")
    frame = {"table", "thead", "tbody", "tr", "th", "td"}
    tags = [tag for tag, _ in page.elements if tag not in frame]
    assert [tag for tag in tags if tag != "wbr"] == (
        ["code"] if template_filters.clean(hostile) else []
    )
    assert len(page.text) < template_filters.NAME_LIMIT + 50
    assert all(len(title) <= template_filters.TITLE_LIMIT for title in page.values("title"))


@given(fragments)
def test_prose_has_no_element_but_code(hostile: str) -> None:
    page = rendered(f"Word {template_filters.prose(hostile)}")
    assert {tag for tag, _ in page.elements} <= {"p", "code"}
    assert all(attrs == () for _, attrs in page.elements)


def test_prose_shows_words_between_backticks_as_code() -> None:
    page = rendered(template_filters.prose("Sum of `GKER:COUNT` and `a<b>`."))
    assert page.html == "<p>Sum of <code>GKER&#58;COUNT</code> and <code>a&#60;b&#62;</code>.</p>"


@given(fragments)
def test_front_matter_is_a_yaml_string_without_markup(hostile: str) -> None:
    loaded = yaml.safe_load(f"title: {template_filters.front_matter(hostile)}\nnext: 1\n")
    assert set(loaded) == {"title", "next"}
    assert isinstance(loaded["title"], str)
    assert not set(loaded["title"]) & set('<>&"{}\n')
    assert len(loaded["title"]) <= 200


@pytest.mark.parametrize("hostile", [each for each in HOSTILE if each.strip()])
def test_fence_shows_code_as_it_is(hostile: str) -> None:
    page = rendered(f"before\n\n{template_filters.fence(hostile, 'text')}\n\nafter")
    assert {tag for tag, _ in page.elements} <= {"p", "div", "pre", "span", "code", "a"}
    assert not page.values("onclick")
    shown = re.sub(r"\s+", "", page.text.removeprefix("before").strip().removesuffix("after"))
    code = hostile[: template_filters.CODE_LIMIT]
    assert shown == re.sub(r"\s+", "", "".join(c if c.isprintable() else " " for c in code))


@pytest.mark.parametrize(
    ("value", "limit", "shown"),
    [
        ("short", 20, "short"),
        ("a\nb\tc", 20, "a b c"),
        ("abcdefghijklmnopqrstuvwxyz", 10, "abcdef…xyz"),
        ("a\u202eb", 20, "a\\u202eb"),
        ("\ud800", 20, "\\ud800"),
        ("naïve 日本", 20, "naïve 日本"),
        ("a" + " " * 1000 + "b", 20, "a b…"),
    ],
)
def test_shorten(value: str, limit: int, shown: str) -> None:
    assert template_filters.shorten(value, limit) == shown


@given(st.text(), st.integers(min_value=3, max_value=200))
def test_shortened_text_fits_and_keeps_what_fits(value: str, limit: int) -> None:
    shown = template_filters.shorten(value, limit)
    assert len(shown) <= limit
    if len(template_filters.clean(value)) <= limit and len(value) <= 4 * limit:
        assert shown == template_filters.clean(value)


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (7400.0, "count", "7,400"),
        (8.9e-6, "s", "8.90\u00a0µs"),
        (0.529, "ratio", "52.9\u00a0%"),
        (3.95e9, "events", "3,950,000,000\u00a0events"),
        (None, "s", "not\u00a0measured"),
        (None, "events", "not\u00a0measured"),
        ("a|b", "text", "a&#124;b"),
    ],
)
def test_quantity(value: object, unit: str, shown: str) -> None:
    assert template_filters.quantity(value, unit) == shown


def test_quantity_of_unknown_unit_is_refused() -> None:
    with pytest.raises(ContentError, match="furlongs"):
        template_filters.quantity(1.0, "furlongs")


def test_interval() -> None:
    assert (
        template_filters.interval({"low": 0.43, "high": 0.44}, "ratio")
        == "43.0\u00a0% to 44.0\u00a0%"
    )
    assert template_filters.interval({"low": None, "high": None}, "ratio") == ""
    assert (
        template_filters.interval({"low": 2e-6, "high": 3e-6}, "s") == "2.0\u00a0µs to 3.0\u00a0µs"
    )


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (0.06081, 0.06139, "6.08\u00a0% to 6.14\u00a0%"),  # both would be 6.1
        (0.060811, 0.060819, "6.081\u00a0% to 6.082\u00a0%"),
        (0.0, 8e-6, "0\u00a0% to <0.01\u00a0%"),
        (0.25, 0.25, "25.0\u00a0% to 25.0\u00a0%"),
    ],
)
def test_ends_of_a_narrow_interval_differ(low: float, high: float, shown: str) -> None:
    assert template_filters.interval({"low": low, "high": high}, "ratio") == shown


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("in 37.4 % of 5 ms", "in 37.4\u00a0% of 5\u00a0ms"),
        ("95 % Wilson interval", "95\u00a0% Wilson interval"),
        ("500.2 CPU-s at 6.04 GB/s", "500.2\u00a0CPU-\u2060s at 6.04\u00a0GB/s"),
        ("takes 3 steps", "takes 3 steps"),
    ],
)
def test_a_line_does_not_end_between_a_number_and_its_unit(words: str, shown: str) -> None:
    assert template_filters.prose(words) == shown
    assert template_filters.text(words) == shown


def test_long_names_break_after_their_separators() -> None:
    shown = template_filters.name("at::native::vectorized_elementwise")
    words = ("at&#58;&#58;", "native&#58;&#58;", "vectorized&#95;", "elementwise")
    assert shown == f'<code class="pf-name pf-long">{"<wbr>".join(words)}</code>'
    short = '<code class="pf-name">at&#58;&#58;native&#95;kernel</code>'
    assert template_filters.name("at::native_kernel") == short


def cell(name: str, unit: str, **row: object) -> str:
    return page_tables.format_cell(row, {"name": name, "title": name, "unit": unit})


def test_cells_show_names_as_code_and_words_as_words() -> None:
    assert cell("function", "text", function="a_b") == '<code class="pf-name">a&#95;b</code>'
    assert cell("direction", "text", direction="a_b") == "a&#95;b"


def test_cells_of_paths_show_the_end_and_tell_all() -> None:
    shown = cell("file", "text", file="/data/src/model/layer.py")
    full = "&#47;data/src/model/layer.py"
    assert shown == f'<code class="pf-name" title="{full}">model/layer.py</code>'


@pytest.mark.parametrize(
    ("unit", "value", "shown"),
    [
        ("s", None, "–"),
        ("s", 0.0, "0\u00a0s"),
        ("ratio", 0.5, "50.0\u00a0%"),
        ("samples", 403104.0, "403,104"),
        ("registers", 45.4, "45.4"),
        ("id", 3, "3"),
    ],
)
def test_cells_of_numbers(unit: str, value: object, shown: str) -> None:
    assert cell("column", unit, column=value) == shown


def test_cells_of_shares_have_their_interval() -> None:
    shown = cell("share", "ratio", share=0.438, share_low=0.437, share_high=0.439)
    assert shown == '43.8\u00a0% <span class="pf-interval">(43.7–43.9)</span>'


def test_cells_of_unknown_lines_are_empty() -> None:
    assert cell("line", "id", line=0) == "–"
    assert cell("line", "id", line=12) == "12"
    assert cell("line", "id", line=1318) == "1318", "a place and no amount"


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("main", '<code class="pf-name">main</code>'),
        (
            "top > run > … > lib > 0x1",
            '>0x1</code> <span class="pf-callers">from lib ← … ← run ← top</span>',
        ),
        (
            "main > copy > <gpu copyin>",
            '>copy</code> <span class="pf-callers">from main</span>',
        ),
        ("<gpu kernel>", '<code class="pf-name">&#60;gpu kernel&#62;</code>'),
    ],
)
def test_cells_of_call_paths_begin_where_they_end(path: str, shown: str) -> None:
    assert cell("path", "text", path=path).endswith(shown)


def test_cells_of_long_call_paths_keep_the_nearest_callers() -> None:
    shown = cell("path", "text", path=" > ".join(f"caller_{i:02}" for i in range(30)))
    assert "caller&#95;29</code>" in shown
    assert "from caller&#95;28 ← caller&#95;27" in shown
    assert shown.endswith(" ← …</span>")
    assert len(shown.partition("from ")[2]) < 150


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        (
            {"file": "/a/train.py", "line": 1318, "module": None},
            'at <code class="pf-name" title="&#47;a/train.py&#58;1318">a/train.py&#58;1318</code>',
        ),
        ({"file": "load.c", "line": None}, 'at <code class="pf-name">load.c</code>'),
        (
            {"file": None, "line": None, "module": "/lib/libdata.so"},
            'in <code class="pf-name" title="&#47;lib/libdata.so">libdata.so</code>',
        ),
    ],
)
def test_cells_of_call_paths_end_with_the_place(place: dict[str, object], shown: str) -> None:
    whole = cell("path", "text", path="main > run", **place)
    assert whole.endswith(f'from main</span> <span class="pf-place">{shown}</span>')


def test_cells_of_kernels_say_where_they_are_launched() -> None:
    place: dict[str, object] = {"file": "a/train.py", "line": 7, "module": None}
    shown = cell("short", "text", short="gemm", **place)
    assert shown.endswith(
        '<span class="pf-place">launched at <code class="pf-name">a/train.py&#58;7</code></span>'
    )
    assert "pf-place" not in cell("kernel", "text", short="gemm", kernel="gemm<float>", **place)
    assert "pf-place" not in cell("function", "text", function="gemm", **place)


def test_cells_of_code_on_a_gpu_say_its_line_and_the_line_of_the_kernel_as_file_and_line() -> None:
    place: dict[str, object] = {
        "file": "/a/b/loops.cu",
        "line": 16,
        "kernel_line": "/a/b/loops.cu:31",
    }
    shown = cell("code", "text", code="func2", of_kernel="main", **place)
    assert ">func2</code>" in shown
    assert ">b/loops.cu&#58;16</code>" in shown
    assert "launched" not in shown
    assert ">b/loops.cu&#58;31</code>" in cell("kernel_line", "text", **place)


def test_cells_of_functions_say_where_they_are_called() -> None:
    called: dict[str, object] = {"called_file": "x.py", "called_line": 7}
    shown = cell("function", "text", function="gemm", file="x.c", line=2, **called)
    assert shown.endswith(
        '<span class="pf-place">called at <code class="pf-name">x.py&#58;7</code></span>'
    )


def test_cells_of_call_paths_without_a_place_name_none() -> None:
    nothing = {"file": None, "line": None, "module": None}
    assert "pf-place" not in cell("path", "text", path="main > run", **nothing)


def test_cells_of_directions_are_words() -> None:
    assert cell("direction", "text", direction="H2D") == "host to device"
    assert cell("operation", "text", operation="copy D2H") == "copy device to host"


def test_cells_of_totals_show_the_digits_in_which_they_could_differ() -> None:
    assert cell("execution", "1", execution=0.06589873) == "0.0658987300"
    assert cell("execution", "1", execution=10078973952.0) == "10,078,973,952"


def test_cells_break_only_words_that_are_too_long() -> None:
    assert cell("reason", "text", reason="synchronisation") == "synchronisation"
    assert 'class="pf-breaks"' in cell("reason", "text", reason="x" * 30)


def test_first_sentence() -> None:
    sentence = "Copies take 1.12 times as long. Fires above 1; it is 12 % higher. Next."
    assert template_filters.first_sentence(sentence) == "Copies take 1.12 times as long."
    assert template_filters.first_sentence("One only") == "One only"


def test_anchor_is_made_of_letters_digits_and_dashes() -> None:
    assert template_filters.anchor("gpu.kernel_time") == "gpu-kernel-time"
    assert re.fullmatch(r"[a-z0-9-]*", template_filters.anchor('x" onclick="y" #{é}'))


def test_arguments_for_a_shell_are_quoted() -> None:
    assert template_filters.shell("/data/my run; rm -rf x\n") == "'/data/my run; rm -rf x'"


def test_code_of_advice_keeps_its_fences() -> None:
    advice = "Do it.\n\n```python\na = 1\n```\n\nOr\n\n```sh\nb\n```\n"
    assert template_filters.codes(advice) == "```python\na = 1\n```\n\n```sh\nb\n```"
    assert template_filters.codes(f"{advice}\n```sh\nc\n```") == template_filters.codes(advice), (
        "two are enough"
    )
    assert template_filters.codes("Do it.") == ""


def test_the_gist_of_advice_is_no_code() -> None:
    advice = """```python
torch.set_float32_matmul_precision("high")

```

Convolutions use TF32 unless told otherwise.
"""
    assert template_filters.gist(advice) == "Convolutions use TF32 unless told otherwise."
