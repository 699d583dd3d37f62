/*---
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
