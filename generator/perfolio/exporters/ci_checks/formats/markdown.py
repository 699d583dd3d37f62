"""A summary for a pull request or a job: Markdown as GitHub and GitLab read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from perfolio.common.escaping import escape_markdown, escape_marker, format_code
from perfolio.exporters.ci_checks.model import Check, CheckItem

_PLACES = 2
_NAME = 72


def render(checks: Sequence[Check]) -> str:
    """A heading that says the result, a table of findings per run, and what is not known."""
    failing = sum(bool(check.failing) for check in checks)
    verdict = f"{failing} of {len(checks)} runs failed" if len(checks) > 1 else "failed"
    doubt = any(check.doubt for check in checks)
    others = "cannot tell" if doubt else "passed"
    lines = [f"## Performance check: {verdict if failing else others}"]
    marks = dict.fromkeys(escape_marker(check.marker) for check in checks if check.marker)
    for check in checks:
        lines += ["", *_render_run(check)]
    lines += ["", *(f"<!-- {mark} -->" for mark in marks)] if marks else []
    return "\n".join(lines) + "\n"


def _render_run(check: Check) -> Iterator[str]:
    title = check.title if check.title == check.slug else f"{check.title} ({check.slug})"
    yield f"### {escape_markdown(title, 120)}"
    yield ""
    yield escape_markdown(check.verdict)
    yield ""
    yield f"**{escape_markdown(check.outcome)}.** {escape_markdown(check.others)}."
    fired = check.of("fired")
    yield from _render_table([item for item in fired if item.fails or not item.small])
    minor = [item for item in fired if item.small and not item.fails]
    if minor:
        yield from _render_folded("For information", (_render_line(item) for item in minor))
    passed = check.of("passed") if check.is_gate else ()
    if passed:
        yield from _render_folded("Equal or better", (_render_line(item) for item in passed))
    lacking = check.of("not_evaluated")
    if lacking:
        yield from _render_folded(f"What {len(lacking)} checks lack", _render_gaps(lacking))
    yield ""
    digest = str(check.provenance["digest"])[:16]
    version = escape_markdown(check.provenance["perfolio"])
    run = format_code(check.slug)
    yield f"<sub>Perfolio {version}, run {run}, input {format_code(digest)}</sub>"


def _render_table(items: Sequence[CheckItem]) -> Iterator[str]:
    if not items:
        return
    seen = any(item.places for item in items)
    heads = ["Severity", "Figure" if items[0].is_figure else "Finding"]
    heads += [] if items[0].is_figure else ["Worth"]
    heads += ["Seen in"] if seen else []
    yield ""
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    for item in items:
        cells = [*_render_cells(item), *([_list_places(item)] if seen else [])]
        yield f"| {' | '.join(cells)} |"


def _render_cells(item: CheckItem) -> Iterator[str]:
    yield f"**{item.severity}**" if item.fails else item.severity
    yield f"**{escape_markdown(item.label)}**: {escape_markdown(item.words)}"
    if not item.is_figure:
        yield escape_markdown(item.worth) or "not bounded"


def _list_places(item: CheckItem) -> str:
    known = [place for place in item.places if place.file] or list(item.places)
    return "<br>".join(format_code(place.text, _NAME) for place in known[:_PLACES])


def _render_folded(summary: str, lines: Iterable[str]) -> Iterator[str]:
    yield ""
    yield f"<details><summary>{escape_markdown(summary)}</summary>"
    yield ""
    yield from lines
    yield ""
    yield "</details>"


def _render_line(item: CheckItem) -> str:
    return f"- {escape_markdown(item.label)}: {escape_markdown(item.words)}"


def _render_gaps(items: Sequence[CheckItem]) -> Iterator[str]:
    """What is missing, once per command that would collect it."""

    def lack(item: CheckItem) -> tuple[str, str]:
        return item.collect, item.words if item.is_figure else ""

    for command, words in dict.fromkeys(map(lack, items)):
        lacking = [item for item in items if lack(item) == (command, words)]
        codes = ", ".join(item.title if item.is_figure else item.code for item in lacking)
        how = f"; collect it with {format_code(command, 200)}" if command else ""
        yield f"- {escape_markdown(codes)}: {escape_markdown(lacking[0].words)}{how}"
