"""Site: a folder of Markdown to a static site. The only place that knows MkDocs.

In:  a folder of Markdown with its charts (`perfolio.pages` writes it).
Out: a folder of HTML that works from a server and from file://, without a network.

    file_sync.py     texts to files: writes what changed, removes what is stale
    navigation.py    the navigation over the reports of a folder
    build.py         runs MkDocs, and puts the site in place whole or not at all
    site_marker.py   which folders a build may replace: those that Perfolio made
    serve.py         the same with a server that rebuilds on change
    local_server.py  that server: whom it answers, with what, and for how long
    uploads/         profiles that are dropped on its pages, and their reports
    hooks.py         what plain `mkdocs build|serve|gh-deploy` needs of us
    llms_txt.py      report.md of each report and llms.txt, which lists them
    shipped_files.py  the chart library as one local script; what tells of no run
    page_assets.py   the style sheet and the script that all pages share
    page_cache.py    pages that need not be converted again; frame_cache.py: that look the same
    markdown_shortcuts.py  what the conversion of Markdown need not read
    base.yml         settings that the project's mkdocs.yml and every other site share
    theme/           templates, styles and scripts laid over Material

To change the look: `theme/assets/perfolio/*.css`; colours are in `palette.css` only.
"""
