r"""The texts of a file, in all ways in which browsers, scripts and other programs read it.

In:  the bytes of a file. Out: texts: as it is, without its tags, unescaped, unpacked.

    a&#47;b, a%2Fb, "a\/b", "a\u002fb", a/<wbr>b, a\:b, zero-width signs, data:...;base64,...
    gzip, texts of PNG, columns and metadata of Parquet, texts and metadata of PDF
"""

from __future__ import annotations

import base64
import binascii
import gzip
import html
import io
import re
import struct
import zlib
from collections.abc import Callable, Iterator
from urllib.parse import unquote

_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})|\\([^\w\s])")
_BREAKS = re.compile("<wbr ?/?>|[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")
"""Where a long name may break, and signs that nobody sees."""
_INLINE = re.compile(r"</?(?:a|abbr|b|code|em|i|mark|s|small|span|strong|sub|sup|tspan|u)\b[^<>]*>")
_CODED = re.compile(
    rf"%[0-9a-fA-F]{{2}}|&(?:#\w+|\w{{2,8}});|\\[ux][0-9a-fA-F]{{2}}|{_BREAKS.pattern}|{_INLINE.pattern}"
)
_TAG = re.compile(r"<[^<>]*>")
_DATA = re.compile(r"data:[\w.+/-]*(?:;[\w=-]+)*;base64,([A-Za-z0-9+/=]+)")
_MOST_STEPS = 3
_PNG, _PDF, _PARQUET, _GZIP = b"\x89PNG\r\n\x1a\n", b"%PDF-", b"PAR1", b"\x1f\x8b"


def read_texts(data: bytes) -> Iterator[str]:
    """Every text that a file holds, each at least once."""
    for begin, read in _BINARY.items():
        if data.startswith(begin):
            yield from read(data)
            return
    text = data.decode("utf-8", "replace")
    yield from decode_text(text)
    for found in dict.fromkeys(_DATA.findall(text)):
        try:
            yield from read_texts(base64.b64decode(found))
        except binascii.Error:
            continue


def is_coded(text: str) -> bool:
    """Whether something in a text may be read otherwise: an escape, a break, an unseen sign."""
    return bool(_CODED.search(text))


def find_coded_spans(text: str, begin: int = 0) -> list[tuple[int, int]]:
    """Where that is in a text, which begins there."""
    return [(begin + found.start(), begin + found.end()) for found in _CODED.finditer(text)]


def decode_text(text: str) -> Iterator[str]:
    """A text as it is, and as what stands in it is meant, one escape within the other."""
    seen: set[str] = set()
    waiting = [_BREAKS.sub("", text)]
    for _ in range(_MOST_STEPS):
        new = [one for one in dict.fromkeys(waiting) if one not in seen]
        yield from new
        seen.update(new)
        waiting = [step(one) for one in new for sign, step in _STEPS.items() if sign in one]


def _strip_tags(text: str) -> str:
    return _TAG.sub(" ", _INLINE.sub("", text))


def _resolve_escapes(text: str) -> str:
    return _ESCAPED.sub(lambda found: found[3] or chr(int(found[1] or found[2], 16)), text)


_STEPS: dict[str, Callable[[str], str]] = {
    "&": lambda text: _BREAKS.sub("", html.unescape(text)),
    "\\": _resolve_escapes,
    "%": unquote,
    "<": _strip_tags,
}


def _read_gzip(data: bytes) -> Iterator[str]:
    yield from read_texts(gzip.decompress(data))


def _read_png(data: bytes) -> Iterator[str]:
    """The texts beside a picture."""
    at = len(_PNG)
    while at + 8 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + size]
        at += size + 12
        if kind in (b"tEXt", b"iTXt", b"zTXt", b"eXIf"):
            yield body.decode("utf-8", "replace")
            for piece in body.split(b"\0"):
                yield _unpack_zlib(piece).decode("utf-8", "replace")


def _unpack_zlib(data: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(data)
    except zlib.error:
        return b""


def _read_parquet(data: bytes) -> Iterator[str]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(io.BytesIO(data))
    for key, value in (table.schema.metadata or {}).items():
        yield from decode_text(
            f"{key.decode('utf-8', 'replace')}\n{value.decode('utf-8', 'replace')}"
        )
    texts = (pa.types.is_string, pa.types.is_large_string)
    for name, column in zip(table.column_names, table.columns, strict=True):
        if any(is_text(column.type) for is_text in texts):
            yield "\n".join((name, *(str(one) for one in column.unique().to_pylist() if one)))
        elif pa.types.is_nested(column.type):
            yield str(column.to_pylist())


def _read_pdf(data: bytes) -> Iterator[str]:
    """What stands on its pages, in its metadata, fields, links and attachments."""
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(data))
    yield "\n".join(f"{key}: {value}" for key, value in (reader.metadata or {}).items())
    if (told := reader.root_object.get("/Metadata")) is not None:
        yield from decode_text(told.get_object().get_data().decode("utf-8", "replace"))
    for page in reader.pages:
        # A long name is broken into lines where there is no blank.
        text = page.extract_text()
        yield text
        yield text.replace("\n", "")
        yield "\n".join(str(one.get_object()) for one in page.get("/Annots", ()))
    yield str(reader.get_fields() or "")
    for contents in reader.attachments.values():
        for content in contents:
            yield from read_texts(content)


_BINARY: dict[bytes, Callable[[bytes], Iterator[str]]] = {
    _GZIP: _read_gzip,
    _PNG: _read_png,
    _PARQUET: _read_parquet,
    _PDF: _read_pdf,
}
