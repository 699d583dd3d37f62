/*---
name: gpu_idle
about: >-
  Times without any operation on a GPU: before the first one, between operations, after the last one [ns].
---*/
SELECT device, 'between' AS period, start, stop, short FROM gpu_gap
UNION ALL
SELECT gpu.device, 'before', traced_span.start, gpu.start, false FROM gpu_device AS gpu JOIN traced_span ON traced_span.start < gpu.start
UNION ALL
SELECT gpu.device, 'after', gpu.stop, traced_span.stop, false FROM gpu_device AS gpu JOIN traced_span ON traced_span.stop > gpu.stop

/*---
name: idle_periods
about: >-
  What a gap belongs to that begins from a moment on [ns], the first one without a begin: earlier work and start-up as in run_phases, each
  iteration by its mark (warm-up, steady, outlier, last), the end; all is between in a run without iterations.
---*/
WITH early AS MATERIALIZED (
    SELECT bool_or(phase = 'earlier work') AS works, min(start) FILTER (WHERE phase = 'start-up') AS start
    FROM run_phases WHERE EXISTS (FROM iteration)
)
SELECT CAST(NULL AS BIGINT) AS start,
    CASE WHEN NOT EXISTS (FROM iteration) THEN 'between' WHEN works THEN 'earlier work' ELSE 'start-up' END AS period FROM early
UNION ALL
SELECT start, 'start-up' FROM early WHERE works AND start IS NOT NULL
UNION ALL
SELECT start, CASE mark WHEN '' THEN 'steady' WHEN 'incomplete' THEN 'last' ELSE mark END FROM iteration
UNION ALL
SELECT max(stop), 'end' FROM iteration HAVING count(*) > 0

/*---
name: idle_pieces
about: >-
  Times without any operation on a GPU, cut where its first iteration begins, the warm-up ends, an incomplete
  last iteration begins and the last one ends: of several GPUs another one may then be idle. place is as in gpu_idle; of a run with
  iterations, before ends with the first one's begin, and after begins with the last one's end. short tells
  whether PC sampling may have made it. counts is the moment by which idle_periods tell what it belongs to: its
  begin, or that of the first iteration where it is in this and before the mean over GPUs of its begin; NULL
  before it, and in a run without iterations [ns].
---*/
WITH bound AS (
    SELECT gpu.device, gpu.mean, gpu.start AS first, whole.complete, whole.last,
        greatest(gpu.start, CASE whole.warm WHEN gpu.mean THEN gpu.start ELSE whole.warm END) AS warm
    FROM begins_on_gpus AS gpu
    CROSS JOIN (
        SELECT coalesce(min(start) FILTER (WHERE mark <> 'warm-up'), max(stop)) AS warm, max(stop) AS last,
            coalesce(min(start) FILTER (WHERE mark = 'incomplete'), max(stop)) AS complete FROM iteration
    ) AS whole
),
phase AS (
    SELECT device, unnest([
        {'start': -9223372036854775807, 'stop': first, 'least': NULL, 'before': true, 'after': false},
        {'start': first, 'stop': warm, 'least': mean, 'before': false, 'after': false},
        {'start': warm, 'stop': complete, 'least': mean, 'before': false, 'after': false},
        {'start': greatest(warm, complete), 'stop': last, 'least': mean, 'before': false, 'after': false},
        {'start': coalesce(last, -9223372036854775807), 'stop': 9223372036854775807, 'least': last, 'before': last IS NULL, 'after': true}
    ], recursive := true)
    FROM bound
)
SELECT idle.device,
    CASE WHEN idle.period = 'before' AND phase.before OR idle.period = 'after' AND phase.after THEN idle.period ELSE 'between' END AS place,
    idle.short, greatest(idle.start, phase.start) AS start, least(idle.stop, phase.stop) AS stop,
    CASE WHEN phase.least IS NOT NULL THEN greatest(idle.start, phase.start, phase.least) END AS counts
FROM gpu_idle AS idle JOIN phase ON phase.device = idle.device AND idle.start < phase.stop AND idle.stop > phase.start AND phase.start < phase.stop

/*---
name: long_waits
about: >-
  The longest gap of each GPU in each steady iteration, by its begin, where that is a wait of its own: more than
  5 ms and a fifth of the iteration, by the medians [ns].
---*/
SELECT gap.device, arg_max(gap.start, {'length': gap.duration, 'first': -gap.start}) AS start
FROM gpu_gap AS gap
ASOF JOIN (
    SELECT own.* FROM steady_iterations AS own CROSS JOIN iteration_length AS usual
    QUALIFY median(own.longest_gap) OVER () > 5e6 AND median(own.longest_gap) OVER () > 0.2 * usual.length
) AS steady ON gap.start >= steady.start
WHERE gap.start < steady.start + steady.duration
GROUP BY gap.device, steady.iteration

