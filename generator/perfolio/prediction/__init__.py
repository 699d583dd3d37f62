"""Predictions: what a run would take, before there is one by formula, and changed by a replay.

In:  parameters as a user gives them, and the table of devices.
Out: a `model.Prediction`: figures with intervals, the formula, what it assumes, and tables.

    training_time    time, energy and money of a training run, from published model FLOP utilisation
    collective_time  time of a collective by ring, tree and hierarchy
    training_memory  bytes of parameters, gradients, optimizer and activations on each GPU
    token_decoding   least time of a token when a language model generates
    device_peaks     peaks and memory of the devices, by name
    replay/          a recorded run, played again with changes
    straggler_blame  what ranks that are not alike cost, and which part to mend
    graph_work       the work of a recorded run, for it
    formatting       a prediction as text or Markdown

Published utilisation and the devices' memory are tables of the store; `runs.csv` holds published
training runs, each with its source.

To add a prediction: a module with a function that gives a `Prediction`, a command, its case.
"""
