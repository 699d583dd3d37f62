"""Recordings of ROCm's profilers: rocprofv3 and rocprof, in each form that they write events in.

In:  a file, or the folder of one run, with the files of each of its processes.
Out: `generator.sources.model.Source`.

    values   cells and fields to numbers, directions and agents, whoever wrote them
    markers  steps and other ranges that a program marks, by their names
    facts    kernels, copies, calls and markers to a recording, and its lines to streams
    table    rows of a CSV file by the names of its columns
    forms    what a file is, by its content
    runs     which files are one run, and the process of each
    tables   files of rocprofv3 and rocprof in CSV
    database rocpd: a database of SQLite
    sdk      JSON of rocprofv3
    chrome   JSON of rocprof: a trace of Chrome with texts for numbers
    reader   all of them together

Columns and fields are found by name, whatever their case: releases differ in both.
"""
