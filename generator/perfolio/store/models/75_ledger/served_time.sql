/*---
name: served_iterations
about: >-
  Steady iterations of a server that serve requests, with what the name of the step tells of them (engine_step); begun and ended are when
  the host was in the step [ns].
---*/
SELECT own.iteration, own.start, own.start + own.duration AS stop, own.duration, own.gpu_busy, step.start AS begun, step.stop AS ended,
    step.engine, step.kind, step.told, step.prompts, step.prompt_tokens, step.answers, step.answer_tokens, step."rows", step.replays
FROM steady_iterations AS own JOIN engine_step AS step ON step.number = own.iteration
WHERE iteration_marker() IS NULL AND step.kind IN ('prefill', 'decode', 'mixed')

/*---
name: served_kernel
about: >-
  Kernels, copies and memsets that begin in a served iteration, on the GPU of the busiest stream, and their part of it: communication,
  cache (they put keys and values into one, by name), attention, sampling (all after the last product, which gives scores of tokens),
  products, other kernels, or copies [ns].
---*/
WITH ran AS (
    SELECT own.iteration, own.kind, operation.profile, operation.operation, operation.context, operation.start, operation.duration, class.class,
        coalesce(known.cached, false) AS cached
    FROM gpu_operation AS operation
    JOIN gpu_stream AS stream ON stream.profile = operation.profile AND stream.device = busiest_device()
    ASOF JOIN served_iterations AS own ON own.start <= operation.start
    LEFT JOIN kernel_class AS class ON class.context = operation.context
    LEFT JOIN (
        SELECT name.context, true AS cached FROM context_name AS name
        WHERE EXISTS (FROM operator_pattern AS known WHERE known.kind = 'cache'
            AND regexp_matches(left(coalesce(name.function_name, name.name), 2000), known.pattern))
    ) AS known ON known.context = operation.context
    WHERE operation.start < own.stop
),
last AS (
    SELECT iteration, max(start + duration) AS stop FROM ran WHERE operation = 'kernel' AND class = 'product' GROUP BY iteration
)
SELECT ran.iteration, ran.kind, ran.profile AS stream, ran.context, ran.duration,
    CASE WHEN ran.operation <> 'kernel' THEN 'copies' WHEN ran.class = 'collective' THEN 'communication'
        WHEN ran.cached THEN 'cache' WHEN ran.class = 'attention' THEN 'attention' WHEN ran.start >= last.stop THEN 'sampling'
        WHEN ran.class = 'product' THEN 'products' ELSE 'other kernels' END AS part
FROM ran LEFT JOIN last ON last.iteration = ran.iteration

/*---
name: served_part
about: >-
  The time of served iterations on the clock of the GPU of the busiest stream, by kind of step and part, each moment in one: parts as in
  served_kernel, where those that run at once share the time by their durations, and of idle time in step (the host is in a step) or
  between (it is in none); ns is the sum over iterations, of how many (steps) and how long (whole) [ns].
---*/
WITH busy AS MATERIALIZED (
    SELECT own.iteration, own.kind, greatest(level.start, own.start) AS start, least(level.stop, own.stop) AS stop
    FROM gpu_level AS level JOIN served_iterations AS own ON level.start < own.stop AND level.stop > own.start
    WHERE level.device = busiest_device() AND level.kernels + level.copies + level.others > 0
),
worked AS (SELECT iteration, kind, sum(stop - start) AS ns FROM busy GROUP BY iteration, kind),
inside AS (   -- while the host is in a step: all that time, less that in which the GPU is busy
    SELECT kind, sum(ns) AS ns
    FROM (
        SELECT own.kind, least(own.stop, step.stop) - greatest(own.start, step.start) AS ns
        FROM served_iterations AS own JOIN engine_step AS step ON own.start < step.stop AND own.stop > step.start
        UNION ALL
        SELECT busy.kind, greatest(busy.start, step.start) - least(busy.stop, step.stop)
        FROM busy JOIN engine_step AS step ON busy.start < step.stop AND busy.stop > step.start
    )
    GROUP BY kind
),
whole AS (SELECT kind, count(*) AS steps, sum(duration) AS ns FROM served_iterations GROUP BY kind),
parted AS (
    SELECT kernel.kind, kernel.part, sum(kernel.duration / kernel.summed * worked.ns) AS ns
    FROM (SELECT *, sum(duration) OVER (PARTITION BY iteration) AS summed FROM served_kernel) AS kernel
    JOIN worked ON worked.iteration = kernel.iteration WHERE kernel.summed > 0 GROUP BY kernel.kind, kernel.part
),
told AS (
    SELECT kind, part, ns FROM parted UNION ALL SELECT kind, 'in step', ns FROM inside
),
every AS (
    SELECT kind, part, ns FROM told
    UNION ALL
    SELECT whole.kind, 'between', greatest(any_value(whole.ns) - coalesce(sum(told.ns), 0), 0)
    FROM whole LEFT JOIN told ON told.kind = whole.kind GROUP BY whole.kind
)
SELECT every.kind, every.part, every.ns, whole.steps, whole.ns AS whole FROM every JOIN whole ON whole.kind = every.kind

/*---
name: decode_share
about: >-
  Share of the time of decode steps in a part (served_part), as a fraction of all that time.
---*/
SELECT part, ns / nullif(whole, 0) AS value, steps AS n FROM served_part WHERE kind = 'decode'
