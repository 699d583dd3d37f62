/*---
about: >-
  How long each trace line was busy in each of 1,200 equal parts of the run; no row where it was idle.
when: trace
columns:
  profile: INTEGER; Profile, index in table profile [id]
  kind: VARCHAR; CPU thread or GPU stream [text]
  bin: INTEGER; Part, from 0 [id]
  busy: BIGINT; Time in which an operation or the thread ran [ns]
---*/
-- What begins and ends in one bin is added up there. Of the rest, begins and ends tell by bin how much of the two
-- lies in it and how many last through the bins between: few rows, however many activities there are.
WITH bounds AS (
    SELECT start, stop, stop - start AS whole FROM traced_span WHERE stop - start >= 1200
),
part AS (
    SELECT activity.profile, bin_of(activity.start - bounds.start, whole, 1200) AS "first",
        bin_of(activity.stop - 1 - bounds.start, whole, 1200) AS "last",
        CAST(count(*) AS HUGEINT) AS number, sum(activity.start) AS starts, sum(activity.stop) AS stops
    FROM (
        SELECT profile, start, start + duration AS stop FROM gpu_operation WHERE duration > 0
        UNION ALL
        SELECT sample.profile, sample.taken, sample.taken + least(line.longest, sample.stay)
        FROM host_sample AS sample
        JOIN trace_line AS line ON line.profile = sample.profile
        WHERE sample.duration > 0
        UNION ALL
        SELECT profile, start, sample FROM long_sample
    ) AS activity
    CROSS JOIN bounds
    GROUP BY ALL
),
slot AS MATERIALIZED (
    SELECT bin, start, stop FROM run_bins(1200)
),
edge AS (
    SELECT profile, "first" AS bin, stops - starts AS inside, 0 AS number FROM part WHERE "first" = "last"
    UNION ALL
    SELECT part.profile, part."first", part.number * slot.stop - part.starts, part.number
    FROM part JOIN slot ON slot.bin = part."first"
    WHERE part."first" < part."last"
    UNION ALL
    SELECT part.profile, part."last", part.stops - part.number * slot.stop, -part.number
    FROM part JOIN slot ON slot.bin = part."last"
    WHERE part."first" < part."last"
),
level AS (
    SELECT profile, bin, sum(inside) AS inside, sum(sum(number)) OVER line AS through,
        lead(bin, 1, bin + 1) OVER line AS following, sum(number) AS number
    FROM edge
    GROUP BY profile, bin
    WINDOW line AS (PARTITION BY profile ORDER BY bin)
)
SELECT level.profile, line.kind, CAST(level.bin AS INTEGER) AS bin, CAST(level.busy AS BIGINT)
FROM (
    SELECT level.profile, slot.bin,
        CASE WHEN slot.bin = level.bin THEN level.inside + (through - number) * (slot.stop - slot.start)
            ELSE through * (slot.stop - slot.start) END AS busy
    FROM (SELECT *, unnest(range(bin, CASE WHEN through > 0 THEN following ELSE bin + 1 END)) AS within FROM level) AS level
    JOIN slot ON slot.bin = level.within
) AS level
JOIN trace_line AS line ON line.profile = level.profile
WHERE level.busy > 0
