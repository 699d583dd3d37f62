/*---
about: >-
  Time of each host thread in calls of a GPU's runtime that allocate and free the GPU's memory, and in those that
  wait for the GPU, from begin and end of each call. Calls within one of the same kind count once; of
  allocations only those after the first GPU operation, since the one before it makes the context.
when: FROM host_call
columns:
  profile: INTEGER; The thread [id]
  kind: VARCHAR; allocation or wait [text]
  spent: BIGINT; Time in such calls [ns]
---*/
WITH told AS (
    SELECT call.*, CASE
        WHEN regexp_matches(call.name, '^((cuda|hip)(Malloc|Free)|hipExtMalloc|cuMem(Alloc|Free|Create|Release|Map|Unmap))')
            AND NOT regexp_matches(call.name, 'Host') THEN 'allocation'
        WHEN frame.role = 'gpu wait' THEN 'wait' END AS kind
    FROM host_call AS call
    JOIN enclosing_frame AS enclosing ON enclosing.context = call.context
    JOIN frame ON frame.frame = enclosing.frame
)
SELECT profile, kind, sum(duration) AS spent
FROM (
    SELECT told.profile, told.kind, told.duration
    FROM told LEFT JOIN gpu_span ON true
    WHERE told.kind = 'wait' OR told.kind = 'allocation' AND told.start >= gpu_span.start
    QUALIFY coalesce(max(told.start + told.duration) OVER (
        PARTITION BY told.profile, told.kind ORDER BY told.start, told.duration DESC, told.id
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) <= told.start, true)
)
GROUP BY ALL
