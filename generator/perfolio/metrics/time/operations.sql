/*---
title: GPU operations by kind
better: neither
definition: >-
  Number and duration of GPU operations in the trace, by kind. Durations that the tool recorded
  wrongly (after an idle of exactly 1 ns) are replaced by the median of the same calling
  context.
population: >-
  GPU operations of all streams
needs: [gpu_trace]
source: traces
columns:
  - {name: operation, title: 'Operation', unit: text}
  - {name: count, title: 'Count', unit: count}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share', unit: ratio}
  - {name: median, title: 'Median', unit: s}
  - {name: longest, title: 'Longest', unit: s}
---*/
SELECT operation, count(*) AS "count", sum(duration) / 1e9 AS "time", sum(duration) / sum(sum(duration)) OVER () AS share,
    median(duration) / 1e9 AS median, max(duration) / 1e9 AS longest
FROM gpu_operation
GROUP BY operation
ORDER BY sum(duration) DESC, operation
