"""Recordings of ROCm's profilers: rocprofv3 and rocprof, in each form that they write events in.

In:  a file, or the folder of one run, with the files of each of its processes.
Out: `perfolio.readers.model.Source`.

    field_values       cells and fields to numbers, directions and agents, whoever wrote them
    marker_ranges      steps and other ranges that a program marks, by their names
    recording_builder  kernels, copies, calls and markers to a recording, and its lines to streams
    csv_rows           rows of a CSV file by the names of its columns
    recording_kinds    what a file is, by its content
    run_grouping       which files are one run, and the process of each
    rocprof_csv        files of rocprofv3 and rocprof in CSV
    rocpd              the views of rocprofv3's database
    rocprofv3_json     JSON of rocprofv3
    rocprof_json       JSON of rocprof: a trace of Chrome with texts for numbers
    reader             all of them together

Columns and fields are found by name, whatever their case: releases differ in both.
"""
