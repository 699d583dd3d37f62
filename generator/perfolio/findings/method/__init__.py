"""A method for the performance of accelerators, step by step, on one run.

In:  results and findings. Out: entries of findings.json.

    bottlenecks/<key>.yaml   a class: its symptoms as checks, and the rules whose steps remedy it
    bottlenecks.py           which class holds this run up, and how sure that is
    workflow/<n>-<key>.yaml  a step: what it asks for, what is done, and the command for what is not
    workflow.py              the steps on this run

To add a class or a step: one file. A class also needs a row in the metric time.iteration_classes.
"""
