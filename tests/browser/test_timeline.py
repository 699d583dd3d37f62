"""The timeline: a part of the run is enlarged by buttons, keys, mouse, fingers and address.

First of runs that take samples, whose chart has slices; then of a run of events, whose page draws
every interval: what it says is held against SQL.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pytest
from playwright.sync_api import Locator, Page, expect

from perfolio.pipeline.reports import build
from perfolio.site.single.assembly import build_single_file
from tests.bench.timeline import write_trace
from tests.browser.conftest import ATTACK
from tests.browser.test_accessibility import violations
from tests.browser.visits import Visit, settled
from tests.kit.kept import SHOWN, digest_of, kept

pytestmark = pytest.mark.browser

PAGE = "gallery/timeline.html"
FIGURE = "figure[data-zoom=t]"
PART = "figure => figure.perfolioPart.shown"

GO = """address => new Promise(done => {
  addEventListener("hashchange", () => done(), { once: true });
  location.hash = address;
})"""
"""Go to a part of the page, and wait until its scripts were told, of which this is the last."""


def timeline(visit: Visit, base: str, part: str = "") -> tuple[Page, Locator]:
    page = visit.open(f"{base}/{PAGE}{part}")
    visit.show_charts(FIGURE)
    return page, page.locator(FIGURE)


def shown(figure: Locator) -> tuple[float, float]:
    """The part that is shown after all that was done before."""
    settled(figure)
    begin, end = figure.evaluate(PART)
    return begin, end


def test_buttons_keys_and_the_address_say_the_same(visit: Visit, base: str) -> None:
    page, figure = timeline(visit, base)
    assert shown(figure) == pytest.approx((3.28, 4.32))
    assert figure.locator("output").inner_text() == "1.04 s from 3.28 s"
    figure.get_by_role("button", name="Longest gap").click()
    assert shown(figure) == pytest.approx((3.3, 4.2))
    expect(page).to_have_url(re.compile("#t=3[.]3-4[.]2$"))
    figure.get_by_role("button", name="All").click()
    assert shown(figure) == (0, 10)
    expect(page).to_have_url(re.compile("#chart-timeline-overview$"))
    box = figure.locator(".pf-zoomed")
    box.press("+")
    assert shown(figure) == pytest.approx((1.875, 8.125))
    box.press("ArrowRight")
    assert shown(figure) == pytest.approx((3.125, 9.375))
    box.press("ArrowRight")
    assert shown(figure) == pytest.approx((3.75, 10)), "there is nothing beyond the end"
    box.press("Home")
    assert shown(figure) == pytest.approx((3.28, 4.32))
    assert visit.complaints == []


def test_a_link_opens_a_part(visit: Visit, base: str) -> None:
    page = visit.open(f"{base}/{PAGE}#t=7-8.5")
    figure = page.locator(FIGURE)
    page.locator(f"{FIGURE}[data-pf-state=live]").wait_for()
    assert shown(figure) == pytest.approx((7, 8.5))
    header = page.locator(".md-header").bounding_box()
    buttons = figure.locator(".pf-zoom").bounding_box()
    assert header is not None
    assert buttons is not None
    assert buttons["y"] >= header["y"] + header["height"]
    page.emulate_media(media="print")
    assert figure.locator("img.pf-static").is_visible()
    assert not figure.locator(".pf-zoom").is_visible()
    page.emulate_media(media="screen")
    page.evaluate(GO, "#t=2-3")
    assert shown(figure) == pytest.approx((2, 3))
    page.evaluate(GO, "#t=oh-no")
    assert shown(figure) == pytest.approx((2, 3))
    assert visit.complaints == []


def test_the_mouse_moves_enlarges_and_goes_to_a_place_of_the_whole(visit: Visit, base: str) -> None:
    page, figure = timeline(visit, base)
    canvas = figure.locator("canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    begin, end = shown(figure)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - box["width"] / 4, y, steps=3)
    page.mouse.up()
    moved = shown(figure)
    assert moved[0] - begin == pytest.approx((end - begin) / 4, rel=0.05)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    closer = shown(figure)
    assert closer[1] - closer[0] < 0.7 * (moved[1] - moved[0])
    page.mouse.click(box["x"] + 0.8 * box["width"], box["y"] + 30)
    there = shown(figure)
    assert sum(there) / 2 == pytest.approx(8.0, abs=0.15)
    assert there[1] - there[0] == pytest.approx(closer[1] - closer[0])
    assert visit.complaints == []


@pytest.mark.parametrize("visit", [{"has_touch": True}], indirect=True)
def test_two_fingers_enlarge(visit: Visit, base: str) -> None:
    page, figure = timeline(visit, base)
    canvas = figure.locator("canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    begin, end = shown(figure)
    touch = page.context.new_cdp_session(page)

    def fingers(kind: str, *parts: float) -> None:
        points = [
            {"x": box["x"] + part * box["width"], "y": box["y"] + 100, "id": number}
            for number, part in enumerate(parts)
        ]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", 0.4, 0.6)
    for step in (0.05, 0.1, 0.15, 0.2):
        fingers("touchMove", 0.4 - step, 0.6 + step)
    fingers("touchEnd")
    closer = shown(figure)
    assert closer[1] - closer[0] == pytest.approx((end - begin) / 3, rel=0.1)
    assert sum(closer) / 2 == pytest.approx((begin + end) / 2, abs=0.05)


def test_what_is_under_the_mouse_is_named_and_dark_keeps_the_part(visit: Visit, base: str) -> None:
    page, figure = timeline(visit, base, "#t=3.4-3.6")
    canvas = figure.locator("canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 58)
    tip = page.locator("#vg-tooltip-element.visible")
    tip.wait_for()
    assert re.search(r"Name\s+\S", tip.inner_text())
    before = figure.evaluate_handle("figure => [figure, figure.perfolioView]")
    page.locator("form[data-md-component=palette] label:visible").click()
    page.wait_for_function("([figure, view]) => figure.perfolioView !== view", arg=before)
    page.locator(f"{FIGURE}[data-pf-state=live]").wait_for()
    assert shown(figure) == pytest.approx((3.4, 3.6))
    assert figure.locator("canvas").count() == 1
    assert figure.locator(".pf-zoom").count() == 1
    assert visit.complaints == []


def test_the_image_stays_where_the_script_is_missing(visit: Visit, base: str) -> None:
    visit.page.route("**/zoom.js", lambda route: route.abort())
    page = visit.open(f"{base}/{PAGE}")
    page.locator(FIGURE).scroll_into_view_if_needed()
    page.locator(f"{FIGURE}[data-pf-state=static] img.pf-static").wait_for()


# Of a run of events: every interval.

LIVE = "document.querySelector('figure[data-zoom=t]').perfolioTimeline"
OPEN_TABLE = "() => { document.querySelector('.pf-beside').open = true; }"
HERE = Path(__file__)
SPAN = """
    SELECT CAST(sum(greatest(0, least(start + duration, $2) - greatest(start, $1))) AS BIGINT),
        count(*) FILTER (begins), CAST(sum(duration) FILTER (begins) AS BIGINT),
        min(duration) FILTER (begins), max(duration) FILTER (begins)
    FROM (
        SELECT start - {t0} AS start, duration, start - {t0} >= $1 AND start - {t0} < $2 AS begins
        FROM gpu_operation
    )
