"""What is known to be public is exactly what our own texts and shipped libraries hold."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

import perfolio
from perfolio.redaction.public_texts import (
    is_public_host,
    is_public_link,
    load_public_links,
    load_public_texts,
)
from perfolio.site.chart_bundle import load_bundle

PACKAGES = ("material/templates", "weasyprint/pdf", "altair/vegalite")
TEXTS = frozenset({".css", ".html", ".j2", ".js", ".py", ".svg", ".toml", ".txt"})


def shipped() -> Iterator[str]:
    """Our own files, and those of libraries from which a report is made."""
    folders = [Path(perfolio.__file__).parent]
    for name in PACKAGES:
        spec = importlib.util.find_spec(name.partition("/")[0])
        if spec is not None and spec.origin is not None:
            folders.append(Path(spec.origin).parents[1] / name)
    for folder in folders:
        for path in folder.rglob("*"):
            if path.suffix in TEXTS and path.is_file():
                yield path.read_text("utf-8", "replace")
    yield load_bundle().decode("utf-8", "replace")


@pytest.mark.slow
def test_nothing_is_listed_that_no_text_holds() -> None:
    waiting = {link.rstrip("*v") for link in load_public_links()} | load_public_texts()
    for text in shipped():
        waiting = {one for one in waiting if one not in text}
    assert waiting <= {"https://vega.github.io/schema/vega/"}


@pytest.mark.parametrize(
    "link",
    [
        "https://download.pytorch.org/whl/cpu/x", "https://x@download.pytorch.org/whl/cpu",
        "https://github.com/org/private", "https://vega.github.io/schema/vega-lite/vx/private.json",
        "https://jdoe.github.io/editor", "http://www.w3.org/2000/svg?user=alice",
    ],
)  # fmt: skip
def test_another_link_on_the_same_host_is_none(link: str) -> None:
    assert not is_public_link(link)


@pytest.mark.parametrize("host", ["node7.pytorch.org", "x.github.com", "pytorch.org", "amd.com"])
def test_a_host_below_or_above_one_of_ours_is_none(host: str) -> None:
    assert not is_public_host(host)
    assert is_public_host("download.pytorch.org")
