"""A series of runs over commits: when did a figure change, and which one moved first.

In:  run records, or results of benchmarks, each of a commit. Out: small files in a folder of the
project, one a run, so that git is the database; and of all of them a `SeriesStudy`.

    series_entry       what is kept of one run: its file
    series_folder      the files of a series: added, listed, read in the order of commits
    benchmark_results  results of pytest-benchmark and of asv as entries
    change_points      where a row of numbers changes its level
    series_study       figures by commit and machine, their changes, and what moved together
    series_gate        whether the newest commits are slower than those before them

To read results of another tool: one function in `benchmark_results`, by what its file begins with.
"""
