/*---
name: attending_operator
about: >-
  Steps of the busiest rank's threads and what their operators of attention, of PyTorch, attend to: the most and the fewest query
  positions, and the most keys; no row of a step without one [ns].
---*/
WITH sized AS MATERIALIZED (
    SELECT name, shapes, TRY_CAST(regexp_extract(shapes, '^\[\[\d+,\d+,(\d+),\d+\],\[\d+,\d+,\d+', 1) AS BIGINT) AS queries,
        TRY_CAST(regexp_extract(shapes, '^\[\[\d+,\d+,\d+,\d+\],\[\d+,\d+,(\d+)', 1) AS BIGINT) AS keys
    FROM (SELECT DISTINCT name, shapes FROM host_range WHERE kind = 'operator' AND contains(name, 'scaled_dot_product'))
)
SELECT step.id AS step, max(sized.queries) AS most, min(sized.queries) AS fewest, max(sized.keys) AS keys
FROM host_range AS operator JOIN sized ON sized.name = operator.name AND sized.shapes = operator.shapes
ASOF JOIN (FROM host_range WHERE kind = 'step') AS step ON step.profile = operator.profile AND step.start <= operator.start
WHERE operator.start < step.start + step.duration AND sized.queries IS NOT NULL GROUP BY step.id

/*---
name: engine_step
about: >-
  Steps of an engine that serves a language model, on the rank of the busiest stream. No row of a run whose steps are no engine's, or which
  trains.
when: FROM host_range WHERE kind = 'step'
columns:
  number: INTEGER; Number in order of time, from 1; that of the iteration where steps are iterations [id]
  start: BIGINT; When the host began it, since the epoch [ns]
  stop: BIGINT; When the host ended it, since the epoch [ns]
  engine: "VARCHAR?; Engine, where the name of the step tells it [text]"
  kind: >-
    VARCHAR; prefill (it reads prompts), decode (requests get a token more), mixed, capture (a graph is recorded), warm-up, idle (no request
    took part), or unknown [text]
  told: >-
    VARCHAR?; How that is known, the surest first: calls of the GPU's runtime, name (the engine gives the step one), sizes of attention's
    operators (one query position and more keys: decode), or replay (of a graph, in a run whose other steps attend to whole prompts) [text]
  prompts: BIGINT?; Requests whose prompts are read, by the name [count]
  prompt_tokens: BIGINT?; Tokens of prompts that are read, by the name [count]
  answers: BIGINT?; Requests that get a token, by the name [count]
  answer_tokens: BIGINT?; Tokens that these compute, by the name, or one for each request [count]
  rows: >-
    BIGINT?; Rows of the graph that is replayed: the fewest, no fewer than requests, of what operators of the step take a part of; NULL
    where nothing is replayed or shapes are not recorded [count]
  replays: BOOLEAN; Whether a graph is launched in it
---*/
WITH here AS (SELECT node, rank FROM profile WHERE "index" = busiest_stream()),
step AS MATERIALIZED (
    SELECT range.id, range.profile, range.name, range.start, range.start + range.duration AS stop
    FROM host_range AS range
    JOIN profile ON profile."index" = range.profile
    JOIN here ON profile.node IS NOT DISTINCT FROM here.node AND profile.rank IS NOT DISTINCT FROM here.rank
    WHERE range.kind = 'step'
),
named AS MATERIALIZED (
    SELECT step.name, known.engine, known.kind,
        CAST(TRY_CAST(regexp_extract(step.name, known.pattern, 1) AS INTEGER) AS BIGINT) AS prompts,
        CAST(TRY_CAST(regexp_extract(step.name, known.pattern, 2) AS INTEGER) AS BIGINT) AS prompt_tokens,
        CAST(TRY_CAST(regexp_extract(step.name, known.pattern, 3) AS INTEGER) AS BIGINT) AS answers,
        CAST(TRY_CAST(regexp_extract(step.name, known.pattern, 4) AS INTEGER) AS BIGINT) AS answer_tokens
    FROM (SELECT DISTINCT name FROM step) AS step
    JOIN engine_step_pattern AS known ON known.engine IS NOT NULL AND regexp_matches(step.name, known.pattern)
    QUALIFY row_number() OVER (PARTITION BY step.name ORDER BY known.rank) = 1
),
learns AS (
    SELECT 1 FROM (SELECT DISTINCT name FROM host_range WHERE kind IN ('operator', 'annotation'))
    WHERE regexp_matches(name, 'Backward\d*$|^autograd::|^Optimizer\.|_backward$') LIMIT 1
),
surrounding AS MATERIALIZED (
    SELECT own.profile, own.start, own.start + own.duration AS stop, known.kind
    FROM host_range AS own JOIN engine_step_pattern AS known ON known.engine IS NULL AND regexp_matches(own.name, known.pattern)
    WHERE own.kind = 'annotation'
),
called AS (
    SELECT step.id, bool_or(regexp_matches(call.name, '(?i)StreamBeginCapture|GraphInstantiate')) AS captures,
        bool_or(regexp_matches(call.name, '(?i)GraphLaunch')) AS replays
    FROM (SELECT profile, start, name FROM host_call WHERE regexp_matches(name, '(?i)StreamBeginCapture|GraphInstantiate|GraphLaunch')) AS call
    ASOF JOIN step ON step.profile = call.profile AND step.start <= call.start
    WHERE call.start < step.stop GROUP BY step.id
),
taken AS (
    SELECT step.id, min(own.first) FILTER (WHERE own.first >= named.answers) AS "rows"
    FROM (
        SELECT profile, start, TRY_CAST(regexp_extract(shapes, '^\[\[(\d+)[,\]]', 1) AS BIGINT) AS first
        FROM host_range WHERE kind = 'operator' AND name IN ('aten::slice', 'aten::narrow', 'aten::index', 'aten::index_select')
    ) AS own
    ASOF JOIN step ON step.profile = own.profile AND step.start <= own.start
    JOIN named ON named.name = step.name
    WHERE own.start < step.stop GROUP BY step.id
),
seen AS (
    SELECT step.*, named.engine, named.prompts, named.prompt_tokens, named.answers, named.answer_tokens,
        CASE WHEN named.kind IS NOT NULL THEN named.kind WHEN named.prompts > 0 AND named.answers > 0 THEN 'mixed'
            WHEN named.prompts > 0 THEN 'prefill' WHEN named.answers > 0 THEN 'decode' WHEN named.name IS NOT NULL THEN 'idle' END AS by_name,
        CASE WHEN attends.most > 1 THEN if(attends.fewest = 1 AND attends.keys > attends.most, 'mixed', 'prefill')
            WHEN attends.keys > 1 THEN 'decode' END AS by_sizes,
        (SELECT min(kind) FROM surrounding AS own WHERE own.profile = step.profile AND own.start <= step.start AND own.stop >= step.stop
            OR own.profile = step.profile AND own.start >= step.start AND own.stop <= step.stop) AS around,
        coalesce(called.captures, false) AS captures, coalesce(called.replays, false) AS replays,
        CASE WHEN called.replays THEN taken."rows" END AS "rows"
    FROM step
    LEFT JOIN named ON named.name = step.name
    LEFT JOIN attending_operator AS attends ON attends.step = step.id
    LEFT JOIN called ON called.id = step.id
    LEFT JOIN taken ON taken.id = step.id
),
rated AS (
    SELECT *, CASE WHEN by_name IS NULL AND by_sizes IS NULL AND replays AND bool_or(by_sizes = 'prefill') OVER () THEN 'decode' END AS by_replay,
        bool_or(by_name IS NOT NULL) OVER () AS are_named
    FROM seen
)
SELECT CAST(row_number() OVER (ORDER BY start) AS INTEGER) AS number, start, max(stop) AS stop, any_value(engine) AS engine,
    any_value(CASE WHEN captures THEN 'capture' ELSE coalesce(around, by_name, by_sizes, by_replay, 'unknown') END) AS kind,
    any_value(CASE WHEN captures THEN 'calls' WHEN coalesce(around, by_name) IS NOT NULL THEN 'name' WHEN by_sizes IS NOT NULL THEN 'sizes'
        WHEN by_replay IS NOT NULL THEN 'replay' END) AS told,
    any_value(prompts) AS prompts, any_value(prompt_tokens) AS prompt_tokens, any_value(answers) AS answers,
    any_value(coalesce(answer_tokens, answers)) AS answer_tokens, any_value("rows") AS "rows", bool_or(replays) AS replays
