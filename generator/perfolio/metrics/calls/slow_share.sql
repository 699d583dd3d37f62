/*---
title: Slow launches and copies, share of their calls
unit: ratio
better: lower
definition: Of the calls that launch a kernel or copy, the share that takes more than 50 µs.
population: calls of all threads that launch a kernel, or start a copy without waiting for it
needs: [host_call]
source: begin and end of each call; 50 µs is the limit of Holistic Trace Analysis
empty: no such call was recorded
---*/
SELECT avg(CAST(duration > 50000 AS INTEGER)) AS value, count(*) AS n
FROM host_call
WHERE regexp_matches(name, '(?i)launch') AND NOT regexp_matches(name, '(?i)graph|host')
    OR regexp_matches(name, '(?i)^(cuda|cu|hip)Mem(cpy|set)') AND name ILIKE '%async%'
HAVING count(*) > 0
