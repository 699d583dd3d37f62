/*---
about: >-
  1,200 equal parts of the traced span of a run, in order from 0; none of a time of fewer nanoseconds [ns].
---*/
SELECT CAST(bin AS INTEGER) AS bin,
    start + CAST((stop - start)::HUGEINT * bin // 1200 AS BIGINT) AS start,
    start + CAST((stop - start)::HUGEINT * (bin + 1) // 1200 AS BIGINT) AS stop
FROM traced_span CROSS JOIN range(1200) AS bins(bin) WHERE stop - start >= 1200
