"""Changes of a database: at random places, and of numbers that the format names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from tests.fuzz.seeds import Files, Place, Seed

INTERESTING = (
    *(0, 1, 2, 7, 8, 255, 256, 65535),
    *(2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1),
)
HEAD = 0x200


def mutated(seed: Seed, rng: Random) -> Files:
    """The seed with one to four changes; most have few, as many are soon refused."""
    files = dict(seed.files)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        rng.choice(CHANGES)(seed, files, rng)
    return files


def _put(files: Files, place: Place, value: int) -> None:
    name, offset, width = place
    new = (value & (1 << 8 * width) - 1).to_bytes(width, "little")
    _overwrite(files, name, offset, new)


def _get(files: Files, place: Place) -> int:
    name, offset, width = place
    return int.from_bytes(files[name][offset : offset + width], "little")


def _overwrite(files: Files, name: str, offset: int, new: bytes) -> None:
    data = files[name]
    files[name] = (data[:offset] + new + data[offset + len(new) :])[: len(data)]


def _anywhere(files: Files, rng: Random) -> tuple[str, int]:
    name = rng.choice(sorted(files))
    near = rng.random() < 0.3
    return name, rng.randrange(min(len(files[name]), HEAD) if near else len(files[name]))


def _bit(_seed: Seed, files: Files, rng: Random) -> None:
    name, offset = _anywhere(files, rng)
    _overwrite(files, name, offset, bytes([files[name][offset] ^ (1 << rng.randrange(8))]))


def _noise(_seed: Seed, files: Files, rng: Random) -> None:
    name, offset = _anywhere(files, rng)
    _overwrite(files, name, offset, rng.randbytes(rng.randint(1, 16)))


def _word(_seed: Seed, files: Files, rng: Random) -> None:
    name, offset = _anywhere(files, rng)
    width = rng.choice((1, 2, 4, 8))
    value = rng.choice((*INTERESTING, len(files[name]), offset, offset + 8))
    _put(files, (name, offset // width * width, width), value)


def _cut(_seed: Seed, files: Files, rng: Random) -> None:
    name, offset = _anywhere(files, rng)
    end = files[name][-8:] if rng.random() < 0.5 else b""
    files[name] = (files[name][:offset] + end) or b"\0"


def _moved(_seed: Seed, files: Files, rng: Random) -> None:
    name, offset = _anywhere(files, rng)
    source = rng.randrange(len(files[name]))
    piece = files[name][source : source + rng.choice((4, 8, 12, 48, 256))]
    _overwrite(files, name, offset, piece)


def _gone(_seed: Seed, files: Files, rng: Random) -> None:
    if rng.random() < 0.2:
        files.pop(rng.choice(("cct.db", "trace.db")), None)


def _place(seed: Seed, files: Files, rng: Random) -> Place | None:
    """The place of a number; those before the mass of values and points are taken more often."""
    name = rng.choice(sorted(files))
    of_file = _places(seed, files, name)
    if not of_file:
        return None
    few = max(1, len(of_file) // 10)
    return of_file[rng.randrange(few if rng.random() < 0.5 else len(of_file))]


def _places(seed: Seed, files: Files, name: str, width: int = 0) -> Sequence[Place]:
    """The numbers of a file, all or those of one width, that are still there."""
    found = seed.by_width[name, width]
    if len(files[name]) == len(seed.files[name]):
        return found
    return [place for place in found if place[1] + place[2] <= len(files[name])]


def _number(seed: Seed, files: Files, rng: Random) -> None:
    """A number becomes a little, much or entirely another."""
    place = _place(seed, files, rng)
    if place is None:
        return
    old = _get(files, place)
    new = rng.choice(
        (
            old + 1,
            old - 1,
            old * 2,
            old // 2,
            old ^ (1 << rng.randrange(8 * place[2])),
            old + rng.choice((8, -8, 10, 12, 24, 48)),
            rng.choice(INTERESTING),
            len(files[place[0]]),
            rng.getrandbits(8 * place[2]),
        )
    )
    _put(files, place, new)


def _exchanged(seed: Seed, files: Files, rng: Random) -> None:
    """Two numbers of one width, in one file and often near each other, change places."""
    one = _place(seed, files, rng)
    if one is None:
        return
    others = _places(seed, files, one[0], one[2])
    near = others
    if rng.random() < 0.7:
        at = others.index(one)
        near = others[max(0, at - 20) : at + 20]
    other = rng.choice(near)
    first, second = _get(files, one), _get(files, other)
    _put(files, one, second)
    _put(files, other, first)


def _copied(seed: Seed, files: Files, rng: Random) -> None:
    """A number becomes what another one of its width is: a pointer to something else, say."""
    one = _place(seed, files, rng)
    if one is None:
        return
    others = _places(seed, files, one[0], one[2])
    _put(files, one, _get(files, rng.choice(others)))


Change = Callable[[Seed, Files, Random], None]
CHANGES: tuple[Change, ...] = (
    _bit, _noise, _word, _cut, _moved, _gone,
    _number, _number, _number, _number, _exchanged, _exchanged, _copied, _copied,
)  # fmt: skip