/*---
name: idle_gaps
about: >-
  Times without any operation on a GPU, each moment once: see idle_pieces. With when it begins (before the first
  operation, or idle_periods), and whether it is short (PC sampling may have made it), the long wait of its
  iteration, or other; inside tells whether it lies between operations, as all does of which blame is [ns].
---*/
SELECT idle.device, idle.start, idle.stop, idle.stop - idle.start AS duration,
    CASE idle.place WHEN 'before' THEN 'before' WHEN 'after' THEN 'end' ELSE coalesce(later.period, early.period, first.period) END AS period,
    CASE WHEN idle.short THEN 'short' WHEN long_wait.start IS NOT NULL THEN 'wait' ELSE 'other' END AS gap,
    idle.place = 'between' AS inside
FROM idle_pieces AS idle
CROSS JOIN (SELECT period FROM idle_periods WHERE start IS NULL) AS first
ASOF LEFT JOIN (FROM idle_periods WHERE start IS NOT NULL) AS later ON later.start <= idle.counts
LEFT JOIN (FROM idle_periods WHERE start IS NOT NULL AND period = 'start-up') AS early ON early.start <= idle.start
LEFT JOIN long_waits AS long_wait ON long_wait.device = idle.device AND long_wait.start = idle.start

/*---
name: idle_total
about: >-
  Idle time of GPUs by kind: sums over idle_gaps.
when: gpu_operation
columns:
  period: "VARCHAR; When it begins: see idle_gaps [text]"
  gap: "VARCHAR; Kind of gap: see idle_gaps [text]"
  inside: BOOLEAN; Whether it lies between operations
  first: BIGINT; Begin of the first one, since the epoch [ns]
  duration: HUGEINT; Time, the sum over GPUs [ns]
---*/
SELECT period, gap, inside, min(start) AS first, sum(duration) AS duration FROM idle_gaps GROUP BY period, gap, inside

/*---
name: queued_idle
about: >-
  Idle time of the only GPU of a run in which its next operation had been launched, where that is more than 5 ms: an idle GPU begins within
  microseconds, or where it loads a kernel first, some milliseconds. queued is the time from the launch, or from the begin of the idle
  time, on [ns]. Of several GPUs one may wait for another.
---*/
SELECT idle.period, idle.start, idle.stop, max(idle.stop - greatest(idle.start, call.start + call.duration)) AS queued
FROM gpu_idle AS idle
JOIN gpu_operation AS ran ON ran.start = idle.stop
JOIN host_call AS call ON call.id = ran.call
WHERE gpus() = 1 AND idle.period <> 'after' AND ran.duration > 0
GROUP BY idle.period, idle.start, idle.stop
HAVING max(idle.stop - greatest(idle.start, call.start + call.duration)) > 5e6

/*---
name: steady_gaps
about: >-
  Gaps of each GPU as far as they lie in steady_span [ns].
---*/
SELECT gap.device, greatest(gap.start, part.start) AS start, least(gap.stop, part.stop) AS stop,
    least(gap.stop, part.stop) - greatest(gap.start, part.start) AS duration
FROM gpu_gap AS gap
JOIN gpu_parts AS part
    ON part.device = gap.device AND gap.start < part.stop AND gap.stop > part.start
    AND part.part = if(EXISTS (FROM steady_iterations), 'steady iterations', 'run')

/*---
name: steady_idle
about: >-
  How long no operation ran on each GPU in the steady iterations, or without any from the first operation of the run to the
  last one (idle), and how long those are: a GPU that begins later, or ends earlier, is idle there [ns].
---*/
SELECT part.device, any_value(part.stop - part.start) AS length,
    any_value(part.stop - part.start) - coalesce(sum(least(level.stop, part.stop) - greatest(level.start, part.start)), 0) AS idle
FROM gpu_parts AS part
LEFT JOIN gpu_level AS level
    ON level.device = part.device AND level.start < part.stop AND level.stop > part.start
    AND level.kernels + level.copies + level.others > 0
WHERE part.part = if(EXISTS (FROM steady_iterations), 'steady iterations', 'run')
GROUP BY part.device
