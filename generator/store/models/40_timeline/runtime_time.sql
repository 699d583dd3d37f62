/*---
about: >-
  Time of each host thread in calls of a GPU's runtime that allocate and free the GPU's memory, and in those that
  wait for the GPU (blocking_calls), from begin and end of each call. Each moment counts once for each kind; of
  allocations only those after the first GPU operation, since the one before it makes the context.
when: FROM host_call
columns:
  profile: INTEGER; The thread [id]
  kind: VARCHAR; allocation or wait [text]
  spent: BIGINT; Time in such calls [ns]
---*/
WITH told AS (
    SELECT profile, 'wait' AS kind, start, stop FROM blocking_calls WHERE waits
    UNION ALL
    SELECT call.profile, 'allocation', call.start, call.start + call.duration
    FROM host_call AS call JOIN gpu_span ON call.start >= gpu_span.start
    WHERE regexp_matches(call.name, '^((cuda|hip)(Malloc|Free)|hipExtMalloc|cuMem(Alloc|Free|Create|Release|Map|Unmap))')
        AND NOT regexp_matches(call.name, 'Host')
)
SELECT profile, kind, CAST(sum(greatest(stop - greatest(start, coalesce(reached, start)), 0)) AS BIGINT) AS spent
FROM (
    SELECT *, max(stop) OVER (PARTITION BY profile, kind ORDER BY start, stop ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached
    FROM told
)
GROUP BY profile, kind
