/*---
about: >-
  How long each trace line was busy in equal parts of the run; parts without a row were idle [ns].
given: [number]
---*/
WITH bounds AS (
    SELECT start, stop FROM traced_span WHERE stop - start >= number
),
slot AS MATERIALIZED (
    FROM run_bins(number)
),
part AS (
    SELECT activity.*,
        bin_of(activity.start - bounds.start, bounds.stop - bounds.start, number) AS first_bin,
        bin_of(activity.stop - 1 - bounds.start, bounds.stop - bounds.start, number) AS last_bin
    FROM (
        SELECT profile, start, start + duration AS stop FROM gpu_operation WHERE duration > 0
        UNION ALL
        SELECT profile, start, stop FROM cpu_interval
    ) AS activity
    CROSS JOIN bounds
)
SELECT used.profile, trace_line.kind, CAST(used.bin AS INTEGER) AS bin, CAST(sum(used.amount) AS BIGINT) AS busy
FROM (
    SELECT profile, first_bin AS bin, sum(stop - start) AS amount
    FROM part
    WHERE first_bin = last_bin
    GROUP BY ALL
    UNION ALL
    SELECT part.profile, slot.bin, sum(least(part.stop, slot.stop) - greatest(part.start, slot.start))
    FROM (SELECT *, unnest(range(first_bin, last_bin + 1)) AS bin FROM part WHERE first_bin < last_bin) AS part
    JOIN slot ON slot.bin = part.bin
    GROUP BY ALL
) AS used
JOIN trace_line ON trace_line.profile = used.profile
GROUP BY used.profile, trace_line.kind, used.bin
