/*---
name: fed_gpus
about: >-
  The GPUs that each launching thread may feed: those of its node and rank, or all where the profile does not
  tell.
---*/
SELECT line.profile, gpu_device.device FROM trace_line AS line
JOIN profile ON profile."index" = line.profile
JOIN gpu_device ON coalesce(profile.node = gpu_device.node, true) AND coalesce(profile.rank = gpu_device.rank, true)
WHERE line.launching

/*---
name: launch_period
about: >-
  The distance of samples of threads that launch GPU operations; NULL where none is [ns].
value: true
---*/
SELECT max(CASE clock WHEN 'running' THEN longest ELSE longest // 10 END) FROM trace_line WHERE launching

/*---
name: launching_interval
about: >-
  When threads that launch GPU operations ran: see cpu_interval [ns].
---*/
SELECT held.profile, held.context, held.taken, held.start, held.stop
FROM cpu_interval AS held JOIN trace_line AS line ON line.profile = held.profile AND line.launching

/*---
name: fed_samples
about: >-
  Samples of launching threads for each GPU that they feed (see launching_interval), each of which stands for a
  period [ns].
---*/
SELECT fed.device, held.profile, held.context, held.taken, held.start, held.stop, launch_period() AS stands
FROM launching_interval AS held JOIN fed_gpus AS fed ON fed.profile = held.profile

/*---
name: drops_samples
about: >-
  Whether the profiler drops samples of threads that launch GPU operations while they run: three in four of
  their stretches of a period and a half or more are a whole number of periods (timer_gaps), of which waits
  alone are half at most.
value: true
---*/
-- Where most stretches of two periods or more are whole numbers of them, the profiler drops samples while threads run, of some
-- code most: there a sample stands for all that passed since the thread's last one, as on the main thread (main_stretch), less
-- a period for each sample of other threads. Where a stretch is a wait, it is that of what comes after.
SELECT coalesce(avg(CAST(gap.whole AS INTEGER)) >= 0.75, false)
FROM timer_gaps AS gap JOIN trace_line AS line ON line.profile = gap.profile AND line.launching WHERE gap.gap > 1.5 * line.longest

/*---
name: launching_samples
about: >-
  The rows of fed_samples, but where drops_samples each stands for the time since the thread's last sample, less
  a period for each sample of another thread in it [ns].
---*/
WITH drops AS MATERIALIZED (SELECT drops_samples() AS drops),
placed AS (
    SELECT *, row_number() OVER (PARTITION BY device ORDER BY taken, profile) AS place
    FROM fed_samples WHERE (SELECT drops FROM drops)
)
FROM fed_samples WHERE NOT (SELECT drops FROM drops)
UNION ALL
SELECT device, profile, context, taken, start, stop, CASE WHEN start = taken THEN greatest(taken - before - others * stands, stands) ELSE stands END
FROM (
    SELECT *, lag(taken) OVER line AS before, place - lag(place) OVER line - 1 AS others
    FROM placed
    WINDOW line AS (PARTITION BY device, profile ORDER BY place)
)
