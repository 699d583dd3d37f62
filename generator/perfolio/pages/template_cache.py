"""Compiled templates, kept in the user's cache: to compile those of a site takes 0.4 s.

In:  a Jinja environment's `bytecode_cache`. Out: the same templates, compiled once.
"""

from __future__ import annotations

from pathlib import Path

import jinja2
from jinja2.bccache import Bucket

from perfolio.common.cache import find_cache_folder, keep_content, load_kept, make_key
from perfolio.common.content_files import code_digest


class TemplateCache(jinja2.BytecodeCache):
    """Keeps a template by its name and text, and by the code that may be folded into it."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket with what is kept, if anything is."""
        bytecode = load_kept(_locate_bucket(bucket))
        if bytecode is not None:
            bucket.bytecode_from_string(bytecode)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        keep_content(_locate_bucket(bucket), bucket.bytecode_to_string())


def _locate_bucket(bucket: Bucket) -> Path:
    key = make_key(code_digest(), jinja2.__version__, bucket.key, bucket.checksum)
    return find_cache_folder() / "templates" / key
