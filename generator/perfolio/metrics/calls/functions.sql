/*---
title: Calls of the GPU's runtime
better: lower
definition: >-
  Calls of each function of the GPU's runtime and driver: how many, their time, and the longest one. Calls that lie
  within another one count in both. With the share of the time of the run in which any thread is in such a call.
population: all calls that were recorded, of all threads; the first 30 by time
needs: [host_call]
source: begin and end of each call
empty: no call was recorded
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: calls, title: 'Calls', unit: count}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of the run', unit: ratio}
  - {name: mean, title: 'Mean', unit: s}
  - {name: longest, title: 'Longest', unit: s}
---*/
WITH call AS (
    SELECT name, start, duration, max(start + duration) OVER earlier AS reached
    FROM host_call
    WINDOW earlier AS (PARTITION BY name ORDER BY start, duration ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
SELECT call.name AS "function", count(*) AS calls, sum(call.duration) / 1e9 AS "time",
    sum(greatest(call.start + call.duration - greatest(call.start, coalesce(call.reached, call.start)), 0))
        / nullif(any_value(span.stop - span.start), 0) AS share,
    avg(call.duration) / 1e9 AS mean, max(call.duration) / 1e9 AS longest
FROM call LEFT JOIN traced_span AS span ON true
GROUP BY call.name ORDER BY "time" DESC, call.name LIMIT 30
