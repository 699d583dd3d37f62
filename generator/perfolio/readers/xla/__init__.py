"""Timelines of XLA's profiler, as JAX, TensorFlow and PyTorch/XLA write them: JSON of Chrome.

In:  a file `HOST.trace.json.gz`, or one that was unpacked.
Out: `perfolio.readers.model.Source`.

    timeline_events  the fields of events, and what their details in text say
    reader           an event to a range or an operation, and all of them to a source

Events have no category. What one is follows from the names of its process (`/device:GPU:0`,
`/host:CPU`) and of its thread: only threads called `Stream #…` hold what ran on a GPU; the others
show the same time again, by module or by operation.
"""
