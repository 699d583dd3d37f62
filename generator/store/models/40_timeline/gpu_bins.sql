/*---
about: >-
  How long any operation, a kernel and a copy ran on a GPU, the mean over GPUs, in equal parts of the run (whole
  is run) or of steady_span (whole is steady) [ns].
given: [number, whole]
---*/
WITH bounds AS (
    SELECT CASE whole WHEN 'run' THEN traced_span.start ELSE steady.start END AS start,
        CASE whole WHEN 'run' THEN traced_span.stop ELSE steady.stop END AS stop
    FROM traced_span CROSS JOIN steady_span AS steady
),
slot AS MATERIALIZED (
    FROM equal_bins((SELECT start FROM bounds), (SELECT stop FROM bounds), number)
),
part AS (
    SELECT level.start, level.stop, level.kernels > 0 AS kernel, level.copies > 0 AS copy,
        bin_of(level.start - bounds.start, bounds.stop - bounds.start, number) AS first_bin,
        bin_of(level.stop - 1 - bounds.start, bounds.stop - bounds.start, number) AS last_bin
    FROM (
        SELECT greatest(level.start, bounds.start) AS start, least(level.stop, bounds.stop) AS stop, kernels, copies
        FROM gpu_level AS level CROSS JOIN bounds
        WHERE level.kernels + level.copies + level.others > 0 AND level.start < bounds.stop AND level.stop > bounds.start
    ) AS level
    CROSS JOIN bounds
    WHERE bounds.stop - bounds.start >= number
),
used AS (
    SELECT first_bin AS bin, kernel, copy, sum(stop - start) AS amount
    FROM part
    WHERE first_bin = last_bin
    GROUP BY ALL
    UNION ALL
    SELECT slot.bin, part.kernel, part.copy, sum(least(part.stop, slot.stop) - greatest(part.start, slot.start))
    FROM (SELECT *, unnest(range(first_bin, last_bin + 1)) AS bin FROM part WHERE first_bin < last_bin) AS part
    JOIN slot ON slot.bin = part.bin
    GROUP BY ALL
)
SELECT slot.bin, slot.start, slot.stop,
    coalesce(sum(used.amount), 0) / gpus() AS busy,
    coalesce(sum(used.amount) FILTER (WHERE used.kernel), 0) / gpus() AS kernel,
    coalesce(sum(used.amount) FILTER (WHERE used.copy), 0) / gpus() AS copy
FROM slot
LEFT JOIN used ON used.bin = slot.bin
GROUP BY slot.bin, slot.start, slot.stop
