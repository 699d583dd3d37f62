/*---
name: device_busy
about: >-
  Readings of the share of time in which a device had at least one kernel, or worked otherwise where a monitor reads that [ratio].
when: device_sample
---*/
SELECT witness, device, tick, max(value) AS value FROM device_sample WHERE measure IN ('gpu_active', 'graphics_active') GROUP BY ALL

/*---
name: power_reading
about: >-
  Readings of power [W] of each device, by one field of its monitor: that which is a mean of the last second, else the power of the moment.
  Whether the device had a kernel (is_active; NULL where no share of time tells), the stretch of readings without a change of that or a pause
  (of ten usual times between readings), and whether the reading counts for its state (is_settled): a second or more after the stretch began,
  as before it the mean has other power in it. Where no activity lasts for so long, all readings from a second after the first activity to the
  last one count as active. Without times all count.
when: device_sample
---*/
WITH read AS (
    SELECT own.witness, own.device, own.tick, own."time", own.value AS power, own.measure <> 'power_instant' AS is_mean, busy.value > 0 AS is_active,
        own."time" - lag(own."time") OVER (PARTITION BY own.witness, own.device, own.measure ORDER BY own.tick) AS since
    FROM device_sample AS own
    LEFT JOIN device_busy AS busy ON busy.witness = own.witness AND busy.device = own.device AND busy.tick = own.tick
    WHERE own.measure IN ('power', 'power_average', 'power_instant')
    QUALIFY own.measure = min(own.measure) OVER (PARTITION BY own.witness, own.device)
),
usual AS (SELECT witness, device, 10 * median(since) AS pause FROM read GROUP BY ALL),
begun AS (
    SELECT read.*, coalesce(
            is_active IS DISTINCT FROM lag(is_active) OVER (PARTITION BY read.witness, read.device ORDER BY tick) OR since > usual.pause, true
        ) AS begins
    FROM read JOIN usual ON usual.witness = read.witness AND usual.device = read.device
),
parted AS (
    SELECT begun.*, count(*) FILTER (WHERE begins) OVER (PARTITION BY witness, device ORDER BY tick ROWS UNBOUNDED PRECEDING) AS stretch FROM begun
),
settled AS (
    SELECT witness, device, tick, "time", power, is_active, stretch,
        NOT is_mean OR "time" IS NULL OR "time" - min("time") OVER (PARTITION BY witness, device, stretch) >= 1e9 AS is_settled,
        min("time") FILTER (WHERE is_active) OVER whole AS first, max("time") FILTER (WHERE is_active) OVER whole AS last
    FROM parted WINDOW whole AS (PARTITION BY witness, device)
),
told AS (
    SELECT settled.*, "time" >= first AND "time" <= last
        AND NOT bool_or(is_settled AND coalesce(is_active, false)) OVER (PARTITION BY witness, device) AS is_span
    FROM settled
)
SELECT witness, device, tick, "time", power, if(is_span, true, is_active) AS is_active, if(is_span, 0, stretch) AS stretch,
    if(is_span, "time" - first >= 1e9, is_settled) AS is_settled
FROM told

/*---
name: settled_power
about: >-
  Power of each device by state, of readings that count for it (power_reading): mean, its standard error [W] and number. Readings within
  a second are of one mean and count once for the error, which is NULL within one second or without times.
when: device_sample
---*/
SELECT witness, device, is_active, avg(power) AS power, count(*) AS n,
    if(count(DISTINCT "time" // 1000000000) > 1, stddev_samp(power) / sqrt(count(DISTINCT "time" // 1000000000)), NULL) AS error
FROM power_reading WHERE is_settled GROUP BY ALL

/*---
name: power_interval
about: >-
  Time between consecutive readings of power, in the state of the later one: its length [s], the energy by the trapezoid of both powers [J], and
  what these differ by times half of the length [J], by which a step between the readings can be off. In place of a power that does not count
  for the state stands the mean of those of its stretch that do, else the state's settled_power. Pauses of the monitor are left out.
when: device_sample
---*/
WITH level AS (
    SELECT own.*, coalesce(
            if(own.is_settled, own.power, avg(own.power) FILTER (WHERE own.is_settled) OVER (PARTITION BY own.witness, own.device, own.stretch)),
            state.power, own.power
        ) AS level
    FROM power_reading AS own
    LEFT JOIN settled_power AS state
        ON state.witness = own.witness AND state.device = own.device AND state.is_active IS NOT DISTINCT FROM own.is_active
),
step AS (
    SELECT witness, device, tick, is_active, level, ("time" - lag("time") OVER own) / 1e9 AS seconds,
        if(lag(stretch) OVER own = stretch, lag(level) OVER own, level) AS before
    FROM level WINDOW own AS (PARTITION BY witness, device ORDER BY tick)
)
SELECT witness, device, tick, is_active, seconds, seconds * (before + level) / 2 AS energy, seconds * abs(level - before) / 2 AS doubt
FROM step WHERE seconds > 0
QUALIFY seconds <= 10 * median(seconds) OVER (PARTITION BY witness, device)

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
