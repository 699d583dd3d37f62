"""JUnit XML: each rule a test case, which every CI system can show.

Fired at or above the level is a failure, not evaluated or not applicable is skipped.
A finding below the level passes, with its words as output.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from perfolio.common.escaping import to_plain_line
from perfolio.exporters.ci_checks.model import Check, CheckItem

_ADVICE = "What to do"


def render(checks: Sequence[Check]) -> str:
    """A `testsuites` with one `testsuite` per run."""
    root = Element("testsuites", {"name": "perfolio", **_count_items(checks)})
    for check in checks:
        _append_suite(root, check)
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _count_items(checks: Sequence[Check]) -> dict[str, str]:
    items = [item for check in checks for item in check.items]
    skipped = sum(item.status in ("not_evaluated", "not_applicable") for item in items)
    return {
        "tests": str(len(items)),
        "failures": str(sum(item.fails for item in items)),
        "errors": str(sum(item.status == "error" for item in items)),
        "skipped": str(skipped),
    }


def _append_suite(root: Element, check: Check) -> None:
    slug = to_plain_line(check.slug)
    suite = SubElement(root, "testsuite", {"name": slug, **_count_items([check])})
    known = SubElement(suite, "properties")
    for name in ("digest", "perfolio", "metrics_sha256", "rules_sha256", "baseline"):
        if name in check.provenance:
            SubElement(known, "property", name=name, value=to_plain_line(check.provenance[name]))
    SubElement(known, "property", name="fail_on", value=check.level)
    SubElement(known, "property", name="verdict", value=to_plain_line(check.verdict))
    for item in check.items:
        _append_case(suite, check, item)


def _append_case(suite: Element, check: Check, item: CheckItem) -> None:
    slug = to_plain_line(check.slug)
    case = SubElement(suite, "testcase", classname=f"perfolio.{slug}", name=item.label)
    place = next((place for place in item.places if place.file), None)
    if place:
        case.set("file", to_plain_line(place.file))
        if place.line:
            case.set("line", str(place.line))
    if item.fails:
        failure = SubElement(case, "failure", type=item.severity, message=to_plain_line(item.words))
        failure.text = _make_body(item)
    elif item.status == "fired":
        SubElement(case, "system-out").text = f"{item.severity}: {_make_body(item)}"
    elif item.status == "passed":
        SubElement(case, "system-out").text = to_plain_line(item.words)
    elif item.status == "error":
        SubElement(case, "error", message=to_plain_line(item.words))
    else:
        why = item.words if item.status == "not_evaluated" else f"does not apply: {item.words}"
        SubElement(case, "skipped", message=to_plain_line(why))


def _make_body(item: CheckItem) -> str:
    threshold = f"Threshold: {item.thresholds} ({to_plain_line(item.threshold_source)})"
    lines = [to_plain_line(item.words), threshold]
    if item.worth:
        lines.append(f"Worth: {to_plain_line(item.worth)}")
    lines += [f"Seen in: {to_plain_line(place.text)}" for place in item.places]
    if _ADVICE not in item.sections:
        return "\n".join(lines)
    advice = [to_plain_line(line) for line in item.sections[_ADVICE].split("\n")]
    return "\n".join([*lines, "", f"{_ADVICE}:", *advice])