FROM rated
WHERE are_named OR NOT EXISTS (FROM learns) AND EXISTS (FROM rated WHERE by_sizes IN ('decode', 'mixed') OR by_replay IS NOT NULL)
GROUP BY start

/*---
name: served_iterations
about: >-
  Steady iterations of a server that serve requests, with what the name of the step tells of them (engine_step); begun and ended are when
  the host was in the step [ns]. One that a pause follows is left out, as nobody waits for a token then: the host is in no step for longer
  than a usual iteration, and ten times as long as usual between steps.
---*/
WITH paced AS (SELECT *, lead(start) OVER (ORDER BY number) - stop AS rest FROM engine_step),
pause AS (SELECT greatest((SELECT median(duration) FROM steady_iterations), 10 * median(rest)) AS least FROM paced)
SELECT own.iteration, own.start, own.start + own.duration AS stop, own.duration, own.gpu_busy, step.start AS begun, step.stop AS ended,
    step.engine, step.kind, step.told, step.prompts, step.prompt_tokens, step.answers, step.answer_tokens, step."rows", step.replays
FROM steady_iterations AS own JOIN paced AS step ON step.number = own.iteration CROSS JOIN pause
WHERE iteration_marker() IS NULL AND step.kind IN ('prefill', 'decode', 'mixed') AND coalesce(step.rest <= pause.least, true)

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