"""
"""What streams do in a span: time, how many begin, their time, the shortest and the longest."""


class Events(NamedTuple):
    """A report of a run of events, and its store."""

    site: Path
    slug: str
    store: Path

    @property
    def url(self) -> str:
        return (self.site / self.slug / "timeline.html").as_uri()

    def rows(self, sql: str, *given: object) -> list[tuple[Any, ...]]:
        """Of the store, whose times begin with `{t0}`."""
        with duckdb.connect(str(self.store), read_only=True) as store:
            ((base,),) = store.execute("SELECT min(start) FROM host_function").fetchall()
            return store.execute(sql.replace("{t0}", str(base)), list(given)).fetchall()


@pytest.fixture(scope="module")
def events(chromium: Path) -> Events:  # noqa: ARG001
    def make(folder: Path) -> None:
        trace = folder / "trace.json"
        write_trace(trace, 45_000, 2, 2, more=True)
        (documents,) = build([trace], folder / "site", store=folder / "store.duckdb")
        (folder / "slug").write_text(documents.slug)

    digest = digest_of(HERE, HERE.parents[1] / "bench" / "timeline.py", by=SHOWN)
    folder = kept("timeline", digest, make)
    return Events(folder / "site", (folder / "slug").read_text(), folder / "store.duckdb")


@pytest.fixture
def opened(visit: Visit, events: Events) -> Iterator[Page]:
    """Its page, live and settled; the browser has nothing to complain of, then or later."""
    page = visit.open(events.url)
    visit.show_charts(FIGURE)
    yield page
    assert visit.complaints == []
    assert visit.outside == []


def say(page: Page, script: str) -> Any:
    """What a script with `tiles`, `live` and `view` gives, after all that was done before."""
    settled(page.locator(FIGURE))
    names = f"const tiles = perfolio.timeline, live = {LIVE}, view = live.view;"
    return page.evaluate(f"async () => {{ {names} return {script}; }}")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.locator(".pf-time").press(key)
        settled(page.locator(FIGURE))


def picked(page: Page) -> Any:
    return say(
        page, "view.picked && [view.picked.s, view.picked.d, tiles.info.names[view.picked.name]]"
    )


def test_it_opens_on_the_typical_iteration_with_the_longest_gap_marked(
    opened: Page, events: Events
) -> None:
    begin, end = say(opened, "view.shown")
    assert 0 < begin < end
    gaps = say(
        opened, "view.places.filter(place => place.gap).map(place => [place.begin, place.end])"
    )
    assert gaps
    folder = events.site / events.slug / "timeline"
    assert (folder / "r.js").stat().st_size <= 250_000
    others = [path.stat().st_size for path in folder.glob("r?*.js")]
    assert others
    assert max(others) <= 110_000
    assert not (events.site / events.slug / "charts" / "timeline_overview.js").exists()


def test_hits_are_counted_and_stepped_through_as_sql_has_them(opened: Page, events: Events) -> None:
    press(opened, "Home", "/")
    assert opened.evaluate("document.activeElement.type") == "search"
    opened.keyboard.type("op_3_")
    counted = events.rows(
        "SELECT count(*) FROM host_range WHERE name LIKE '%op\\_3\\_%' ESCAPE '\\'"
    )
    assert say(opened, "live.found.number") == counted[0][0]
    assert (
        f"{counted[0][0]:,} hits, 7 names"
        in opened.locator(".pf-count[role=status]").first.inner_text()
    )
    begin, _ = say(opened, "view.shown")
    wanted = events.rows(
        "SELECT start - {t0}, name FROM host_range WHERE name LIKE '%op\\_3\\_%' ESCAPE '\\' "
        "AND start - {t0} >= ? ORDER BY start, duration DESC LIMIT 9",
        begin,
    )
    found = []
    for _ in wanted:
        opened.keyboard.press("Enter")
        start, _, name = picked(opened)
        found.append((start, name))
    assert sorted(found) == sorted(wanted)
    opened.keyboard.press("Shift+Enter")
    assert (picked(opened)[0], picked(opened)[2]) == found[-2]
    ((before,),) = events.rows(
        "SELECT count(*) FROM host_range WHERE name LIKE '%op\\_3\\_%' ESCAPE '\\' "
        "AND start - {t0} < ?",
        begin,
    )
    place = f"{before + len(found) - 1:,} of {counted[0][0]:,} hits"
    expect(opened.locator(".pf-count[role=status]").first).to_contain_text(place)


@pytest.mark.parametrize("whole", [False, True])
def test_a_span_says_what_sql_says(opened: Page, events: Events, whole: bool) -> None:
    stop = say(opened, "tiles.info.stop")
    begin, end = (0, stop) if whole else (stop // 3, stop // 3 + 3_000_000)
    told = "[one.exact, one.busy, one.number, one.sum, one.least, one.most]"
    found = say(opened, f"live.measure({begin}, {end}).then(one => {told})")
    wanted = events.rows(SPAN, begin, end)
    assert found == [True, *wanted[0]]
    told = opened.locator(".pf-measured").inner_text()
    assert "all GPU streams: busy" in told
    assert "Top: kernel" in told


@pytest.mark.parametrize(
    ("kernels", "expected"),
    [
        ([(10, 40), (30, 40)], "all GPU streams: busy 60 %, 60 µs. 2 intervals start"),
        ([(0, 100), (20, 10)], "all GPU streams: busy 100 %, 100 µs. 2 intervals start"),
        ([], "thread 0, row 1: busy 90 %, 90 µs. 1 interval starts"),
    ],
)
def test_a_span_of_overlapping_kernels_or_of_none(
    visit: Visit, tmp_path: Path, kernels: list[tuple[int, int]], expected: str
) -> None:
    """A stream is busy once, however many kernels of a graph it runs; threads are no streams."""
    same = {"ph": "X", "pid": 1, "tid": 1, "cat": "cpu_op"}
    trace = [{**same, "name": "a", "ts": 5, "dur": 90}, {**same, "name": "b", "ts": 150, "dur": 9}]
    same |= {"args": {"correlation": 1, "device": 0, "stream": 7}}
    if kernels:
        launch = {"cat": "cuda_runtime", "name": "cudaGraphLaunch", "ts": 5, "dur": 1}
        trace.append({**same, **launch})
    for start, long in kernels:
        trace.append({**same, "cat": "kernel", "name": "k", "ts": start + 5, "dur": long, "tid": 7})
    (tmp_path / "trace.json").write_text(json.dumps({"traceEvents": trace}))
    (documents,) = build([tmp_path / "trace.json"], tmp_path / "site")
    page = visit.open((tmp_path / "site" / documents.slug / "timeline.html").as_uri())
    visit.show_charts(FIGURE)
    say(page, "live.measure(0, 100_000).then(() => null)")
    assert expected in page.locator(".pf-measured").inner_text()


def test_a_kernel_leads_to_its_launch_and_back(opened: Page, events: Events) -> None:
    ((start, duration, launch, path),) = events.rows(
        "SELECT g.start - {t0}, g.duration, c.start - {t0}, c.name FROM gpu_operation g "
        "JOIN host_call c ON c.id = g.call ORDER BY g.start OFFSET 2000 LIMIT 1"
    )
    say(opened, f"view.show({start - 3 * duration}, {start + 4 * duration})")
    row = say(opened, f"tiles.find(0, {start}).then(one => one ? 0 : 1)")
    y = say(opened, f"view.y[{row}] - view.box.scrollTop + 8")
    box = opened.locator(".pf-time").bounding_box()
    assert box is not None
    opened.mouse.click(box["x"] + box["width"] / 2, box["y"] + y)
    assert picked(opened)[:2] == [start, duration]
    told = opened.locator(".pf-told").inner_text()
    assert "train_loop › ProfilerStep" in told or "train_loop › aten::op_" in told
    assert f"› {path}" in told
    assert "Row" in told
    href = opened.locator(".pf-told a[href^='kernels.html#kernel-']").first.get_attribute("href")
    assert href
    kernels = (events.site / events.slug / "kernels.html").read_text()
    assert re.search(f'id="?{href.partition("#")[2]}[" >]', kernels)
    press(opened, "g")
    assert picked(opened)[0] == launch
    begin, end = say(opened, "view.shown")
    assert begin <= launch <= end
    press(opened, "g")
    assert picked(opened)[:2] == [start, duration]
    press(opened, "f")
    begin, end = say(opened, "view.shown")
    assert (end - begin) / duration == pytest.approx(1.2, rel=0.1)
    after = events.rows(
        "SELECT min(start) - {t0} FROM gpu_operation WHERE start - {t0} > ? AND profile = "
        "(SELECT profile FROM gpu_operation WHERE start - {t0} = ?)",
        start,
        start,
    )
    press(opened, ".")
    assert picked(opened)[0] == after[0][0]


def test_ends_of_a_span_snap_to_edges(opened: Page) -> None:
    press(opened, "Home", ".")
    start, duration, _ = picked(opened)
    say(opened, f"view.show({start - duration}, {start + 2 * duration})")
    row_y = say(opened, "view.y[view.picked.row] - view.box.scrollTop + 8")
    box = opened.locator(".pf-time").bounding_box()
    assert box is not None
    left, y = box["x"] + box["width"] / 3, box["y"] + row_y
    opened.keyboard.down("Shift")
    opened.mouse.move(left + 3, y)
    opened.mouse.down()
    opened.mouse.move(left + box["width"] / 3 - 4, y, steps=4)
    opened.mouse.up()
    opened.keyboard.up("Shift")
    assert say(opened, "view.span") == [start, start + duration]
    opened.locator(".pf-measured", has_text="Span of").wait_for()
    press(opened, "Escape")
    assert say(opened, "view.span") is None


def test_keys_marks_and_the_address_last(opened: Page, events: Events, visit: Visit) -> None:
    press(opened, "Home", ".", "m")
    start, *_ = picked(opened)
    begin, end = say(opened, "view.shown")
    press(opened, "d", "w")
    closer = say(opened, "view.shown")
    assert begin < closer[0]
    assert closer[1] - closer[0] < end - begin
    press(opened, "ArrowDown", "ArrowDown")
    assert say(opened, "view.picked.row") == 2
    chosen = picked(opened)
    expect(opened).to_have_url(re.compile(r"#t=[\d.]+-[\d.]+;2;\d+$"))
    where, shown = opened.url, say(opened, "view.shown")
    opened.goto("about:blank")
    opened.goto(where)
    visit.show_charts(FIGURE)
    assert say(opened, "view.shown") == pytest.approx(shown, abs=2)
    opened.locator(".pf-chosen").wait_for()
    assert picked(opened) == chosen
    assert say(opened, "view.marks") == [start]
    opened.get_by_role("button", name="Remove mark 1").click()
    assert say(opened, "view.marks") == []
    press(opened, "0")
    assert say(opened, "view.shown") == [0, say(opened, "tiles.info.stop")]
    assert opened.url.startswith(events.url), "keys of the theme lead to no other page"


def test_threads_unfold_and_a_table_tells_the_row(opened: Page) -> None:
    folded = say(opened, "view.y.filter(y => y < 0).length")
    assert folded == say(
        opened, "tiles.tracks.reduce((sum, one) => sum + Math.max(0, one.count - 6), 0)"
    )
    assert folded > 0
    opened.get_by_role("button", name="Unfold").click()
    assert say(opened, "view.y.filter(y => y < 0).length") == 0
    press(opened, ".")
    opened.evaluate(OPEN_TABLE)
    rows = opened.locator(".pf-beside tbody tr")
    rows.first.wait_for()
    start, duration, name = picked(opened)
    chosen = opened.locator(".pf-beside tr[aria-current=true]")
    assert name in chosen.inner_text()
    rows.last.get_by_role("button").click()
    assert picked(opened)[0] > start
    assert duration > 0


@pytest.mark.parametrize("visit", [{"color_scheme": "dark"}], indirect=True)
def test_what_stands_around_it_is_accessible(visit: Visit, events: Events) -> None:
    page = visit.open(events.url)
    visit.show_charts(FIGURE)
    press(page, "Home", ".", "x", "m")
    page.evaluate(OPEN_TABLE)
    page.locator(".pf-beside tbody tr").first.wait_for()
    assert violations(visit) == []


def test_rows_drawn_are_those_of_the_store(opened: Page, events: Events) -> None:
    """Each exact tile, as the page decodes it, adds up to the store's tables."""
    counted = """(async () => {
      const sums = { stream: [0, 0], thread: [0, 0], memory: [0, 0] };
      for (const path of tiles.leaves()) {
        const tile = await tiles.load(path);
        tiles.rows.forEach(({ track }, row) => {
          for (let n = tile.first[row]; n < tile.first[row + 1]; n++) {
            if (tile.s[n] < tile.begin) continue;
            sums[track.kind][0] += 1;
            sums[track.kind][1] += tile.s[n] % 1009 + tile.d[n];
          }
        });
      }
      return sums;
    })()"""
    found = say(opened, counted)
    both = (
        "(SELECT start, duration FROM host_range UNION ALL SELECT start, duration FROM host_call "
        "UNION ALL SELECT start, duration FROM host_function)"
    )
    for kind, table in (
        ("stream", "gpu_operation"),
        ("thread", both),
        ("memory", '(SELECT "time" AS start, allocated AS duration FROM memory_event)'),
    ):
        wanted = events.rows(
            f"SELECT count(*), CAST(sum((start - {{t0}}) % 1009 + duration) AS BIGINT) FROM {table}"
        )
        assert found[kind] == list(wanted[0]), kind


