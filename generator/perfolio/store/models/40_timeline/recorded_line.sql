/*---
about: >-
  One row per trace line that has points, as trace_line, but with the time after a sample before long samples are known.
---*/
-- The distance of samples is a median over classes that are 0.1 % wide, since a median of all
-- needs them all in memory. A sample of CPU time stands for one period of it; of a thread whose
-- CPU time is known, for no more than that divided by its samples. Long samples follow.
WITH line AS (
    SELECT points.*, profile.kind
    FROM (
        SELECT profile, count(*) AS points, CAST(min("time") AS BIGINT) AS start,
            CAST(max("time") AS BIGINT) AS stop, count(*) FILTER (WHERE context <> 0) AS active
        FROM trace GROUP BY profile
    ) AS points
    JOIN profile ON profile."index" = points.profile
),
launching AS (
    SELECT DISTINCT profile FROM host_sample WHERE context IN (SELECT context FROM launching_contexts)
),
class AS (
    SELECT again, CAST(1000 * ln(duration) AS INTEGER) AS class, count(*) AS samples, avg(duration) AS distance
    FROM host_sample WHERE duration > 0 GROUP BY ALL
),
period AS (
    SELECT CAST(min(distance) AS BIGINT) AS period
    FROM (
        SELECT distance, sum(samples) OVER (ORDER BY class) AS upto, sum(samples) OVER () AS whole
        FROM class WHERE again = (SELECT bool_or(again) FROM class)
    )
    WHERE 2 * upto >= whole
),
limited AS (
    SELECT line.*, cpu_clock() AS clock, period.period, recorded.value / line.active * 1e9 AS cpu_time
    FROM line
    CROSS JOIN period
    LEFT JOIN profile_total AS recorded
        ON recorded.profile = line.profile AND recorded.name = 'cpu_time' AND recorded.value > 0
    WHERE line.kind <> 'GPU stream'
)
SELECT line.profile, CASE line.kind WHEN 'GPU stream' THEN line.kind ELSE 'CPU thread' END AS kind,
    line.points, line.start, line.stop, line.active,
    CAST(floor(least(
        CASE limited.clock WHEN 'running' THEN limited.period ELSE 10 * limited.period END, limited.cpu_time
    )) AS BIGINT) AS longest,
    limited.clock, line.kind <> 'GPU stream' AND launching.profile IS NOT NULL AS launching
FROM line LEFT JOIN limited ON limited.profile = line.profile LEFT JOIN launching ON launching.profile = line.profile
