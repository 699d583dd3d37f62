"""Runs for others to read: what is private in them is hidden before anything is made of them.

In:  what is to be hidden, a run of a store, documents. Out: the same without what is private.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from perfolio.metrics.document import run_facts
from perfolio.redaction.document_redaction import collect_run_facts, redact_document
from perfolio.redaction.own_words import collect_own_words
from perfolio.redaction.pseudonyms import ReportPseudonyms, Secrets
from perfolio.store.database import open_store
from perfolio.store.redacted_copy import SAID, list_texts_of_run, redact_store
from perfolio.store.run_lookup import find_run, read_named_hosts


@dataclass(frozen=True)
class ShareRequest:
    """That what is made is for others to read."""

    words: tuple[str, ...] = ()
    """What is to be hidden besides paths, users and hosts."""
    allowed: tuple[str, ...] = ()
    """What may be read, though it looks private."""

    def names(self) -> ReportPseudonyms:
        """What stands for what, where nothing is known yet."""
        names = ReportPseudonyms(collect_own_words(), frozenset(self.allowed))
        names.add_words(self.words)
        return names

    def hidden(
        self, findings: Mapping[str, Any], names: ReportPseudonyms | None = None
    ) -> tuple[dict[str, Any], Secrets]:
        """A findings document without what is private, and what that was."""
        return redact_document(findings, self.words, names or self.names())


@contextmanager
def redact_run(
    connection: duckdb.DuckDBPyConnection,
    store: Path,
    run: int,
    share: ShareRequest,
    *,
    paths: bool = False,
) -> Iterator[tuple[Path, ReportPseudonyms]]:
    """Where a run is whose names tell nothing private, and its paths neither with `paths`.

    With it what stands for what.

    Documents are made of the one without: folders tell which files are a library's.
    """
    names = share.names()
    collect_run_facts(names, run_facts(connection, run))
    names.add_hosts(read_named_hosts(connection, run).values())
    names.add_here()
    for table, text in list_texts_of_run(connection, run):
        if paths or table not in SAID:
            names.add_text(text)
        else:
            names.add_people(text)
    with redact_store(connection, store, run, names.told, paths=paths) as shown:
        yield shown, names


@contextmanager
def open_shared_run(
    store: Path, slug: str | None, share: ShareRequest | None
) -> Iterator[tuple[Path, str | None, Secrets]]:
    """A run as others may read it, paths and all: its store, its short name, what was hidden."""
    if share is None:
        yield store, slug, Secrets()
        return
    with ExitStack() as opened:
        connection = opened.enter_context(open_store(store))
        run = find_run(connection, slug)
        name = str(run_facts(connection, run)["slug"])
        place, names = opened.enter_context(redact_run(connection, store, run, share, paths=True))
        connection.close()  # whoever reads the run opens the store again, with settings of its own
        yield place, names.told(name), names.secrets()
