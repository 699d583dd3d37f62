/*---
about: >-
  Time in which no CPU thread runs and no GPU operation, between the first and the last of them (cpu_interval),
  of runs that were sampled by the running clock.
when: FROM trace_line WHERE clock = 'running'
columns:
  context: UINTEGER; Calling context of the sample that ends it, 0 of a GPU operation [id]
  duration: BIGINT; Time [ns]
  clocked: >-
    BIGINT?; Part of it that ends with a sample taken a whole number of the timer's periods after the thread's
    last one (timer_gaps): the thread's CPU clock ran, waits end so by chance only. NULL where that is not told,
    or the run has GPU operations [ns]
---*/
-- Operations of a GPU follow each other for long, so that only what they are together is put in order.
WITH fresh AS (
    SELECT device, start, stop,
        coalesce(lag(stop) OVER () <> start OR lag(device) OVER () <> device, true) AS fresh
    FROM gpu_level WHERE kernels + copies + others > 0
),
gpu_busy AS (
    SELECT min(start) AS start, max(stop) AS stop
    FROM (SELECT device, start, stop, sum(CAST(fresh AS INTEGER)) OVER (ROWS UNBOUNDED PRECEDING) AS place FROM fresh)
    GROUP BY place
),
idle AS (
    SELECT profile, taken, context, start AS stop,
        max(stop) OVER (ORDER BY start, stop, context ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS start
    FROM (
        SELECT profile, taken, context, start, stop FROM cpu_interval
        UNION ALL
        SELECT NULL, NULL, 0, start, stop FROM gpu_busy
    )
)
SELECT idle.context, sum(idle.stop - idle.start) AS duration,
    sum(CASE WHEN gap.whole THEN idle.stop - idle.start WHEN NOT gap.whole THEN 0 END) AS clocked
FROM idle
LEFT JOIN (FROM timer_gaps WHERE NOT EXISTS (FROM gpu_span)) AS gap ON gap.profile = idle.profile AND gap.taken = idle.taken
WHERE idle.stop > idle.start AND EXISTS (FROM trace_line WHERE clock = 'running')
GROUP BY idle.context
