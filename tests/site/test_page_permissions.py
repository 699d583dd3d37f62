"""What a browser may do on pages: no more than they need, also while they are served."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

import pytest
from mkdocs.livereload import LiveReloadServer

from perfolio.common.errors import SiteError
from perfolio.pages.content_policy import make_closed_policy, make_site_policy
from perfolio.site.build import build_site
from perfolio.site.file_sync import sync_tree
from perfolio.site.local_server import replace_server
from perfolio.site.page_permissions import remove_unsafe
from tests.kit.shared import ROOT

SITE = ROOT / "generator" / "perfolio" / "site"
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)
UNSAFE = ("'unsafe-eval'", "'unsafe-hashes'", "*", "http:", "https:", "data:", "blob:")


def directives(page: str) -> dict[str, list[str]]:
    found = POLICY.search(page)
    assert found, "no policy"
    return {name: rest for name, *rest in (each.split() for each in found[1].split("; "))}


def digest(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def build(folder: Path, *, hooks: bool = True, extra: object = None) -> Path:
    """A site of two pages, of which one lies in a folder, with a feature that nobody should use."""
    settings = {
        "INHERIT": str(SITE / "base.yml"),
        "theme": {
            "custom_dir": str(SITE / "theme"),
            "features": ["content.tooltips", "content.tabs.link"],
        },
        "hooks": [str(SITE.parent / "pipeline" / "refresh_hook.py"), str(SITE / "hooks.py")]
        if hooks
        else [],
        "nav": [{"Start": "index.md"}, {"Deep": "a/deep.md"}],
    }
    if extra is not None:
        settings["extra"] = {"perfolio_policy": extra}
    pages = {"index.md": "# Start\n", "a/deep.md": "# Deep\n"}
    sync_tree({f"docs/{name}": text for name, text in pages.items()}, folder)
    (folder / "mkdocs.yml").write_text(json.dumps(settings), encoding="utf-8")
    build_site(folder / "docs", folder / "site", config=folder / "mkdocs.yml")
    return folder / "site"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("permitted"))


@pytest.mark.parametrize("name", ["index.html", "a/deep.html"])
def test_a_page_runs_no_script_but_ours_and_asks_nobody(site: Path, name: str) -> None:
    page = (site / name).read_text("utf-8")
    policy = directives(page)
    inline = {digest(script) for script in INLINE.findall(page)}

    assert len(inline) == 3, "the theme's own"
    assert inline <= set(policy["script-src"])
    assert not [one for one in policy["script-src"] if one in (*UNSAFE, "'unsafe-inline'")]
    assert not [one for rest in policy.values() for one in rest if one in UNSAFE[:5]]
    assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == ["'none'"]
    assert not {"connect-src", "frame-src", "worker-src", "object-src"} & set(policy)
    assert POLICY.search(page).start() < page.index("<script")  # type: ignore[union-attr]


@pytest.mark.parametrize("hooks", [True, False], ids=["hooks", "without hooks"])
def test_no_site_has_the_feature_that_reads_titles_as_html(tmp_path: Path, hooks: bool) -> None:
    site = build(tmp_path, hooks=hooks)
    told = [path.read_text("utf-8") for path in site.rglob("*") if path.suffix in (".html", ".js")]

    assert [text for text in told if '"content.tabs.link"' in text]
    # Material's own script asks whether there is such a feature.
    assert not [text for text in told if '"features"' in text and '"content.tooltips"' in text]


def test_features_keep_their_order() -> None:
    assert remove_unsafe(["b", "content.tooltips", "a"]) == ["b", "a"]


def test_a_project_adds_sources_or_has_no_policy(tmp_path: Path) -> None:
    site = build(tmp_path / "more", extra={"img-src": "https://example.org", "frame-src": "'self'"})
    policy = directives((site / "index.html").read_text("utf-8"))
    without = build(tmp_path / "none", extra=False)

    assert policy["img-src"][-1] == "https://example.org"
    assert policy["frame-src"] == ["'self'"]
    assert policy["default-src"] == ["'none'"]
    assert "Content-Security-Policy" not in (without / "index.html").read_text("utf-8")


@pytest.mark.parametrize("extra", [True, "img-src *", {"img-src": ["https://example.org"]}])
def test_a_setting_that_is_none_is_said(tmp_path: Path, extra: object) -> None:
    with pytest.raises(SiteError, match=r"extra\.perfolio_policy: must be false, or sources"):
        build(tmp_path, extra=extra)


def test_the_script_of_the_server_is_permitted_and_no_other(tmp_path: Path) -> None:
    server = replace_server(LiveReloadServer(lambda: None, "127.0.0.1", 0, str(tmp_path)))
    try:
        head = (
            f'<meta http-equiv="Content-Security-Policy" content="{make_site_policy(["own()"])}">'
        )
        evil_page = f"{head}<body><script>evil()</script></body>".encode()
        page = server._inject_js_into_html(evil_page, 15).decode()
    finally:
        server.server_close()
    policy = directives(page)

    assert '<script src="/livereload.js?15"></script></body>' in page
    assert "'self'" in policy["script-src"]
    assert digest("evil()") not in policy["script-src"]
    assert policy["connect-src"] == ["'self'"]


def test_a_page_of_its_own_runs_its_script_alone() -> None:
    page = f'<meta http-equiv="Content-Security-Policy" content="{make_closed_policy("run()")}">'
    without = f'<meta http-equiv="Content-Security-Policy" content="{make_closed_policy()}">'

    assert directives(page)["script-src"] == [digest("run()")]
    assert directives(without)["script-src"] == ["'none'"]
    assert directives(page)["default-src"] == ["'none'"]
