"""Lines of a text file, each of bounded length, and rows of one in CSV."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterable, Iterator

from perfolio.common.errors import InputError
from perfolio.readers.text_stream import TextStream

MOST_OF_A_LINE = 1 << 20
"""Characters; no name of a kernel is as long."""
AGAIN = "record it again, or copy the whole file again"
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_lines(text: TextStream) -> Iterator[str]:
    """Lines with their ends. Raises InputError where one is longer than any can be."""
    decoder: codecs.IncrementalDecoder | None = None
    rest, text.line, text.is_ended = "", 0, True
    for piece in text.pieces():
        if decoder is None:
            encoding = "utf-16" if piece.startswith(UTF_16) else "utf-8-sig"
            decoder = codecs.getincrementaldecoder(encoding)("replace")
        *whole, rest = (rest + decoder.decode(piece)).split("\n")
        for line in whole:
            _check_length(line, text)
            text.line += 1
            yield line + "\n"
        _check_length(rest, text)
    if rest:
        text.line += 1
        text.is_ended = False
        yield rest


def read_csv_rows(
    text: TextStream, lines: Iterable[str], *, delimiter: str = ","
) -> Iterator[list[str]]:
    """Cells of rows, of lines that were read of a text. Raises InputError for what is no CSV."""
    rows = csv.reader(lines, delimiter=delimiter)
    while True:
        try:
            row = next(rows, None)
        except csv.Error as problem:
            raise make_line_error(text, str(problem)) from problem
        if row is None:
            return
        yield row


def make_line_error(text: TextStream, problem: str) -> InputError:
    """What is wrong in the line that was read last."""
    return InputError(f"{text.opened.path}: line {text.line:,}: {problem}", hint=AGAIN)


def describe_cut_line(text: TextStream) -> str:
    """What to say of a last line that was left out because not all of it is there."""
    return f"the last line, {text.line:,}, is cut, and was left out"


def describe_unended_line(text: TextStream) -> list[str]:
    """What to say of a last line that has no end, and else looks like those before it."""
    if text.is_ended:
        return []
    return [f"the last line, {text.line:,}, has no end: its last figure may be cut"]


def _check_length(line: str, text: TextStream) -> None:
    if len(line) > MOST_OF_A_LINE:
        what = f"{text.opened.path}: line {text.line + 1:,}: is longer than any can be"
        raise InputError(what, hint=AGAIN)
