"""Templates to pages: the environment in which Jinja fills them.

In:  the name of a template, and what it asks for. Out: text; ContentError names the template and
     its line where it gives none.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from perfolio.charts.chart_data import is_unnamed
from perfolio.common.errors import ContentError
from perfolio.common.escaping import to_plain_line
from perfolio.findings.chart_tables import describe_steady, describe_whole
from perfolio.findings.model.step_replay import (
    conjugate,
    describe_expected,
    find_saved_share,
    is_plain,
    tell_expectation,
)
from perfolio.pages import template_filters
from perfolio.pages.content_policy import make_closed_policy
from perfolio.pages.finding_order import describe_outcome, group_by_area
from perfolio.pages.first_steps import choose_first_steps
from perfolio.pages.page_tables import choose_columns, format_cell, link_moment, list_records
from perfolio.pages.part_colours import choose_part_role
from perfolio.pages.run_series import order_series
from perfolio.pages.sidecar_files import (
    escape_line,
    format_amount,
    shorten_headline,
    wrap_lines,
)
from perfolio.pages.sql_highlight import render_sql
from perfolio.pages.template_cache import TemplateCache

TEMPLATES = Path(__file__).resolve().parent / "templates"
_LOOSE_ENDS = re.compile(r"[ \t]+(?=\n)|(?<=\n\n)\n+")


def render(template: str, **context: Any) -> str:
    """The page that a template gives. Raises ContentError with its line where it gives none."""
    try:
        text = make_environment().get_template(template).render(**context)
    except jinja2.TemplateError as error:
        line = getattr(error, "lineno", None)
        where = f"{template}:{line}" if line else template
        raise ContentError(f"templates/{where}: {error}") from error
    return _LOOSE_ENDS.sub("", text).strip() + "\n"


def load_templates() -> None:
    """Load those that reports have, before they are filled."""
    made = make_environment()
    for path in TEMPLATES.glob("**/*.md.j2"):
        made.get_template(path.relative_to(TEMPLATES).as_posix())


@cache
def make_environment() -> jinja2.Environment:
    """What renders pages: templates are ours, values never are any; filters escape Markdown."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        bytecode_cache=TemplateCache(),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701 - HTML's escape would not do in Markdown: see filters
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        **template_filters.FILTERS,
        "amount": format_amount,
        "areas": group_by_area,
        "badge_words": shorten_headline,
        "cell": format_cell,
        "expected_share": describe_expected,
        "expected_words": tell_expectation,
        "conjugated": conjugate,
        "closed_policy": make_closed_policy,
        "moment": link_moment,
        "in_series": order_series,
        "line": escape_line,
        "meaning": choose_part_role,
        "plain": to_plain_line,
        "outcome": describe_outcome,
        "records": list_records,
        "beginning": choose_first_steps,
        "saved": find_saved_share,
        "sql": render_sql,
        "steady_words": describe_steady,
        "visible": choose_columns,
        "whole_words": describe_whole,
        "wrapped": wrap_lines,
    }
    made.tests |= {"plain": is_plain, "unnamed": is_unnamed}
    return made
