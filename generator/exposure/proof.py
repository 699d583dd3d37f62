"""That the files of a finished site tell nothing of what was hidden.

In:  files, and what was hidden. Out: nothing, or a SiteError that names the first file that does.
"""

from __future__ import annotations

import gzip
import html
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote

from generator.errors import SiteError, one_line
from generator.exposure.hiding import Secrets

_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})|\\([\"'/\\])")


def prove(files: Iterable[Path], secrets: Iterable[Secrets]) -> None:
    """Look for each secret in each file, however it is written there.

    Raises SiteError where one is found.
    """
    known = list(secrets)
    paths = sorted({path for each in known for path in each.paths}, key=len)
    words = {word for each in known for word in each.words}
    bounded = {word: re.compile(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])") for word in words}
    for path in files:
        for text in _readings(path):
            lower = text.lower()
            named = [each for each in paths if each in text]
            named += [each for each in words if each in lower and bounded[each].search(lower)]
            if named:
                raise SiteError(
                    f"{path.name}: still names {one_line(named[0], 60)}, which --share hides",
                    hint="this is a defect of Perfolio: do not publish this report",
                )


def _readings(path: Path) -> Iterator[str]:
    """The text of a file, as it is and as browsers and scripts read it."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8", "replace")
    text = text.replace("<wbr>", "")  # where a long name may break
    yield text
    if "&" in text:
        yield html.unescape(text)
    if "\\" in text:
        yield _ESCAPED.sub(_read, text)
    if "%" in text:
        yield unquote(text)


def _read(escape: re.Match[str]) -> str:
    return escape[2] or str(json.loads(f'"\\u{escape[1]}"'))