def test_a_slice_opens_elsewhere(opened: Page) -> None:
    press(opened, "Home")
    with opened.expect_download() as saved:
        opened.get_by_role("button", name="Perfetto").click()
    text = json.loads(Path(saved.value.path()).read_text())
    kinds = {event["ph"] for event in text["traceEvents"]}
    assert kinds == {"M", "X", "C", "s", "f"}
    begin, end = say(opened, "view.shown")
    slices = [event for event in text["traceEvents"] if event["ph"] == "X"]
    assert all(
        event["ts"] * 1e3 < end and (event["ts"] + event["dur"]) * 1e3 >= begin - 1
        for event in slices
    )


def test_paper_and_pages_without_scripts_have_the_picture(opened: Page) -> None:
    opened.emulate_media(media="print")
    assert opened.locator(f"{FIGURE} img.pf-static").is_visible()
    assert not opened.locator(".pf-time").is_visible()
    assert not opened.locator(f"{FIGURE} .pf-zoom").is_visible()
    opened.emulate_media(media="screen")
    assert opened.locator(".pf-time").is_visible()


def test_dark_colours_keep_what_is_shown(opened: Page) -> None:
    press(opened, "Home", "w")
    shown, colour = say(opened, "[view.shown, view.colour.ground]")
    opened.locator("form[data-md-component=palette] label:visible").click()
    opened.locator("body[data-md-color-scheme=slate]").wait_for()
    settled(opened.locator(FIGURE))
    assert say(opened, "view.shown") == shown
    assert say(opened, "view.colour.ground") != colour


