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

/*---
name: memory_use
about: >-
  Allocations and releases of the framework's allocator (memory_event) with the rank, and what is allocated then: by sums where the tool does
  not tell [B].
when: memory_event
---*/
SELECT rank, device, event.profile, "time", bytes, address, reserved,
    coalesce(allocated, sum(bytes) OVER (PARTITION BY rank, device ORDER BY "time" ROWS UNBOUNDED PRECEDING)) AS allocated
FROM memory_event AS event JOIN profile ON profile."index" = event.profile

/*---
name: memory_change
about: >-
  What the framework's allocator gives and takes back (memory_use) with the phase of the program: that of the function or operator around,
  or other [B].
when: memory_event
---*/
WITH placed AS (
    SELECT used.*, CASE WHEN stay.start + stay.duration >= used."time" THEN stay.context END AS context
    FROM memory_use AS used ASOF LEFT JOIN host_stay AS stay ON stay.profile = used.profile AND stay.start <= used."time"
)
SELECT placed.rank, placed.device, coalesce(frame.phase, 'other') AS phase, placed."time", placed.bytes, placed.address, placed.allocated
FROM placed
LEFT JOIN enclosing_frame AS enclosing ON enclosing.context = placed.context
LEFT JOIN frame ON frame.frame = enclosing.frame

/*---
name: memory_life
about: >-
  Allocations on GPUs from the request to the release at the same address, NULL where it is not recorded, with a category by the phases of
  both [ns, B]. Gradients: backward asks for them, and something else releases them, or nothing. Activations: something else asks for them, and they
  are held when backward begins. States of the optimizer: it asks for them, and nothing releases them. Other: all else.
when: memory_event
---*/
WITH paired AS (
    SELECT rank, device, phase, "time" AS begin_time, bytes, if(lead(bytes) OVER own < 0, lead("time") OVER own, NULL) AS end_time,
        if(lead(bytes) OVER own < 0, lead(phase) OVER own, NULL) AS end_phase
    FROM memory_change WHERE device IS NOT NULL AND address IS NOT NULL
    WINDOW own AS (PARTITION BY rank, device, address ORDER BY "time")
    QUALIFY bytes > 0
),
begun AS (
    SELECT rank, device, begin_time AS start FROM paired
    QUALIFY phase = 'backward' AND coalesce(lag(phase) OVER (PARTITION BY rank, device ORDER BY begin_time), '') <> 'backward'
)
SELECT paired.*, CASE
        WHEN phase = 'backward' THEN if(end_phase IS DISTINCT FROM 'backward', 'gradients', 'other')
        WHEN phase = 'optimizer' THEN if(end_time IS NULL, 'states of the optimizer', 'other')
        WHEN begun.start < coalesce(end_time, 9223372036854775807) THEN 'activations' ELSE 'other'
    END AS category
FROM paired ASOF LEFT JOIN begun ON begun.rank IS NOT DISTINCT FROM paired.rank AND begun.device = paired.device AND begun.start >= paired.begin_time

/*---
name: loader_wait
about: >-
  When a thread takes input from worker processes of PyTorch's data loader, or waits for it, with begin and end [ns]: ranges that
  its profiler marks, and the function that takes it where functions of Python are recorded; these lie in each other. No row
  where the loader has no workers, whose input is made by the thread itself, nor from tools that take samples.
---*/
SELECT profile, start, start + duration AS stop FROM host_range
WHERE starts_with(name, 'enumerate(DataLoader)#_MultiProcessing')
UNION ALL
SELECT called.profile, called.start, called.start + called.duration
FROM host_function AS called
JOIN context ON context.id = called.context
JOIN function ON function.id = context.function
JOIN file ON file.id = function.file
WHERE called.kind = 'python' AND function.name = '_get_data' AND file.path LIKE '%/torch/utils/data/dataloader.py'
