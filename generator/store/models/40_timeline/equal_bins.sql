/*---
about: >-
  Equal parts of a time, in order from 0; none of a time of fewer nanoseconds than parts.
given: [first, last, number]
---*/
SELECT CAST(bin AS INTEGER) AS bin,
    first + CAST((last - first)::HUGEINT * bin // number AS BIGINT) AS start,
    first + CAST((last - first)::HUGEINT * (bin + 1) // number AS BIGINT) AS stop
FROM range(number) AS bins(bin)
WHERE last - first >= number
