/*---
name: runtime_time
about: >-
  Time of each host thread in calls of a GPU's runtime that allocate and free the GPU's memory, and in those that
  wait for the GPU (blocking_calls), from begin and end of each call. Each moment counts once for each kind; of
  allocations only those after the first GPU operation, and from the first iteration on where iterations were found: those
  before belong to start-up, and the first of them makes the context.
when: FROM host_call
columns:
  profile: INTEGER; The thread [id]
  kind: VARCHAR; allocation or wait [text]
  spent: BIGINT; Time in such calls [ns]
  in_steps: BIGINT?; Of that the time in steps that the thread's process marks, NULL where it marks none [ns]
  steps: BIGINT?; All time of these steps [ns]
---*/
WITH told AS (
    SELECT profile, 'wait' AS kind, start, stop FROM blocking_calls WHERE waits
    UNION ALL
    SELECT call.profile, 'allocation', call.start, call.start + call.duration
    FROM host_call AS call
    JOIN (SELECT min(start) AS start FROM gpu_operation) AS first ON call.start >= first.start
    WHERE call.start >= coalesce((SELECT min(start) FROM iteration), 0)
        AND regexp_matches(call.name, '^((cuda|hip)(Malloc|Free)|hipExtMalloc|cuMem(Alloc|Free|Create|Release|Map|Unmap))')
        AND NOT regexp_matches(call.name, 'Host')
),
piece AS (
    SELECT profile, kind, greatest(start, coalesce(reached, start)) AS start, stop
    FROM (
        SELECT *, max(stop) OVER (PARTITION BY profile, kind ORDER BY start, stop ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached
        FROM told
    )
    WHERE stop > coalesce(reached, start) OR reached IS NULL
),
marked AS (SELECT process, sum(stop - start) AS steps FROM marked_stretch GROUP BY process)
SELECT piece.profile, piece.kind, CAST(sum(piece.stop - piece.start) AS BIGINT) AS spent,
    CAST(if(any_value(marked.steps) IS NOT NULL, sum(
        coalesce(ended.earlier + least(piece.stop, ended.stop) - ended.start, 0)
        - coalesce(begun.earlier + least(piece.start, begun.stop) - begun.start, 0)
    ), NULL) AS BIGINT) AS in_steps, CAST(any_value(marked.steps) AS BIGINT) AS steps
FROM piece
JOIN process_thread AS thread ON thread.profile = piece.profile
LEFT JOIN marked ON marked.process = thread.process
ASOF LEFT JOIN marked_stretch AS begun ON begun.process = thread.process AND begun.start <= piece.start
ASOF LEFT JOIN marked_stretch AS ended ON ended.process = thread.process AND ended.start <= piece.stop
GROUP BY piece.profile, piece.kind
