/*---
about: >-
  How long a run without GPU operations trains, from the first stretch of input data on a main thread to the
  last sample of input data, the forward pass, the backward pass or the optimizer [s], when that begins and
  ends, from the begin of the run [ns], and the batches that profile.toml gives; no row without these.
---*/
SELECT min(stretch.begins) FILTER (WHERE stretch.part = 'data') AS first, max(stretch.ends) AS last,
    (last - first) / 1e9 AS seconds, any_value(given.batches) AS batches
FROM main_stretch AS stretch
CROSS JOIN (SELECT TRY_CAST(value AS DOUBLE) AS batches FROM setting WHERE key = 'workload.batches') AS given
WHERE stretch.part IN ('data', 'forward', 'backward', 'optimizer') AND given.batches > 0
    AND NOT EXISTS (FROM gpu_stream)
HAVING seconds > 0
