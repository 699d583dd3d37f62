/*---
about: >-
  The share of the wall time that passes from the end of the call that launched the first recorded operation of a GPU to its begin, of
  several GPUs the mean; no row where no such call was recorded. An idle GPU begins at once.
---*/
WITH first AS (
    SELECT arg_min_null(ran.call, ran.start) AS call, min(ran.start) AS start
    FROM gpu_operation AS ran JOIN gpu_stream AS stream ON stream.profile = ran.profile
    GROUP BY stream.device
)
SELECT avg(greatest(first.start - call.start - call.duration, 0)) / any_value(span.stop - span.start) AS value
FROM first JOIN host_call AS call ON call.id = first.call CROSS JOIN cpu_trace_span AS span
WHERE span.stop > span.start HAVING count(*) > 0
