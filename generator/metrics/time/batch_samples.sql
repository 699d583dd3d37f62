/*---
title: Samples per second
unit: "1"
better: higher
definition: >-
  Samples that the run trains on per second of the main thread's elapsed time, from the first sign of preparing input
  data to the last sign of training: batches times batch size, as profile.toml gives them.
population: >-
  main threads' elapsed time from the first stretch before a sample in input data to the last sample in input
  data, the forward pass, the backward pass or the optimizer; runs without GPU operations, whose iterations tell it better
needs: [cpu_trace, workload.batches, workload.batch_size]
source: >-
  HPCToolkit's traces; names of functions and files in the store's table phase_pattern; profile.toml
caveat: >-
  As profiled: where the profiler slows down a part, as it does Python, a batch takes too long. That
  the batches of profile.toml are those of this run is taken on trust.
empty: no sample of a main thread shows input data, GPU operations tell iterations, or profile.toml gives no number above 0
---*/
SELECT batches * size / seconds AS value
FROM training_span($run)
JOIN (
    SELECT TRY_CAST(value AS DOUBLE) AS size FROM setting WHERE run = $run AND key = 'workload.batch_size'
) ON size > 0
