/*---
about: >-
  Cost of call frames by metric (name), of those by which functions are ranked: the time of GPU operations,
  elapsed time and the run's CPU event. Exclusive is of the frame itself, inclusive with all that it called.
---*/
SELECT name, context AS frame,
    coalesce(sum(value) FILTER (WHERE scope = 'function'), 0) AS exclusive,
    coalesce(sum(value) FILTER (WHERE scope = 'execution'), 0) AS inclusive
FROM cost
WHERE scope IN ('function', 'execution') AND name IN ('gpu_operation_time', 'elapsed_time', cpu_event_of())
    AND context IN (SELECT frame FROM frame)
GROUP BY name, context
