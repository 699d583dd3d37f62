"""CSV of several runs: their numbers of GPUs and their rates, as anyone writes it.

gpus,tokens/s           gpus;samples_per_second;model
1,1000                  8;52,1;resnet50
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

from perfolio.common.errors import InputError
from perfolio.readers.code_names import to_storable_text
from perfolio.readers.text_lines import AGAIN, read_lines
from perfolio.readers.text_stream import TextStream
from perfolio.readers.witnesses.model import Witness, WitnessKind
from perfolio.readers.witnesses.unit_parser import parse_number

TOOL = "table of runs"
MOST_ROWS = 10_000
_GPUS = re.compile(r"(?:n_?|num_?|number of )?(?:gpus?|devices?)(?:_count)?|world_?size")
_RATE = re.compile(
    r"(?P<what>tokens?|samples?|images?|sequences?)\s*(?:/|_?per_?|\sper\s)\s*s(?:ec(?:ond)?)?"
)
_MOST_GPUS = 10_000_000
_UNITS = {"t": "tokens/s", "s": "samples/s", "i": "samples/s"}


def recognises(head: Sequence[str]) -> bool:
    """Whether the first line names GPUs and a rate."""
    return bool(head) and _find_columns(head[0]) is not None


def read(text: TextStream) -> Witness:
    """A rate for each number of GPUs. Raises InputError where a row is damaged."""
    found, path = Witness(TOOL), text.opened.path
    places: tuple[int, int, str, list[int]] | None = None
    separator, width = ",", 0
    for count, line in enumerate(read_lines(text), 1):
        if not line.strip():
            continue
        if places is None:
            places, separator = _find_columns(line), _find_separator(line)
            width = len(_split_cells(line, separator))
            continue
        cells = _split_cells(line, separator)
        if len(cells) != width:
            raise InputError(
                f"{path}: line {count:,}: has {len(cells)} cells, and the header {width}",
                hint=AGAIN,
            )
        if count > MOST_ROWS:
            raise InputError(f"{path}: line {count:,}: more rows are not read", hint="split it")
        _add_row(found, cells, places, f"{path}: line {count:,}", comma=separator == ";")
    if not found.rows:
        found.notes.append("the table has no row")
    return found


def _add_row(
    found: Witness, cells: Sequence[str], places: tuple[int, int, str, list[int]], place: str,
    *, comma: bool,
) -> None:  # fmt: skip
    gpus_at, rate_at, unit, others = places
    gpus = parse_number(cells[gpus_at])
    rate = parse_number(cells[rate_at], decimal_comma=comma)
    if (
        gpus is None
        or rate is None
        or not 1 <= gpus <= _MOST_GPUS
        or gpus != int(gpus)
        or rate <= 0
    ):
        raise InputError(
            f"{place}: {to_storable_text(cells[gpus_at])[:40]} and "
            f"{to_storable_text(cells[rate_at])[:40]}: are no "
            "number of GPUs and no rate",
            hint=AGAIN,
        )
    name = ", ".join(
        to_storable_text(cells[at])[:60]
        for at in others
        if cells[at] and parse_number(cells[at]) is None
    )
    found.add("throughput_row", (name or None, int(gpus), rate, unit))


def _find_columns(line: str) -> tuple[int, int, str, list[int]] | None:
    """Places of GPUs and rate, the rate's unit, and places of what else there is."""
    cells = [cell.lower() for cell in _split_cells(line, _find_separator(line))]
    gpus = next((n for n, cell in enumerate(cells) if _GPUS.fullmatch(cell)), None)
    told = ((n, _RATE.fullmatch(re.sub(r"\s*[\[(].*", "", cell))) for n, cell in enumerate(cells))
    rate = next(((n, _UNITS[match["what"][0]]) for n, match in told if match), None)
    if gpus is None or rate is None:
        return None
    return gpus, *rate, [n for n in range(len(cells)) if n not in (gpus, rate[0])]


def _find_separator(line: str) -> str:
    return max(";\t,", key=line.count)


def _split_cells(line: str, separator: str) -> list[str]:
    try:
        row = next(csv.reader([line.strip("\r\n")], delimiter=separator), [])
    except csv.Error:
        return []
    return [cell.strip() for cell in row]


KIND = WitnessKind("throughput", recognises, read)
