/*---
name: device_busy
about: >-
  Readings of the share of time in which a device had at least one kernel, or worked otherwise where a monitor reads that [ratio].
when: device_sample
---*/
SELECT witness, device, tick, max(value) AS value FROM device_sample WHERE measure IN ('gpu_active', 'graphics_active') GROUP BY ALL

/*---
name: told_fact
about: >-
  What several witnesses and the profile say of the same quantity: time of an iteration [s], rate of samples [samples/s], memory in use at
  most on one device [B], operations of a training step of all ranks [FLOP] and the batch of all ranks [samples]. `trust` orders them: the
  profile's own is first. Only what the program does is in it, and no peak of a device.
---*/
WITH share AS (   -- figures of one rank times the ranks that share the batch
    SELECT witness, max(value) FILTER (name = 'data_parallel') AS parallel, max(value) FILTER (name = 'ranks') AS ranks
    FROM told_figure GROUP BY witness
),
profile_fact AS (
    SELECT 'time of an iteration' AS fact, length / 1e9 AS value, 's' AS unit, 'the profile' AS source FROM iteration_length
    UNION ALL
    SELECT 'samples per second', TRY_CAST(batch.value AS DOUBLE) / step.typical, 'samples/s', 'the profile and profile.toml'
    FROM (SELECT length / 1e9 AS typical FROM iteration_length) AS step JOIN setting AS batch ON batch.key = 'workload.batch_size'
    UNION ALL
    SELECT 'memory in use at most', max(allocated), 'B', 'the profile' FROM memory_event WHERE device IS NOT NULL
    UNION ALL
    SELECT 'operations of a training step', TRY_CAST(value AS DOUBLE), 'FLOP', 'profile.toml' FROM setting WHERE key = 'model_flops_per_iteration'
    UNION ALL
    SELECT 'operations of a training step', needed, 'FLOP', 'sizes of arguments' FROM typical_operations
    WHERE NOT EXISTS (FROM product_cover WHERE told < 0.95 * whole)
    UNION ALL
    SELECT 'batch', TRY_CAST(value AS DOUBLE), 'samples', 'profile.toml' FROM setting WHERE key = 'workload.batch_size'
),
witness_fact AS (
    SELECT own.witness, CASE own.name WHEN 'iteration_time' THEN 'time of an iteration' WHEN 'samples_rate' THEN 'samples per second'
            WHEN 'peak_memory' THEN 'memory in use at most' WHEN 'forward_flop' THEN 'operations of a training step' ELSE 'batch' END AS fact,
        CASE own.name WHEN 'forward_flop' THEN 3 * own.value * share.parallel WHEN 'rank_batch' THEN own.value * share.parallel ELSE own.value END
            AS value,
        own.unit
    FROM told_figure AS own JOIN share ON share.witness = own.witness
    WHERE own.name IN ('iteration_time', 'samples_rate', 'peak_memory', 'forward_flop', 'rank_batch')
    UNION ALL
    SELECT witness, 'memory in use at most', max(allocated), 'B' FROM allocated_memory GROUP BY witness
    UNION ALL
    SELECT witness, 'memory in use at most', max(value), 'B' FROM device_sample WHERE measure = 'memory_used' GROUP BY witness
)
SELECT fact, value, unit, source, 0 AS trust FROM profile_fact WHERE value > 0
UNION ALL
SELECT own.fact, own.value, own.unit, witness.file, own.witness AS trust
FROM witness_fact AS own JOIN witness ON witness.id = own.witness WHERE own.value > 0
