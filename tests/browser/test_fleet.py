"""The site of a fleet in a browser: silent, alone, accessible; its runs sorted and searched."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page

from perfolio.pipeline.fleet_site import build_fleet_site
from tests.bench.fleet_draws import draw_fleet
from tests.browser.conftest import ATTACK
from tests.browser.test_accessibility import violations
from tests.browser.test_comparison import SCHEMES
from tests.browser.test_tables import saved
from tests.browser.visits import Visit
from tests.fleet.lakes import make_lake

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def pages(chromium: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:  # noqa: ARG001
    """Addresses of the first page of a fleet, and of one in which every name is an attack."""
    usual, hostile = (tmp_path_factory.mktemp(name) for name in ("usual", "hostile"))
    lake, _ = draw_fleet(700, usual / "lake")
    build_fleet_site(lake, usual / "site")
    run = {
        "name": ATTACK, "workload": ATTACK, "owner": ATTACK, "team": ATTACK, "hosts": [ATTACK],
        "verdict": ATTACK, "gpu_hours": 1.0, "window_ns": 10, "lanes": 1,
    }  # fmt: skip
    part = [{"part": "idle", "kind": ATTACK, "ns": 5}]
    build_fleet_site(make_lake(hostile / "lake", [{"run": run, "part": part}]), hostile / "site")
    return {one.name[:5]: (one / "site" / "index.html").as_uri() for one in (usual, hostile)}


def open_rows(visit: Visit, address: str) -> tuple[Page, Locator]:
    page = visit.open(address)
    box = page.locator(".pf-rows")
    box.locator(".pf-sort").first.wait_for()
    return page, box


@pytest.mark.parametrize("visit", SCHEMES, indirect=True)
def test_it_is_silent_alone_and_accessible(visit: Visit, pages: dict[str, str]) -> None:
    page, _ = open_rows(visit, pages["usual"])
    assert visit.show_charts() == 1
    assert (visit.complaints, visit.outside) == ([], [])
    assert violations(visit) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_names_do_nothing(visit: Visit, pages: dict[str, str]) -> None:
    page, box = open_rows(visit, pages["hosti"])
    assert page.evaluate("window.hacked") is None
    assert (visit.complaints, visit.outside) == ([], [])
    assert "script" in box.locator("tbody").inner_text()
    box.locator("tbody a").first.click()
    assert "script" in page.locator("h1").inner_text()
    assert page.evaluate("window.hacked") is None


def test_all_rows_are_sorted_searched_and_saved(visit: Visit, pages: dict[str, str]) -> None:
    page, box = open_rows(visit, pages["usual"])
    assert "50 of 700 rows" in box.inner_text()
    rows = box.locator("tbody tr")
    assert rows.count() == 50
    box.get_by_role("button", name="Idle", exact=True).click()
    shown = rows.evaluate_all("all => all.map(each => parseFloat(each.cells[4].textContent))")
    assert shown == sorted(shown, reverse=True)
    box.get_by_role("button", name="Show 500 more").click()
    assert rows.count() == 550
    box.locator("input").fill("node017 workload-2")
    found = rows.count()
    assert 0 < found < 20
    assert f"{found} of {found} rows" in box.inner_text()
    name, cells = saved(page, box.get_by_role("button", name="CSV"))
    assert (name, len(cells)) == ("runs.csv", found + 1)
    rows.first.locator("a", has_text="node017").click()
    assert page.locator("h1").inner_text().startswith("node017")
