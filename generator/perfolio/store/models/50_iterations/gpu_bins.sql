/*---
about: >-
  How long any operation, a kernel and a copy ran on a GPU, the mean over GPUs, in equal parts, numbered
  from 0: 240 of the run and 30 of its steady_span (whole is run or steady). None of a time of fewer
  nanoseconds [ns].
---*/
WITH bounds AS (
    SELECT 'run' AS whole, 240 AS number, traced_span.start, traced_span.stop FROM traced_span CROSS JOIN steady_span
    UNION ALL
    SELECT 'steady', 30, start, stop FROM steady_span
),
slot AS MATERIALIZED (
    SELECT whole, CAST(bin AS INTEGER) AS bin,
        start + CAST((stop - start)::HUGEINT * bin // number AS BIGINT) AS start,
        start + CAST((stop - start)::HUGEINT * (bin + 1) // number AS BIGINT) AS stop
    FROM bounds CROSS JOIN range(240) AS bins(bin) WHERE bin < number AND stop - start >= number
),
part AS (
    SELECT whole, greatest(level.start, bounds.start) AS start, least(level.stop, bounds.stop) AS stop,
        level.kernels > 0 AS kernel, level.copies > 0 AS copy,
        bin_of(greatest(level.start - bounds.start, 0), bounds.stop - bounds.start, number) AS first_bin,
        bin_of(least(level.stop, bounds.stop) - 1 - bounds.start, bounds.stop - bounds.start, number) AS last_bin
    FROM gpu_level AS level
    JOIN bounds ON level.start < bounds.stop AND level.stop > bounds.start AND bounds.stop - bounds.start >= number
    WHERE level.kernels + level.copies + level.others > 0
),
used AS (
    SELECT whole, first_bin AS bin, kernel, copy, sum(stop - start) AS amount FROM part WHERE first_bin = last_bin GROUP BY ALL
    UNION ALL
    SELECT slot.whole, slot.bin, part.kernel, part.copy, sum(least(part.stop, slot.stop) - greatest(part.start, slot.start))
    FROM (SELECT *, unnest(range(first_bin, last_bin + 1)) AS bin FROM part WHERE first_bin < last_bin) AS part
    JOIN slot ON slot.whole = part.whole AND slot.bin = part.bin
    GROUP BY ALL
)
SELECT slot.whole, slot.bin, slot.start, slot.stop,
    coalesce(sum(used.amount), 0) / gpus() AS busy,
    coalesce(sum(used.amount) FILTER (WHERE used.kernel), 0) / gpus() AS kernel,
    coalesce(sum(used.amount) FILTER (WHERE used.copy), 0) / gpus() AS copy
FROM slot LEFT JOIN used ON used.whole = slot.whole AND used.bin = slot.bin GROUP BY slot.whole, slot.bin, slot.start, slot.stop
