"""A summary for a pull request or a job: Markdown as GitHub and GitLab read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from perfolio.common.escaping import code, markdown
from perfolio.exporters.ci_checks.model import Check, Item

_PLACES = 2
_NAME = 72


def render(checks: Sequence[Check]) -> str:
    """A heading that says the result, a table of findings per run, and what is not known."""
    failing = sum(bool(check.failing) for check in checks)
    said = f"{failing} of {len(checks)} runs failed" if len(checks) > 1 else "failed"
    lines = [f"## Performance check: {said if failing else 'passed'}"]
    for check in checks:
        lines += ["", *_run(check)]
    return "\n".join(lines) + "\n"


def _run(check: Check) -> Iterator[str]:
    title = check.title if check.title == check.slug else f"{check.title} ({check.slug})"
    yield f"### {markdown(title, 120)}"
    yield ""
    yield markdown(check.verdict)
    yield ""
    yield f"**{markdown(check.outcome)}.** {markdown(check.others)}."
    fired = check.of("fired")
    yield from _table([item for item in fired if item.fails or not item.small])
    minor = [item for item in fired if item.small and not item.fails]
    if minor:
        yield from _folded("For information", (_line(item) for item in minor))
    lacking = check.of("not_evaluated")
    if lacking:
        yield from _folded(f"What {len(lacking)} checks lack", _gaps(lacking))
    yield ""
    digest = str(check.provenance["digest"])[:16]
    version = markdown(check.provenance["perfolio"])
    yield f"<sub>Perfolio {version}, run {code(check.slug)}, input {code(digest)}</sub>"


def _table(items: Sequence[Item]) -> Iterator[str]:
    if not items:
        return
    seen = any(item.places for item in items)
    yield ""
    yield "| Severity | Finding | Worth |" + (" Seen in |" if seen else "")
    yield "| --- | --- | --- |" + (" --- |" if seen else "")
    for item in items:
        cells = [*_cells(item), *([_seen(item)] if seen else [])]
        yield f"| {' | '.join(cells)} |"


def _cells(item: Item) -> Iterator[str]:
    yield f"**{item.severity}**" if item.fails else item.severity
    yield f"**{markdown(item.label)}**: {markdown(item.words)}"
    yield markdown(item.worth) or "not bounded"


def _seen(item: Item) -> str:
    known = [place for place in item.places if place.file] or list(item.places)
    return "<br>".join(code(place.text, _NAME) for place in known[:_PLACES])


def _folded(summary: str, lines: Iterable[str]) -> Iterator[str]:
    yield ""
    yield f"<details><summary>{markdown(summary)}</summary>"
    yield ""
    yield from lines
    yield ""
    yield "</details>"


def _line(item: Item) -> str:
    return f"- {markdown(item.label)}: {markdown(item.words)}"


def _gaps(items: Sequence[Item]) -> Iterator[str]:
    """What is missing, once per command that would collect it."""
    commands = dict.fromkeys(item.collect for item in items)
    for command in commands:
        lacking = [item for item in items if item.collect == command]
        codes = ", ".join(item.code for item in lacking)
        how = f"; collect it with {code(command, 200)}" if command else ""
        yield f"- {markdown(codes)}: {markdown(lacking[0].words)}{how}"
