/*---
title: Slow launches and copies, share of the run
unit: ratio
better: lower
definition: >-
  Time that one host thread was in calls that launch a kernel or start a copy and take more than 50 µs each, as a share of the
  time of the run: the thread with the most of it. Calls that lie within another one count once.
population: calls of all threads that launch a kernel, or start a copy without waiting for it
needs: [host_call]
source: begin and end of each call; 50 µs is the limit of Holistic Trace Analysis
caveat: What such a call waited for is not recorded. The first launch of a kernel loads its code.
empty: no such call was recorded
---*/
WITH call AS (
    SELECT profile, start, start + duration AS stop
    FROM host_call
    WHERE regexp_matches(name, '(?i)launch') AND NOT regexp_matches(name, '(?i)graph|host')
        OR regexp_matches(name, '(?i)^(cuda|cu|hip)Mem(cpy|set)') AND name ILIKE '%async%'
),
slow AS (
    SELECT profile, stop - start AS spent
    FROM call WHERE stop - start > 50000
    QUALIFY start >= coalesce(max(stop) OVER (
        PARTITION BY profile ORDER BY start, stop DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ), start)
)
SELECT coalesce((SELECT max(spent) FROM (SELECT sum(spent) AS spent FROM slow GROUP BY profile)), 0)
    / nullif(any_value(span.stop - span.start), 0) AS value, count(*) AS n
FROM call CROSS JOIN traced_span AS span HAVING count(*) > 0
