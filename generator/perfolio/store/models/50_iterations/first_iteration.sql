/*---
name: first_operations
about: >-
  The first operation of the first iteration on each GPU: on that of the busiest stream its begin
  (iteration_starts), on another one its first operation in a context that begins iterations there, as no wait
  for each other brings GPUs together before the first iteration; that of the busiest stream where it has none
  before the second iteration [ns].
---*/
WITH begin AS MATERIALIZED (SELECT start, iteration FROM iteration_starts),
bound AS (
    SELECT min(start) AS start, min(start) FILTER (WHERE iteration = 2) AS next FROM begin HAVING count(*) > 0
),
own AS (
    SELECT stream.device, min(ran.start) AS start
    FROM gpu_operation AS ran JOIN gpu_stream AS stream ON stream.profile = ran.profile CROSS JOIN bound
    WHERE ran.start < bound.next AND (stream.device <> busiest_device() OR ran.start = bound.start)
        AND ran.context IN (
            SELECT context FROM gpu_operation WHERE profile = busiest_stream() AND start IN (SELECT start FROM begin)
        )
    GROUP BY stream.device
)
SELECT gpu.device, coalesce(own.start, bound.start) AS start
FROM gpu_device AS gpu CROSS JOIN bound LEFT JOIN own ON own.device = gpu.device

/*---
name: first_iteration_begin
about: >-
  When the first iteration begins on each GPU where that is before its first operation (first_operations):
  threads that launch for it then already ran calling contexts of iterations, beneath a frame that runs in these
  and not before, without a break up to that operation and for half an iteration longer than the GPU usually
  pauses before one. As in others, this usual pause is not in it. No row otherwise [ns].
---*/
-- What the first iteration does once, such as loading kernels, comes before its first GPU operation where that is a
-- kernel, and after it where that is a copy: it is warm-up in both.
WITH RECURSIVE anchor AS MATERIALIZED (SELECT start, lead(start) OVER (ORDER BY start) - start AS length FROM iteration_starts),
pause AS MATERIALIZED (SELECT start, stop FROM gpu_gap WHERE device = busiest_device() AND stop IN (SELECT start FROM anchor)),
usual AS MATERIALIZED (
    SELECT CAST(median(coalesce(pause.stop - pause.start, 0)) AS BIGINT) AS pause, CAST(0.5 * median(anchor.length) AS BIGINT) AS half
    FROM anchor LEFT JOIN pause ON pause.stop = anchor.start WHERE anchor.start > (SELECT min(start) FROM anchor)
),
first AS MATERIALIZED (
    SELECT gap.device, gap.start, gap.stop, usual.pause, usual.half
    FROM first_operations AS operation
    JOIN gpu_gap AS gap ON gap.device = operation.device AND gap.stop = operation.start
    CROSS JOIN usual
    WHERE gap.duration > usual.pause + usual.half
),
held AS MATERIALIZED (
    SELECT first.device, launching.start, launching.context, launching.start < first.start AS early
    FROM launching_interval AS launching
    JOIN fed_gpus AS fed ON fed.profile = launching.profile
    JOIN first ON first.device = fed.device
    WHERE launching.start < first.stop
),
sample AS MATERIALIZED (
    SELECT held.device, held.start, enclosing.frame
    FROM held JOIN enclosing_frame AS enclosing ON enclosing.context = held.context WHERE NOT held.early
),
known AS (
    SELECT seen.device, enclosing.frame, seen.early
    FROM (
        SELECT DISTINCT first.device, gpu_context.launcher AS context, ran.start < first.stop AS early
        FROM gpu_operation AS ran
        JOIN gpu_stream AS stream ON stream.profile = ran.profile
        JOIN first ON first.device = stream.device
        JOIN gpu_context ON gpu_context.context = ran.context
        UNION
        SELECT DISTINCT device, context, true FROM held WHERE early
    ) AS seen
    JOIN enclosing_frame AS enclosing ON enclosing.context = seen.context
),
reached AS (
    SELECT DISTINCT device, frame, early FROM known
    UNION
    SELECT reached.device, frame.caller, reached.early FROM reached JOIN frame ON frame.frame = reached.frame WHERE frame.caller <> reached.frame
),
body AS MATERIALIZED (SELECT device, frame FROM reached GROUP BY device, frame HAVING NOT bool_or(early)),
above AS (
    SELECT DISTINCT frame AS origin, frame FROM sample
    UNION
    SELECT above.origin, frame.caller FROM above JOIN frame ON frame.frame = above.frame WHERE frame.caller <> above.frame
),
inside AS MATERIALIZED (SELECT DISTINCT body.device, above.origin AS frame FROM above JOIN body ON body.frame = above.frame),
begun AS (
    SELECT sample.device, min(sample.start) AS start
    FROM sample
    LEFT JOIN (
        SELECT sample.device, max(sample.start) AS start
        FROM sample
        ANTI JOIN inside ON inside.device = sample.device AND inside.frame = sample.frame
        GROUP BY sample.device
    ) AS elsewhere ON elsewhere.device = sample.device
    WHERE sample.start > coalesce(elsewhere.start, 0)
    GROUP BY sample.device
)
SELECT first.device, begun.start + first.pause AS start
FROM first JOIN begun ON begun.device = first.device WHERE begun.start + first.pause + first.half < first.stop

/*---
name: first_iteration
about: >-
  When each GPU begins the first iteration: GPUs meet in the iterations that follow, and not before; no row
  where no iterations were found.
when: gpu_operation
columns:
  device: "INTEGER; The GPU: see gpu_stream.device [id]"
  start: >-
    BIGINT; Begin since the epoch: the first operation on it in a context that begins iterations, or where the
    host began before, see first_iteration_begin; that of the busiest stream where there is none before
    the second iteration [ns]
---*/
SELECT operation.device, coalesce(begun.start, operation.start) AS start
FROM first_operations AS operation LEFT JOIN first_iteration_begin AS begun ON begun.device = operation.device

/*---
name: begins_on_gpus
about: >-
  When each GPU begins the first iteration (start), and the moment that stands for it in the run, the mean
  over GPUs (mean): what begins there begins on a GPU with its own; both NULL in a run without iterations
  [ns].
---*/
SELECT gpu.device, whole.mean, coalesce(own.start, whole.mean) AS start
FROM gpu_device AS gpu CROSS JOIN (SELECT min(start) AS mean FROM iteration) AS whole
LEFT JOIN first_iteration AS own ON own.device = gpu.device
