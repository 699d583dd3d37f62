"""Changes to a run, as data: a file each, `changes/<name>.toml`.

In:  a file, or a name with a number or a device: cheaper-launches=0.2. Out: a `Change`.

A file says what is done (`kind`, a function of `change_kinds`), to what, and by how much. What a
recording cannot know, the rate of a link say, is given with its source.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import msgspec

from perfolio.common.content_files import reload_when_edited
from perfolio.common.errors import ContentError, UsageError
from perfolio.common.toml_files import TomlError, read_toml
from perfolio.prediction.device_peaks import find_device

CHANGES = Path(__file__).with_name("changes")
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
Factor = Annotated[float, msgspec.Meta(ge=0.0, le=1e6)]


class Change(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One change, as a file says it."""

    title: Text
    """What is done, as a step of a plan."""
    kind: Text
    """The function that makes it."""
    source: Text
    """Where the numbers of the file come from, and what the model leaves out."""
    answers: tuple[Text, ...] = ()
    """Codes of the rules for whose fix it stands."""
    classes: tuple[Text, ...] = ()
    """Classes of kernels that it concerns; all but collectives where none is named."""
    precision: str = ""
    """The one in which these multiply, as their names tell it; whichever where none is named."""
    factor: Factor | None = None
    """By what a time is multiplied; of a rate, by what it is divided [ratio]."""
    best: Factor | None = None
    """The same where it goes best, where the factor has a range [ratio]."""
    cost: Factor = 0.0
    """What the change itself costs for each operation that it touches [s]."""
    gap: Factor = 0.0
    """Time between operations that one launch starts [s]."""
    rate: Factor = 0.0
    """Bytes that a link moves in a second, as a share of its nominal rate [ratio]."""
    least: bool = False
    """Whether what it saves is told as the least: the rest shows in no recording."""
    otherwise: str = ""
    """The change that stands for the same rules where this one concerns nothing in a run."""
    modelled: bool = False
    """Whether it is a model of another device, and no replay of this one alone."""
    device: str = ""
    """That device, by its name in the table of devices."""
    name: str = ""

    @property
    def is_range(self) -> bool:
        """Whether it has a best and a worst case."""
        return self.best is not None and self.best != self.factor

    def at_best(self) -> Change:
        """The same where it goes best."""
        return msgspec.structs.replace(self, factor=self.best) if self.is_range else self


@reload_when_edited(CHANGES)
def load_changes(folder: Path) -> Mapping[str, Change]:
    """All changes by name. Raises ContentError."""
    return {path.stem: read_change(path) for path in sorted(folder.glob("*.toml"))}


def read_change(path: Path) -> Change:
    """The change of a file. Raises ContentError."""
    try:
        found = msgspec.convert(read_toml(path), Change)
    except (TomlError, msgspec.ValidationError) as error:
        raise ContentError(f"{path}: {error}") from error
    return msgspec.structs.replace(found, name=path.stem)


def name_changes(codes: Sequence[str]) -> dict[str, str]:
    """By code of a rule the name of the change that stands for its fix, where one does."""
    known = {code: name for name, change in load_changes().items() for code in change.answers}
    return {code: known[code] for code in codes if code in known}


def find_change(text: str) -> Change:
    """A change by file, name, or name and number. Raises UsageError and ContentError."""
    name, is_set, value = text.partition("=")
    known = load_changes()
    if name in known:
        if is_set and known[name].modelled:
            return _set_device(known[name], value)
        return _set_factor(known[name], value) if is_set else known[name]
    path = Path(text)
    if path.suffix == ".toml":
        if not path.is_file():
            raise UsageError(f"{text}: there is no such file", hint="perfolio whatif --list")
        return read_change(path)
    near = get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]}?" if near else "perfolio whatif --list"
    raise UsageError(f"no change is called {name[:60]!r}", hint=hint)


def _set_device(change: Change, value: str) -> Change:
    device = find_device(value, f"--change {change.name}").name
    title = f"{change.title} {device}"
    return msgspec.structs.replace(change, device=device, title=title)


def _set_factor(change: Change, value: str) -> Change:
    if change.factor is None:
        raise UsageError(
            f"{change.name} takes no number", hint=f"name it alone: --change {change.name}"
        )
    try:
        return msgspec.convert({"factor": float(value)}, _Number).apply(change)
    except (ValueError, msgspec.ValidationError):
        raise UsageError(
            f"{value[:40]!r} is no factor from 0 to 1,000,000", hint=f"{change.name}=0.5"
        ) from None


class _Number(msgspec.Struct, frozen=True):
    """A factor, checked as that of a file."""

    factor: Factor

    def apply(self, change: Change) -> Change:
        """The change with this factor alone, and a title that tells no other one."""
        title = f"{change.name}={self.factor:g}"
        return msgspec.structs.replace(change, factor=self.factor, best=None, title=title)
