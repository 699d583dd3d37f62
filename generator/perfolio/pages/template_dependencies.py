"""On which templates each page depends, named by digests.

In:  the folder of templates. Out: a digest of each template and of all that it names.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

_NAMED = re.compile(r"""\{%[-+]?\s*(?:extends|from|import|include)\s+["']([^"']+)["']""")


def compute_template_digests(folder: Path) -> dict[str, str]:
    """A digest per template below `folder`, by its name: of its text and of those that it names."""
    texts = {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in folder.rglob("*.j2")
    }
    return {name: _compute_digest(name, texts) for name in sorted(texts)}


def find_named_templates(name: str, texts: Mapping[str, str]) -> set[str]:
    """The template of this name and those that it extends, imports or includes, and they."""
    templates, waiting = set[str](), {name}
    while waiting:
        one = waiting.pop()
        templates.add(one)
        waiting |= {each for each in _NAMED.findall(texts[one]) if each in texts} - templates
    return templates


def _compute_digest(name: str, texts: Mapping[str, str]) -> str:
    digest = hashlib.sha256()
    for each in sorted(find_named_templates(name, texts)):
        data = texts[each].encode()
        digest.update(f"{each} {len(data)}\n".encode() + data)
    return digest.hexdigest()
