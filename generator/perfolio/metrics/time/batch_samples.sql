/*---
title: Samples per second
unit: "1"
better: higher
definition: >-
  Samples that the run as profiled trains on per second of the main thread's elapsed time: the batch size that profile.toml
  gives, over the metric time.batch.
population: that of the metric time.batch
needs: [cpu_trace, workload.batches, workload.batch_size]
source: traces; names of functions and files in the store's table phase_pattern; profile.toml
caveat: >-
  As profiled, like time.batch. That batches and batch size of profile.toml are those of this run is taken on trust.
empty: no sample of a main thread shows input data, GPU operations tell iterations, or profile.toml gives no number above 0
---*/
SELECT batches * size / seconds AS value
FROM training_span
JOIN (
    SELECT TRY_CAST(value AS DOUBLE) AS size FROM setting WHERE key = 'workload.batch_size'
) ON size > 0
