"""Private shapes are found in whatever form a file has, and what is public is not."""

from __future__ import annotations

import base64
import gzip
import html
import importlib.util
import io
import json
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import perfolio
from perfolio.common.errors import SiteError
from perfolio.redaction.leak_check import prove, prove_contents
from perfolio.redaction.leak_patterns import find_leaks
from perfolio.redaction.pseudonyms import Secrets
from perfolio.redaction.public_texts import (
    is_public_host,
    is_public_link,
    load_public_links,
    load_public_texts,
)
from perfolio.redaction.text_decodings import read_texts
from perfolio.site.shipped_files import load_bundle

PRIVATE = {
    "/home/zqalice/k.py": "a home",
    "~/zqalice/k.py": "a home",
    r"C:\Users\zqalice\k.cu": "a path of Windows",
    r"\\zqserver\share\k.cu": "a network share",
    "file:///scratch/zqalice/k.cu": "an address of a file",
    "s3://zqbucket/k.cu": "an address",
    "zqalice@zqhost": "a user on a host",
    "10.213.7.44": "an IP address",
    "fe80::1c2:3ff": "an IP address",
    "zqnode-1.zqsite.example": "a name of a host",
    "zqjdoe@amd.com": "a user on a host",
    "zqnode07.amd.com": "a name of a host",
    "zqnode[01-04].zqsite.org": "a name of a host",
    "zq-MacBook.local": "a name of a host",
    "ssh://zqjdoe@dgx07.nvidia.com/raid": "an address",
    "https://zqjdoe.github.io/x": "an address",
    "https://github.com/zqorg/private": "an address",
    "github.com:zqorg/private": "a path on a host",
    "zqnode17:/scratch/zed": "a path on a host",
    "HOSTNAME=zqnode17": "a setting of a user or host",
}
OURS = (
    "std::__1::vector<a::b>", "c10d::all", "torch.nn.functional", "12:30:45", "9.1.0.70", "GB/s",
    "2024.6.2.0", "hpcrun -e REALTIME@10000 -e gpu=cuda,pc@10", "memcpy@plt", "foo@GLIBC_2.2.5",
    "https://download.pytorch.org/whl/cpu", "https://vega.github.io/schema/vega-lite/v6.4.1.json",
    "martin.donath@squidfunk.com", "CUDA 12.4.131.10", "driver 550.54.15.1", "host-1:…/x.py",
    "USER=user HOSTNAME=host-1", "HOST=host", "net.block2.at", "%0Anet.block2.at",
    "layer1.conv-2.at", "threading.local", "x.local",
    "http://www.w3.org/2000/svg", "…/train.py", "user at host-1",
    "host-1", "address-1", "@media (a){}", "d+\\d\\w", "ATen/native/x.cu",
)  # fmt: skip


def parquet(text: str) -> bytes:
    place = io.BytesIO()
    pq.write_table(pa.table({"name": ["a", text]}), place, compression="zstd")
    return place.getvalue()


def picture(text: str) -> bytes:
    """A PNG's compressed text."""
    body = b"Comment\0\0" + zlib.compress(text.encode())
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4s", len(body), b"zTXt") + body + bytes(4)


FORMS: dict[str, Callable[[str], bytes]] = {
    "plain": lambda text: f"<p>{text}</p>".encode(),
    "entities": lambda text: f"<p>{html.escape(text).replace('/', '&#47;')}</p>".encode(),
    "breaks": lambda text: "<wbr>".join(text).encode(),
    "unseen": lambda text: "\u2060".join(text).encode(),
    "spans": lambda text: f"<td>{text[:5]}<span>{text[5:]}</span></td><td>a</td>".encode(),
    "attribute": lambda text: f'<td title="{html.escape(text)}">a</td>'.encode(),
    "json": lambda text: json.dumps({"a": text}).replace("/", "\\/").encode(),
    "unicode": lambda text: "".join(f"\\u{ord(sign):04x}" for sign in text).encode(),
    "percent": lambda text: quote(text, safe="").encode(),
    "gzip": lambda text: gzip.compress(text.encode()),
    "data": lambda text: b"url(data:text/plain;base64,%s)" % base64.b64encode(text.encode()),
    "parquet": parquet,
    "png": picture,
    "json in an attribute": lambda text: html.escape(json.dumps(json.dumps(text))).encode(),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("private", PRIVATE)
def test_it_is_found_in_every_form(private: str, form: str) -> None:
    data = FORMS[form](private)
    found = {one.shape for text in read_texts(data) for one in find_leaks(text)}
    assert PRIVATE[private] in found


@pytest.mark.parametrize("text", OURS)
def test_what_is_ours_is_not(text: str) -> None:
    assert list(find_leaks(f" {text} ")) == []


def test_all_that_is_left_is_named_and_an_author_may_allow_it(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text("<p>by zqalice@zqhost</p><p>on 10.213.7.44</p>")
    told = r"a\.html: 'zqalice@zqhost' looks like a user on a host; a\.html: '10\.213\.7\.44' looks"
    with pytest.raises(SiteError, match=told):
        prove([page], [Secrets()])
    with pytest.raises(SiteError, match="looks like an IP address; hide it"):
        prove([page], [Secrets(allowed=("zqalice@zqhost",))])
    prove([page], [Secrets(allowed=("zqalice@zqhost", "10.213.7.44"))])


@pytest.mark.pdf
def test_text_and_metadata_of_a_pdf() -> None:
    weasyprint = pytest.importorskip("weasyprint")
    page = "<html><head><title>{}</title></head><body style='width: 3em'>{}</body></html>"
    for title, body in (("/home/zqalice/k.py", "a"), ("a", "/home/zqalice/k.py")):
        made = weasyprint.HTML(string=page.format(title, body)).write_pdf()
        with pytest.raises(SiteError, match=r"/home/zqalice.* looks like a home"):
            prove_contents([("a.pdf", made)], [])


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
