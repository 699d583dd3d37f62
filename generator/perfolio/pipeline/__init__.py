"""Profiles to documents, documents to reports, and a project that is brought up to date.

In:  profiles, scenarios, stores, findings.json. Out: documents, reports, sites.

    build_context    what goes through a build: what its caller asks, and documents of runs
    inputs           what a command is about: a profile, a scenario, a store, a findings.json
    run_documents    profiles to a store, and runs of a store to their two documents
    run_redaction    runs in which private names are hidden before anything is made of them
    reports          profiles to reports: in one process or several, a site of its own
    report_files     documents to the files of reports and of what stands beside them
    side_tasks       what a second process does of that, while the first one measures
    run_comparison   runs to run records, and to the sides of a comparison
    comparison_site  a comparison to a site, with the reports of sides that are one run
    study_sites      a series over commits, or runs of several sizes, to a site
    history_import   runs of a lake as entries of a series
    fleet_ingest     many profiles to a lake, by workers on any machines
    fleet_site       a lake to a site, with full reports of the runs that lose most
    shared_pages     what stands beside reports, in parts that are made again where they changed
    printed_brief    a run to four printed sides
    inspection       what a profile holds, in lines for a terminal
    project          a folder with profiles/ and docs/: its reports, and its site
    redacted_site    the site of a project for others to read
    refresh_hook     what plain `mkdocs` calls, so that it shows fresh reports
    build_state      from what the reports and the site of a project were made, as digests
    kept_documents   documents of runs that were measured before, for the user
    prepared_cache   what every first report would make again, made once for the package
    verification/    a site made again from its inputs, and compared
"""
