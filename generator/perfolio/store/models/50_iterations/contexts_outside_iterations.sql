/*---
about: >-
  Calling contexts of GPU operations of which none runs between the begin of the first iteration on its GPU and
  the end of the last complete one; no row for a run without iterations.
---*/
SELECT operation.context
FROM gpu_operation AS operation
JOIN gpu_stream AS stream ON stream.profile = operation.profile
JOIN first_iteration AS first ON first.device = stream.device
CROSS JOIN (SELECT coalesce(max(stop) FILTER (WHERE mark <> 'incomplete'), max(stop)) AS stop FROM iteration) AS span
GROUP BY operation.context
HAVING NOT bool_or(operation.start + operation.duration > first.start AND operation.start < span.stop)
