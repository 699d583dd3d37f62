"""What the commands write with --share, and which of the planted words it tells."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from click.testing import CliRunner, Result

from perfolio.cli.main import main
from perfolio.redaction.text_decodings import read_texts
from tests.canaries.plant import Canaries

SHORTEST = 6
"""Letters of a word that tell it, where it is cut."""
FORMS = ("github", "json", "junit", "markdown", "sarif", "text")
PROGRAMS = ("hatchet", "speedscope", "perfetto", "parquet", "csv")


def pieces_of(canaries: Canaries) -> dict[str, str]:
    """What tells a word: its begin and its end; an address is told by all of it."""
    found: dict[str, str] = {}
    for word in canaries.words:
        ends = {word} if word[0].isdigit() else {word[:SHORTEST], word[-SHORTEST:]}
        found |= dict.fromkeys(ends, word)
    return found


def told_by(contents: Iterable[tuple[str, bytes]], canaries: Canaries) -> dict[str, set[str]]:
    """The words that files tell, and by which files."""
    pieces = pieces_of(canaries)
    any_piece = re.compile("|".join(map(re.escape, sorted(pieces, key=len, reverse=True))))
    found: dict[str, set[str]] = defaultdict(set)
    for name, data in contents:
        for text in (name, *read_texts(data)):
            for piece in set(any_piece.findall(text)):
                found[pieces[piece]].add(name)
    return dict(found)


def files_below(folder: Path) -> list[tuple[str, bytes]]:
    """Name and content of all files."""
    return [
        (path.relative_to(folder).as_posix(), path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]


def run(*arguments: object) -> Result:
    """A command."""
    return CliRunner().invoke(main, [*map(str, arguments)])


def written(profile: Path, folder: Path, words: Sequence[str] = ()) -> list[tuple[Result, Path]]:
    """A site of a profile for others to read, and no other output."""
    hide = [option for word in words for option in ("--hide", word)]
    return [(run("build", profile, "--share", *hide, "-o", folder / "site"), folder / "site")]


def written_by_all(
    profile: Path, folder: Path, words: Sequence[str] = ()
) -> list[tuple[Result, Path]]:
    """What each command writes of a profile for others to read, in places of their own."""
    share: list[object] = ["--share", *(option for word in words for option in ("--hide", word))]
    store = folder.parent / f"{folder.name}.duckdb"
    stored = run("ingest", profile, "--store", store)
    made: list[tuple[Result, Path]] = [(stored, folder / "none"), *written(profile, folder, words)]
    single = folder / "single" / "report.html"
    single.parent.mkdir(parents=True)
    made.append((run("build", profile, *share, "--single-file", single), single.parent))
    made.append((run("report", store, *share, "--docs", folder / "docs"), folder / "docs"))
    made.append((run("handout", store, *share, "-o", folder / "pdf" / "a.pdf"), folder / "pdf"))
    for form in FORMS:
        place = folder / f"check-{form}"
        place.mkdir()
        command = ("check", store, *share, "--fail-on", "never", "--format", form)
        made.append((run(*command, "-o", place / "out"), place))
    for program in PROGRAMS:
        place = folder / f"export-{program}"
        place.mkdir()
        made.append((run("export", store, place / "out", *share, "--to", program), place))
    handouts = ("worksheet", "build", store, *share, "--format", "html,pdf,moodle,gift")
    made.append((run(*handouts, "-o", folder / "handouts"), folder / "handouts"))
    for form in ("moodle", "gift"):
        place = folder / f"quiz-{form}"
        place.mkdir()
        command = ("worksheet", "export", store, *share, "--format", form)
        made.append((run(*command, "-o", place / "quiz"), place))
    return made


Written = Callable[[Path, Path], list[tuple[Result, Path]]]
