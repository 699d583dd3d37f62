r"""Shapes of what is private, wherever it stands: for the proof that nothing is left.

In:  a text of a finished file. Out: what in it has the shape of something private.

Written apart from the grammar by which things are hidden (`private_grammar.py`), and coarser: what
the one does not know, the other shall find. Links and texts that `public_texts.toml` lists are no
secret.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import AddressValueError, IPv6Address
from typing import NamedTuple

from perfolio.redaction.component_words import is_module_path
from perfolio.redaction.public_texts import is_public_host, is_public_link, load_public_texts

_LISTED = (
    "ac|at|au|be|br|ca|ch|cn|com|cz|de|dk|edu|es|eu|fi|fr|gov|hu|ie|it|jp|kr|mil|nl|nz|org|pl|pt"
    "|se|uk"
)
_NEAR = "cluster|corp|example|home|hpc|internal|intranet|lan|local|localdomain"
_FOLDERS = (
    "data|export|gpfs|home|homes|lustre|mnt|nas|nfs|opt|project|projects|raid|root|scratch|srv|tmp|usr|Users"
    "|var|work"
)
"""Folders that begin a path on another host."""
_VERSIONED = "".join(
    f"(?<!{word})(?<!{word}.)(?<!{word}..)" for word in ("cuda", "driver", "release", "version")
)


class LeakMatch(NamedTuple):
    """Something that is left, and what it looks like."""

    shape: str
    text: str


_SHAPES = {
    "a home": (
        r"/(?:home|homes|Users)/[A-Za-z0-9_][\w.+-]*"
        r"|(?<![\w./-])/root/[\w.][\w./+-]*"
        r"|(?<![\w.~/)-])~[\w.-]*/\w[\w./+-]*"
    ),
    "a path of Windows": (
        r"(?<![A-Za-z0-9])[A-Za-z]:\\+[A-Za-z0-9_][^\s\\\"'<>|]*|\\Users\\+\w[\w.-]*"
    ),
    "a network share": r"(?<![\\\w])\\\\[A-Za-z0-9][\w.-]*\\[A-Za-z0-9_$][\w.$-]*",
    "an address of a file": r"\bfile:/{1,3}[A-Za-z0-9_.~][^\s\"'<>]*",
    "an address": r"\b(?!file|data)[a-z][a-z0-9+]{1,9}://[A-Za-z0-9_][^\s\"'<>)\\`]*",
    "a user on a host": (
        r"(?<![\w.@/?+-])[A-Za-z_][\w.-]+@(?!plt\b|got)"
        r"(?=\d*[A-Za-z-]|\d+\.)[A-Za-z0-9][A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?![\w@/])"
    ),
    "a path on a host": (
        rf"(?<![\w./@:-])[A-Za-z](?=[\w.-]*[\d-])[\w-]*(?:\.[\w-]+)*:/(?:{_FOLDERS})/\w[^\s\"'<>]*"
        rf"|(?<![\w./@:-])(?:[A-Za-z0-9-]+\.)+(?:com|edu|gov|mil|org):[\w.-]+/\w[^\s\"'<>]*"
    ),
    "a setting of a user or host": (
        r"\b(?:USER|USERNAME|LOGNAME|HOST|HOSTNAME|(?:SLURM_)?NODELIST|SLURMD_NODENAME)="
        r"(?!user\b|host\b|hidden\b)[A-Za-z][\w.-]{3,}"
    ),
    "an IP address": (
        rf"(?i:(?<![\w.+-]){_VERSIONED})(?:\d{{1,3}}\.){{3}}\d{{1,3}}(?![\w.]*\w)"
        r"|(?<![\w:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?![\w:])"
    ),
    "a name of a host": (
        r"(?<![\w.@/-])(?!(?<=%)[0-9A-Fa-f]{2})"
        rf"(?:[A-Za-z0-9][A-Za-z0-9-]*\.){{2,}}(?:{_LISTED}|{_NEAR})(?![\w(-]|\.\w)"
        r"|(?<![\w.@/-])[A-Za-z][\w-]*\[\d[\d,-]*\](?:\.[A-Za-z][A-Za-z0-9-]*)+"
        r"|(?<![\w.@/-])[A-Za-z](?=\w*-|[A-Za-z]*\d)[A-Za-z0-9-]+\.(?:corp|home|internal|lan|local)(?![\w(-]|\.\w)"
    ),
}
_PATTERNS = {shape: re.compile(form) for shape, form in _SHAPES.items()}
_SIGNS = {
    "a home": ("/home", "/Users", "/root", "~"),
    "a path of Windows": (":\\", "\\Users"),
    "a network share": ("\\\\",),
    "an address of a file": ("file:",),
    "an address": ("://",),
    "a user on a host": ("@",),
    "a path on a host": (":",),
    "a setting of a user or host": ("USER", "NAME", "HOST", "NODELIST"),
    "an IP address": (".", ":"),
    "a name of a host": (".",),
}
"""What a text has, one of them, in which there is something of a shape."""


def find_leaks(text: str) -> Iterator[LeakMatch]:
    """What looks private, and is not known to be public."""
    for shape, pattern in _PATTERNS.items():
        if any(sign in text for sign in _SIGNS[shape]):
            for found in dict.fromkeys(pattern.findall(text)):
                words = found.rstrip(".,;")
                if words not in load_public_texts() and _is_private(shape, words):
                    yield LeakMatch(shape, words)


def _is_private(shape: str, words: str) -> bool:
    if shape == "an address":
        return not is_public_link(words)
    if shape == "a name of a host":
        return not is_public_host(words) and _is_host_name(words)
    if shape == "an IP address":
        return _is_ipv6(words) if ":" in words else _is_ipv4(words)
    return True


def _is_host_name(words: str) -> bool:
    """Names of modules have dots, too: a host has a number in its name, or a domain of its own."""
    labels = words.lower().split(".")
    if is_module_path([*labels[:-1], "in"]):
        return False
    return labels[-1] in ("com", "edu", "gov", "mil", "org") or any(
        re.search(r"[a-z]\d|-", label) for label in labels
    )


def _is_ipv4(words: str) -> bool:
    """Versions have four numbers, too, of which the first is small."""
    numbers = [int(number) for number in words.split(".")]
    return max(numbers) < 256 and numbers[0] >= 10


def _is_ipv6(words: str) -> bool:
    """Times (12:30:45) and names of C++ (`c10d::`) have colons, too."""
    try:
        address = IPv6Address(words)
    except AddressValueError:
        return False
    first = words.partition(":")[0].lower()
    known = len(first) == 4 and (first[0] in "23" or first[:2] in ("fc", "fd", "fe"))
    return (known or words.count(":") > 5) and not address.is_multicast
