"""Small random recordings, in three formats, against a second implementation of figures.

    model      what a recording is: calls, ranges, operations, steps
    program    a recording from a seed: threads that launch, copy and wait, on GPUs in order
    words      names of kernels with the class of work that each does
    formats    written as PyTorch's profiler, Nsight Systems and rocprofv3 write it
    product    the documents that Perfolio makes of a recording, and figures in them
    intervals  times as sorted lists
    seen       a recording as the figures count it: GPUs that work, steps, idle time
    blamed, bounds, choices, host, ranks, times   figures by definition
    comparison  both, what differs, and the fewest events that still show it
    known.yaml  differences that are open, each with its reason

It knows nothing of the product's queries: what it computes follows from the definitions alone,
with sorted lists and all pairs. `python -m tests.recordings` compares thousands.
"""
