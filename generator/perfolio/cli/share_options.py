"""The options of commands whose output others are to read."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from perfolio.common.errors import UsageError

if TYPE_CHECKING:  # it imports the store: a command does so when it runs
    from perfolio.pipeline.run_redaction import ShareRequest

_SHARE_OPTIONS = (
    click.option(
        "--share",
        is_flag=True,
        help="Hide folders of files, and names of users and hosts, for others to read.",
    ),
    click.option(
        "--hide",
        "words",
        multiple=True,
        metavar="WORD",
        help="Hide this too, with --share; may be given several times.",
    ),
    click.option(
        "--allow",
        "allowed",
        multiple=True,
        metavar="TEXT",
        help="Leave this readable, with --share, though it looks private; several times.",
    ),
)


def add_share_options(command: Callable[..., None]) -> Callable[..., None]:
    """`--share`, `--hide` and `--allow`, which the command gets as one: `share`, None without."""

    @wraps(command)
    def run(
        *args: Any, share: bool, words: tuple[str, ...], allowed: tuple[str, ...], **kwargs: Any
    ) -> None:
        command(*args, share=_parse_share(words, allowed, wanted=share), **kwargs)

    decorated: Callable[..., None] = run
    for option in reversed(_SHARE_OPTIONS):
        decorated = option(decorated)
    return decorated


def _parse_share(
    words: tuple[str, ...], allowed: tuple[str, ...], *, wanted: bool
) -> ShareRequest | None:
    """What `--share` asks for. Raises UsageError for words without it, and for empty ones."""
    for option, given in (("--hide", words), ("--allow", allowed)):
        if given and not wanted:
            raise UsageError(f"{option} goes with --share", hint="add --share")
        if not all(word.strip() for word in given):
            raise UsageError(f"{option} needs a word", hint="name a host, say")
    if not wanted:
        return None
    from perfolio.pipeline.run_redaction import ShareRequest

    return ShareRequest(words, allowed)
