/*---
title: Time per batch
unit: s
better: lower
definition: >-
  Elapsed time of the main thread as profiled, from the first sign of preparing input data to the last sign of training, over the
  number of batches that profile.toml gives.
population: >-
  main threads' elapsed time from the first stretch before a sample in input data to the last sample in input
  data, the forward pass, the backward pass or the optimizer; runs without GPU operations, whose iterations tell it better
needs: [cpu_trace, workload.batches]
source: traces; names of functions and files in the store's table phase_pattern; profile.toml
caveat: >-
  As profiled: where the profiler slows down a part, as it does Python, a batch takes too long. That
  the batches of profile.toml are those of this run is taken on trust.
empty: no sample of a main thread shows input data, GPU operations tell iterations, or profile.toml gives no number above 0
---*/
SELECT seconds / batches AS value, CAST(batches AS BIGINT) AS n
FROM training_span
