"""Pages: one report's two JSON documents and its charts, as Markdown files.

In:  `metrics.json`, `findings.json` (as dictionaries) and `perfolio.charts.model.RenderedChart`.
Out: relative path to content, ready to be written below `docs/`.
     Nothing on a page comes from anywhere else; nothing here knows MkDocs.

- template_filters  every name, number and text of a profile passes one of these; names are
                    untrusted
- page_tables       a cell of a table, by its column's name and unit; which columns are shown
- report_view       the documents arranged for templates: lookups and groupings, no text
- cpu_cost_unit, metric_groups, run_series, finding_order, group_titles, finding_topics: what
    `report_view` and templates ask of them
- timeline_leads    what the page tells a live timeline: parts, gaps, where names lead
- sidecar_files     what is for no browser: report.md, a badge
- template_environment  what fills templates, with the filters that they may use
- report_rendering  documents and charts to files
- comparison_pages  comparison.json and its charts to the page of a comparison
- study_pages       a series over commits, and runs of several sizes, with their charts to pages
- fleet_pages       answers of a lake to the pages of a fleet; fleet_view, what they ask for;
                    fleet_rows, all runs as a script
- templates         `report/<page>.md.j2` is `<page>.md`; `beside/<name>.j2` is `<name>`;
                    `macros.md.j2` lists the CSS classes

To add a page: write `templates/report/<page>.md.j2` (see any neighbour) and run
`pytest tests/pages --update-snapshots`. Nothing else registers it. One that some runs
have nothing for sets `present` (see `kernels`), which decides for the navigation as well.
"""
