"""Templates, compiled once, and on which of them each page depends.

In:  a Jinja environment's `bytecode_cache`; the folder of templates.
Out: the same templates, kept compiled in the user's cache (to compile those of a site takes 0.4 s);
     a digest of each template and of all that it names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import CodeType

import jinja2
from jinja2.bccache import Bucket

from perfolio.common.cache import Cache, make_key
from perfolio.common.content_files import code_digest

_CACHE = Cache("templates")
_NAMED = re.compile(r"""\{%[-+]?\s*(?:extends|from|import|include)\s+["']([^"']+)["']""")


class TemplateCache(jinja2.BytecodeCache):
    """Keeps a template by its name and text, and by the code that may be folded into it.

    What is kept names no folder, so that a package can bring it.
    """

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """The name of the template, wherever it lies."""
        del filename
        return name

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket with what is kept, if anything is."""
        compiled = _CACHE.load(_make_bucket_key(bucket))
        if compiled is not None:
            bucket.bytecode_from_string(compiled)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        if bucket.code is not None:
            bucket.code = _rename_file(bucket.code, bucket.key)
        _CACHE.keep(_make_bucket_key(bucket), bucket.bytecode_to_string())


def _rename_file(code: CodeType, name: str) -> CodeType:
    """The same code, of a file of this name."""
    inner = (
        _rename_file(each, name) if isinstance(each, CodeType) else each for each in code.co_consts
    )
    return code.replace(co_filename=name, co_consts=tuple(inner))


def _make_bucket_key(bucket: Bucket) -> str:
    return make_key(code_digest(), jinja2.__version__, bucket.key, bucket.checksum)


def compute_template_digests(folder: Path) -> dict[str, str]:
    """A digest per template below `folder`, by its name: of its text and of those that it names."""
    texts = {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in folder.rglob("*.j2")
    }
    return {
        name: make_key(*(f"{each} {texts[each]}" for each in sorted(_find_named(name, texts))))
        for name in sorted(texts)
    }


def _find_named(name: str, texts: Mapping[str, str]) -> set[str]:
    """The template of this name and those that it extends, imports or includes, and they."""
    found, waiting = set[str](), {name}
    while waiting:
        one = waiting.pop()
        found.add(one)
        waiting |= {each for each in _NAMED.findall(texts[one]) if each in texts} - found
    return found
