/*---
title: Tokens per second
unit: tokens/s
better: higher
definition: Tokens of a step (workload.batch_size times workload.sequence_length of profile.toml) over the median iteration.
population: complete iterations that are no warm-up
needs: [gpu_trace, iterations, workload.batch_size, workload.sequence_length]
source: profile.toml and traces
caveat: Of the ranks that batch_size is of; padding counts as tokens. The profiler's own cost is in the iteration.
empty: workload.batch_size or workload.sequence_length is no number above 0
---*/
SELECT TRY_CAST(batch.value AS DOUBLE) * TRY_CAST(length.value AS DOUBLE) / step.typical AS value, step.n
FROM (SELECT length / 1e9 AS typical, n FROM iteration_length) AS step
JOIN setting AS batch ON batch.key = 'workload.batch_size'
JOIN setting AS length ON length.key = 'workload.sequence_length'
WHERE step.typical > 0 AND TRY_CAST(batch.value AS DOUBLE) > 0 AND TRY_CAST(length.value AS DOUBLE) > 0
