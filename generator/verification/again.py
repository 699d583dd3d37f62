"""A report made again from its input.

In:  what a site says of a report, and profiles. Out: its `Documents`, or what is wrong with the
     input.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from generator.errors import InputError
from generator.pipeline import Context, Documents, documents_of, ingest_paths
from generator.sources import registry
from generator.store.connect import open_store
from generator.store.identity import sha256_of
from generator.verification.compare import Difference
from generator.verification.recorded import Recorded
from generator.whole import temporary_folder

_RENAME = """
UPDATE run SET slug = $slug, path = $path, title = CASE WHEN title = slug THEN $slug ELSE title END
"""


def inputs_of(recorded: Recorded, site: Path, given: Sequence[Path]) -> Path:
    """The profile of a report: among those given the one with its hashes, else where it lay.

    Raises InputError where there is none.
    """
    if given:
        candidates = list(dict.fromkeys(found for path in given for found in registry.find(path)))
    else:
        path = Path(recorded.run["path"])
        candidates = [one for one in (path, site.parent / path) if one.exists()]
    same = [path for path in candidates if not changed_inputs(recorded, path)]
    named = [path for path in candidates if path.name == Path(recorded.run["path"]).name]
    found = same or named or (candidates if len(candidates) == 1 else [])
    if not found:
        raise InputError(
            f"{recorded.slug}: its profile {recorded.run['path']} is not there",
            hint="name it: perfolio verify SITE --profiles PATH",
        )
    return found[0]


def changed_inputs(recorded: Recorded, profile: Path) -> list[Difference]:
    """Input files whose content is not what the report was made from."""
    return list(_changed(recorded, profile))


def _changed(recorded: Recorded, profile: Path) -> Iterator[Difference]:
    for name, sha256 in recorded.hashes.items():
        place = f"{recorded.slug}/input/{name}"
        path = profile / name
        if Path(name).name != name or not path.is_file():
            yield Difference(place, f"is not in {profile}")
        elif (found := sha256_of(path)) != sha256:
            yield Difference(place, f"sha256 {sha256} in the site, {found} in {profile}")


def made_again(recorded: Recorded, profile: Path, context: Context) -> Documents:
    """The documents of a report from its profile, under the name and path that the site has."""
    with temporary_folder() as folder:
        store = folder / "store.duckdb"
        (ingested,) = ingest_paths([profile], store, context)
        with open_store(store, read_only=False) as connection:
            names = {"slug": recorded.slug, "path": recorded.run["path"]}
            connection.execute(_RENAME, names)
        judged = replace(context, overrides=recorded.overrides)
        (documents,) = documents_of(store, [ingested.run], judged)
    return documents
