"""From what the reports of a project were made, kept beside them, so that what holds stays.

In:  a project's folder. Out: `BuildStamps`, read and written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from perfolio.common.partial_files import write_alone

STAMPS = Path(".cache") / "reports.json"

State = Mapping[str, Sequence[int]]
"""Size and time of change of files, by name."""


@dataclass(frozen=True)
class ReportStamp:
    """From what a report was made, and the files that it consists of."""

    slug: str
    inputs: State
    """Files of its profile."""
    edition: str
    """On what its documents depended besides these files."""
    templates: Mapping[str, str]
    """Digest of the templates of each of its pages, by the page's name."""
    document: str
    """Digest of its findings.json."""
    numbers: str
    """Digest of it without words."""
    files: State


@dataclass(frozen=True)
class SharedPart:
    """From what files were made that stand beside the reports, and these files."""

    key: str
    """Digest of all that they were made from."""
    read: Sequence[str]
    """Short names of the runs among that."""
    files: State

    @property
    def new(self) -> Mapping[str, str]:
        """Nothing: it holds."""
        return {}

    @property
    def kept(self) -> State:
        """All its files."""
        return self.files

    def written(self, _folder: Path) -> SharedPart:
        """Itself."""
        return self


@dataclass(frozen=True)
class BuildStamps:
    """The reports of an earlier build by the path of the profile, and what stands beside them."""

    reports: Mapping[str, ReportStamp] = field(default_factory=dict)
    parts: Mapping[str, SharedPart] = field(default_factory=dict)

    def files(self) -> set[str]:
        """Every file that was written."""
        reports = {name for each in self.reports.values() for name in each.files}
        return reports | {name for each in self.parts.values() for name in each.files}


def read_state(folder: Path, names: Iterable[str]) -> dict[str, list[int]]:
    """The state of files by these names; a file that is gone has none, which differs from any."""
    return dict(_read_states(folder, names))


def _read_states(folder: Path, names: Iterable[str]) -> Iterator[tuple[str, list[int]]]:
    for name in names:
        try:
            found = (folder / name).stat()
        except OSError:
            continue
        yield name, [found.st_size, found.st_mtime_ns]


def read_stamps(root: Path) -> BuildStamps:
    """The stamps of an earlier build; none where they cannot be read."""
    try:
        told = json.loads((root / STAMPS).read_bytes())
        return BuildStamps(
            {path: ReportStamp(**stamp) for path, stamp in told["reports"].items()},
            {name: SharedPart(**part) for name, part in told["parts"].items()},
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return BuildStamps()


def keep_stamps(root: Path, stamps: BuildStamps) -> None:
    """Write the stamps; without them the next build makes all reports again."""
    data = json.dumps(asdict(stamps), indent=1).encode()
    try:
        if not (root / STAMPS).is_file() or (root / STAMPS).read_bytes() != data:
            write_alone(root / STAMPS, data)
    except OSError:
        return
