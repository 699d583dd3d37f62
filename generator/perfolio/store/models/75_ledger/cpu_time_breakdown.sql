/*---
name: cpu_stretch
about: >-
  What each CPU thread does, by its samples of elapsed time, from its first one to its last one in stretches without a
  break: works, waits, or late, where it was due to work and had no core, or the kernel or the profiler held it. A sample
  of work stands for one punctual distance before it (punctual_distance; two usual ones where samples are few), unless it
  is less than a tenth later: what is before that was late. No rows of CPU time, nor of a run with more than a million
  samples, which are too many to sort in the memory that a store may take [ns].
---*/
WITH sample AS (
    SELECT sample.profile, sample.taken, sample.distance, coalesce(frame.role IN ('waiting', 'gpu wait'), false) AS waits,
        least(coalesce(punctual.distance, 2 * usual.distance), 2 * usual.distance) AS in_time
    FROM host_sample AS sample
    JOIN (SELECT max(longest) / 10 AS distance FROM trace_line WHERE clock = 'elapsed' AND kind = 'CPU thread') AS usual ON usual.distance > 0
    LEFT JOIN enclosing_frame AS enclosing ON enclosing.context = sample.context
    LEFT JOIN frame ON frame.frame = enclosing.frame
    LEFT JOIN punctual_distance AS punctual ON punctual.profile = sample.profile AND punctual.role = frame.role
    WHERE sample.distance > 0 AND (SELECT sum(active) FROM trace_line WHERE kind = 'CPU thread') <= 1000000
),
told AS (
    SELECT profile, taken, waits, taken - distance AS begun,
        CASE WHEN waits OR distance <= 1.1 * in_time THEN taken - distance ELSE taken - CAST(in_time AS BIGINT) END AS start
    FROM sample
),
numbered AS (
    SELECT profile, waits, start, taken, sum(CAST(apart AS INTEGER)) OVER (PARTITION BY profile ORDER BY taken) AS number
    FROM (SELECT *, coalesce(start > lag(taken) OVER line OR waits <> lag(waits) OVER line, true) AS apart FROM told
        WINDOW line AS (PARTITION BY profile ORDER BY taken))
)
SELECT profile, CASE WHEN any_value(waits) THEN 'waits' ELSE 'works' END AS state, min(start) AS start, max(taken) AS stop
FROM numbered GROUP BY profile, number
UNION ALL
SELECT profile, 'late', begun, start FROM told WHERE start > begun

/*---
name: cpu_wall
about: >-
  Elapsed time of a run by how many CPU threads are alive at once, and work, wait or are late (cpu_stretch): all of it
  from the first trace point of a thread to the last one, each moment once [ns].
---*/
WITH event AS (
    SELECT start AS moment, 0 AS alive, CAST(state = 'works' AS INTEGER) AS works, CAST(state = 'waits' AS INTEGER) AS waits,
        CAST(state = 'late' AS INTEGER) AS late
    FROM cpu_stretch
    UNION ALL
    SELECT stop, 0, -CAST(state = 'works' AS INTEGER), -CAST(state = 'waits' AS INTEGER), -CAST(state = 'late' AS INTEGER) FROM cpu_stretch
    UNION ALL
    SELECT start, 1, 0, 0, 0 FROM trace_line WHERE kind = 'CPU thread'
    UNION ALL
    SELECT stop, -1, 0, 0, 0 FROM trace_line WHERE kind = 'CPU thread'
),
summed AS (SELECT moment, sum(alive) AS alive, sum(works) AS works, sum(waits) AS waits, sum(late) AS late FROM event GROUP BY moment)
SELECT CAST(alive AS INTEGER) AS alive, CAST(works AS INTEGER) AS works, CAST(waits AS INTEGER) AS waits, CAST(late AS INTEGER) AS late, sum(ns) AS ns
FROM (
    SELECT sum(alive) OVER line AS alive, sum(works) OVER line AS works, sum(waits) OVER line AS waits, sum(late) OVER line AS late,
        lead(moment) OVER line - moment AS ns
    FROM summed WINDOW line AS (ORDER BY moment)
) WHERE ns > 0 GROUP BY ALL

/*---
name: host_waits
about: >-
  Time of each host thread in calls in which it waits for a GPU (blocking_calls), by the period of the run in which it
  passes (see idle_periods). Calls within another one count once [ns].
when: FROM host_call
---*/
WITH call AS (
    SELECT profile, start, stop FROM blocking_calls WHERE waits
    QUALIFY coalesce(max(stop) OVER (
        PARTITION BY profile ORDER BY start, stop DESC, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) <= start, true)
),
period AS (
    SELECT period, coalesce(start, -9223372036854775807) AS start, lead(start, 1, 9223372036854775807) OVER (ORDER BY start NULLS FIRST) AS stop
    FROM idle_periods
)
SELECT coalesce(profile.rank, 0) AS rank, call.profile, period.period,
    CAST(sum(least(call.stop, period.stop) - greatest(call.start, period.start)) AS BIGINT) AS ns
FROM call
JOIN period ON period.start < call.stop AND period.stop > call.start
JOIN profile ON profile."index" = call.profile
GROUP BY ALL