def test_the_picture_stays_where_a_tile_is_missing(visit: Visit, events: Events) -> None:
    visit.page.route("**/timeline/r.js", lambda route: route.abort())
    page = visit.open(events.url)
    page.locator(FIGURE).scroll_into_view_if_needed()
    page.locator(f"{FIGURE}[data-pf-state=static] img.pf-static").wait_for()


def test_one_file_holds_the_timeline(visit: Visit, events: Events, tmp_path: Path) -> None:
    single = tmp_path / "report.html"
    single.write_text(build_single_file(events.site, events.slug), encoding="utf-8")
    page = visit.open(single.as_uri())
    page.locator(FIGURE).scroll_into_view_if_needed()
    page.locator(f"{FIGURE}[data-pf-state=live]").wait_for()
    assert say(page, "tiles.info.names.length") > 40
    page.locator("input[type=search]").first.fill("op_3_")
    press(page, "n")
    assert "op_3_" in picked(page)[2]
    href = page.evaluate("document.querySelector('.pf-leads a').getAttribute('href')")
    assert href.startswith("#")
    assert visit.complaints == []
    assert visit.outside == []


@pytest.mark.parametrize(
    "visit", [{"has_touch": True, "viewport": {"width": 390, "height": 844}}], indirect=True
)
def test_two_fingers_enlarge_every_interval(visit: Visit, events: Events) -> None:
    page = visit.open(events.url)
    visit.show_charts(FIGURE)
    canvas = page.locator(".pf-time")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    before = say(page, "view.shown")
    touch = page.context.new_cdp_session(page)
    for kind, parts in (
        ("touchStart", (0.4, 0.6)),
        ("touchMove", (0.3, 0.7)),
        ("touchMove", (0.2, 0.8)),
        ("touchEnd", ()),
    ):
        points = [
            {"x": box["x"] + part * box["width"], "y": box["y"] + 60, "id": n}
            for n, part in enumerate(parts)
        ]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    after = say(page, "view.shown")
    assert after[1] - after[0] == pytest.approx((before[1] - before[0]) / 3, rel=0.1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1")


def test_names_of_a_trace_are_words_and_no_more(visit: Visit, tmp_path: Path) -> None:
    name = ATTACK + "\u202e\N{LINE SEPARATOR}`${1}`"
    same = {"ph": "X", "pid": 1, "tid": 1}
    ran = {"correlation": 1, "device": 0, "stream": 7}
    trace = [
        {**same, "cat": "cpu_op", "name": name, "ts": 0, "dur": 90},
        {**same, "cat": "cuda_runtime", "name": name, "ts": 1, "dur": 5, "args": ran},
        {**same, "cat": "kernel", "name": name, "ts": 9, "dur": 5, "tid": 7, "args": ran},
    ]
    (tmp_path / "trace.json").write_text(json.dumps({"traceEvents": trace}))
    (documents,) = build([tmp_path / "trace.json"], tmp_path / "site")
    page = visit.open((tmp_path / "site" / documents.slug / "timeline.html").as_uri())
    visit.show_charts(FIGURE)
    for row in range(3):
        press(page, "." if row == 0 else "ArrowDown")
        named = picked(page)[2]
        assert page.locator(".pf-chosen").inner_text().split() == named.split()
        assert page.locator(".pf-told :is(script, img, style)").count() == 0
    page.evaluate(OPEN_TABLE)
    page.locator(".pf-beside tbody tr").first.wait_for()
    page.locator("input[type=search]").last.fill("<script>")
    press(page, "x", "m")
    assert page.evaluate("window.hacked") is None
    assert visit.complaints == []
    assert visit.outside == []
