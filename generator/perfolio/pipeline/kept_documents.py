"""Documents of a run that was measured before, kept for the user of this machine.

In:  a profile that is open, its run's short name, the thresholds. Out: its documents, if they were
     made before from the very same files by the same version; else nothing.

The key names all that a document follows from: the content of every file, what describes the run,
code, queries, rules, thresholds and libraries. Only documents without a note are kept: a note is to
be read each time.
"""

from __future__ import annotations

import json

from perfolio.common.cache import Cache, make_key
from perfolio.pipeline.build_context import Context, RunDocuments
from perfolio.pipeline.build_state import compute_edition
from perfolio.readers.model import Source
from perfolio.readers.run_description import RunDescription
from perfolio.store.run_identity import make_candidate

_CACHE = Cache("documents")


def make_documents_key(
    source: Source, description: RunDescription, slug: str, context: Context
) -> str:
    """Names the documents of a run. Raises InputError where a file cannot be read."""
    candidate = make_candidate(source, description)
    edition = compute_edition(context.overrides, None, context.outcomes).documents
    said = (slug, str(source.path), str(context.project), *source.warnings)
    return make_key(edition, candidate.digest, candidate.content, *said)


def load_documents(key: str) -> RunDocuments | None:
    """The documents that were kept under this key."""
    stored = _CACHE.load(key)
    if stored is None:
        return None
    findings, live = json.loads(stored)
    return RunDocuments(findings["metrics"], findings, live=live)


def keep_documents(key: str, made: RunDocuments) -> None:
    """Keep documents of which nothing was noted while they were made."""
    _CACHE.keep(key, json.dumps([made.findings, made.live]).encode())
