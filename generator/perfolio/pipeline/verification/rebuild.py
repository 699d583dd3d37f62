"""A report made again from its input.

In:  what a site says of a report, and profiles. Out: its `RunDocuments`, or what is wrong with the
     input.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from glob import escape
from pathlib import Path

from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.errors import InputError
from perfolio.pipeline.build_context import Context, RunDocuments
from perfolio.pipeline.run_documents import GIVEN_NAME, ingest_paths, make_documents
from perfolio.pipeline.verification.comparison import Difference
from perfolio.pipeline.verification.site_provenance import RecordedReport
from perfolio.readers import registry
from perfolio.readers.run_description import read_description
from perfolio.store.database import open_store
from perfolio.store.run_identity import compute_sha256

_RENAME = """
UPDATE run SET slug = $slug, path = $path, title = CASE WHEN title = slug THEN $slug ELSE title END
"""


def find_inputs(recorded: RecordedReport, site: Path, given: Sequence[Path]) -> Path:
    """The profile of a report: among those given the one with its hashes, else where it lay.

    Raises InputError where there is none.
    """
    path = Path(recorded.run["path"])
    if given:
        candidates = list(dict.fromkeys(_find_profiles_below(given, path.name)))
    else:
        places = [one for one in (path, site.parent / path) if one.exists()]
        candidates = [_as_found(one) if len(recorded.files) > 1 else one for one in places]
    same = [path for path in candidates if not find_changed_inputs(recorded, path)]
    named = [one for one in candidates if one.name == path.name]
    found = same or named or (candidates if len(candidates) == 1 else [])
    if not found:
        raise InputError(
            f"{recorded.slug}: its profile {recorded.run['path']} is not there",
            hint="name it: perfolio verify SITE --profiles PATH",
        )
    return found[0]


def _as_found(path: Path) -> Path:
    """A file that stands for several beside it, as the folder's profiles tell."""
    beside = registry.find(path.parent) if path.is_file() else []
    return next((one for one in beside if one == path), path)


def _find_profiles_below(given: Sequence[Path], name: str) -> Iterator[Path]:
    """Profiles at `given`: also a file of this name, which other runs lie beside."""
    for profile in (found for path in given for found in registry.find(path)):
        if name and profile.is_dir():
            yield from filter(registry.is_readable, sorted(profile.rglob(escape(name))))
        yield profile


def find_changed_inputs(recorded: RecordedReport, profile: Path) -> list[Difference]:
    """Input files whose content is not what the report was made from."""
    return list(_compare_inputs(recorded, profile))


def _compare_inputs(recorded: RecordedReport, profile: Path) -> Iterator[Difference]:
    files = list(_list_profile_files(profile))
    for name, sha256 in recorded.files:
        place = f"{recorded.slug}/input/{name}"
        found = [compute_sha256(path) for path in files if path.name == name and path.is_file()]
        if not found:
            yield Difference(place, f"is not in {profile}")
        elif sha256 not in found:
            yield Difference(place, f"sha256 {sha256} in the site, {found[0]} in {profile}")


def _list_profile_files(profile: Path) -> Iterator[Path]:
    """What a profile may consist of, with what is read beside it."""
    yield from sorted(profile.rglob("*") if profile.is_dir() else profile.parent.iterdir())
    yield from read_description(profile).witnesses


def make_documents_again(recorded: RecordedReport, profile: Path, context: Context) -> RunDocuments:
    """The documents of a report from its profile, under the name and path that the site has."""
    with make_temporary_folder() as folder:
        store = folder / "store.duckdb"
        named = replace(context, name=recorded.run["settings"].get(GIVEN_NAME, ""))
        ingested, *others = ingest_paths([profile], store, named)
        if others:
            raise InputError(f"{profile}: holds several profiles, and {recorded.slug} is of one")
        with open_store(store, read_only=False) as connection:
            names = {"slug": recorded.slug, "path": recorded.run["path"]}
            connection.execute(_RENAME, names)
        judged = replace(
            context,
            overrides=recorded.overrides,
            outcomes=recorded.outcomes,
            draws_timeline=True,
        )
        (documents,) = make_documents(store, [ingested.run], judged)
    return documents
