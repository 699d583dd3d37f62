/*---
title: Running time per batch
unit: s
better: lower
definition: >-
  Time for which samples show the main thread running, from the first sign of preparing input data to the
  last sign of training, over the number of batches that profile.toml gives.
population: >-
  main threads' samples of CPU time within the time that the metric time.batch is of; of several ranks the mean
needs: [cpu_time, cpu_trace, workload.batches]
source: traces; names of functions and files in the store's table phase_pattern; profile.toml
caveat: >-
  What the main thread waits for is not in it: files, other processes, other threads. What the profiler adds
  to the time that it runs is.
empty: >-
  no main thread was sampled by CPU time, none shows input data, GPU operations tell iterations, or
  profile.toml gives no number above 0
---*/
SELECT sum(least(held.stop, trained.last) - greatest(held.start, trained.first)) / 1e9
    / (SELECT count(*) FROM main_threads) / any_value(trained.batches) AS value
FROM (
    -- Times since the epoch are too long for a DOUBLE.
    SELECT span.start + CAST(training.first AS BIGINT) AS first, span.start + CAST(training.last AS BIGINT) AS last, training.batches
    FROM training_span AS training
    JOIN cpu_trace_span AS span ON true
) AS trained
JOIN cpu_interval AS held ON held.start < trained.last AND held.stop > trained.first
JOIN main_threads AS main ON main.profile = held.profile
JOIN trace_line AS line ON line.profile = held.profile AND line.clock = 'running'
HAVING value > 0
