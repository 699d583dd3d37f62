/*---
about: >-
  How long each trace line was busy in each of 1,200 equal parts of the run; no row where it was idle.
when: FROM trace_line
columns:
  profile: INTEGER; Profile, index in table profile [id]
  kind: VARCHAR; CPU thread or GPU stream [text]
  bin: INTEGER; Part, from 0 [id]
  busy: BIGINT; Time in which an operation or the thread ran [ns]
---*/
-- What is in the bin in which it begins is added up by one key; only what lasts into others is taken apart.
WITH bounds AS (
    SELECT start, stop, stop - start AS whole FROM traced_span WHERE stop - start >= 1200
),
activity AS NOT MATERIALIZED (
    SELECT profile, start, start + duration AS stop FROM gpu_operation WHERE duration > 0
    UNION ALL
    SELECT sample.profile, sample.taken, sample.taken + least(line.longest, sample.stay)
    FROM host_sample AS sample JOIN trace_line AS line ON line.profile = sample.profile WHERE sample.duration > 0
    UNION ALL
    SELECT profile, start, sample FROM long_sample
    UNION ALL
    SELECT profile, start, start + duration FROM host_stay
),
begun AS NOT MATERIALIZED (
    SELECT activity.*, bin_of(activity.start - bounds.start, whole, 1200) AS bin FROM activity CROSS JOIN bounds
),
used AS (
    SELECT profile * 1200 + bin AS place, sum(amount) AS amount
    FROM (
        SELECT begun.profile, begun.bin, least(begun.stop, slot.stop) - begun.start AS amount
        FROM begun JOIN run_bins AS slot ON slot.bin = begun.bin
    )
    GROUP BY place
    UNION ALL
    SELECT later.profile * 1200 + later.bin, least(later.stop, slot.stop) - slot.start
    FROM (
        SELECT begun.profile, begun.stop,
            unnest(range(begun.bin + 1, bin_of(begun.stop - 1 - bounds.start, whole, 1200) + 1)) AS bin
        FROM begun JOIN run_bins AS slot ON slot.bin = begun.bin AND slot.stop < begun.stop CROSS JOIN bounds
    ) AS later
    JOIN run_bins AS slot ON slot.bin = later.bin
)
SELECT line.profile, line.kind, CAST(used.place % 1200 AS INTEGER) AS bin, CAST(used.amount AS BIGINT) AS busy
FROM (SELECT place, sum(amount) AS amount FROM used GROUP BY place HAVING sum(amount) > 0) AS used
JOIN trace_line AS line ON line.profile = used.place // 1200
