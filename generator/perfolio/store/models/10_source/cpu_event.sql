/*---
about: >-
  The event by which CPU cost is ranked in a run: CPU time, else elapsed thread time, else cycles, else the
  largest event.
---*/
SELECT name, value, CASE name WHEN 'cpu_time' THEN 'CPU-s' WHEN 'elapsed_time' THEN 'thread-s' WHEN 'cost_share' THEN 'ratio'
    ELSE CASE WHEN is_clock(name) THEN 'CPU-ns' ELSE 'events' END END AS unit
FROM total
WHERE is_cpu_event(name)
QUALIFY row_number() OVER (
    ORDER BY CASE WHEN name = 'cpu_time' THEN 0 WHEN name = 'elapsed_time' THEN 1
        WHEN lower(name) LIKE '%cycles%' THEN 2 ELSE 3 END, value DESC, name
) = 1
