/*---
name: launched_operations
about: >-
  Operations of the busiest stream by context; of those that one call launched below one context, as a graph does, the
  first alone: layers of a model are no iterations of the program.
---*/
SELECT context, start FROM gpu_operation WHERE profile = busiest_stream() AND call IS NULL
UNION ALL
SELECT context, min(start) FROM gpu_operation WHERE profile = busiest_stream() AND call IS NOT NULL GROUP BY context, call

/*---
name: repeated_contexts
about: >-
  Contexts of GPU operations that run in each iteration, before and after the middle one of all operations: how
  often in each, and when first. The number of iterations N is the smallest from 5 on such that contexts that
  occur a multiple of N times hold 90 % of the operations of the busiest stream (launched_operations) and one context in
  twenty occurs exactly N times.
---*/
WITH middle AS (
    SELECT quantile_disc(start, 0.5) AS start FROM launched_operations
),
seen AS (
    SELECT ran.context, count(*) AS occurrences, min(ran.start) AS first,
        min(ran.start) <= any_value(middle.start) AND max(ran.start) >= any_value(middle.start) AS throughout
    FROM launched_operations AS ran CROSS JOIN middle GROUP BY ran.context
),
candidate AS (
    SELECT number.occurrences AS number,
        sum(seen.occurrences) FILTER (WHERE seen.occurrences % number.occurrences = 0) / sum(seen.occurrences) AS covered,
        count(*) FILTER (WHERE seen.throughout AND seen.occurrences = number.occurrences) / count(*) AS contexts
    FROM (SELECT DISTINCT occurrences FROM seen WHERE throughout AND occurrences >= 5) AS number CROSS JOIN seen
    GROUP BY number.occurrences
)
SELECT seen.context, seen.occurrences // iterations.number AS every, seen.first FROM seen
CROSS JOIN (SELECT min(number) AS number FROM candidate WHERE covered >= 0.9 AND contexts >= 0.05) AS iterations
WHERE seen.throughout AND seen.occurrences % iterations.number = 0

/*---
name: periodic_starts
about: >-
  Begins of iterations by the periodic structure of GPU operations: the occurrences of the first context that
  runs in each iteration at regular distances (robust coefficient of variation up to 0.5); of one that runs
  several times in each, every so many of them.
---*/
-- An iteration begins with the first operation that comes back in each. Its context may run more
-- than once per iteration, as when a batch is several copies: then each such occurrence counts as
-- one. Only contexts that begin early can be that.
WITH early AS MATERIALIZED (
    SELECT context, every
    FROM repeated_contexts WHERE every <= 100 QUALIFY row_number() OVER (PARTITION BY every = 1 ORDER BY first, context) <= 40
),
occurrence AS MATERIALIZED (
    SELECT context, start, lead(start) OVER (PARTITION BY context ORDER BY start) - start AS period
    FROM (
        SELECT ran.context, ran.start
        FROM launched_operations AS ran JOIN early ON early.context = ran.context
        QUALIFY (row_number() OVER (PARTITION BY ran.context ORDER BY ran.start) - 1) % early.every = 0
    )
),
anchor AS (
    SELECT context
    FROM occurrence GROUP BY context HAVING min(period) > 0 AND 1.4826 * mad(period) <= 0.5 * median(period)
    ORDER BY min(start), context LIMIT 1
)
SELECT start FROM occurrence WHERE context = (SELECT context FROM anchor)

/*---
name: marked_starts
about: >-
  Begins of iterations by the marker function, named without its library: GPU operations below it that follow
  one that is not. Of a context that begins less than one in ten, as the tool attributes some wrongly, only the
  first one counts.
---*/
WITH RECURSIVE below AS (
    SELECT context.id AS context
    FROM context JOIN function ON function.id = context.function
    WHERE regexp_replace(function.name, ' \[[^\]]*\]$', '') = iteration_marker()
    UNION
    SELECT context.id FROM below JOIN context ON context.parent = below.context
)
SELECT start
FROM (
    SELECT gpu_operation.start, gpu_operation.context, below.context IS NOT NULL AS inside,
        coalesce(lag(below.context IS NOT NULL) OVER (ORDER BY gpu_operation.start), false) AS was_inside
    FROM gpu_operation LEFT JOIN below ON below.context = gpu_operation.context WHERE gpu_operation.profile = busiest_stream()
)
WHERE inside AND NOT was_inside
QUALIFY count(*) OVER (PARTITION BY context) >= 0.1 * count(*) OVER () OR row_number() OVER (ORDER BY start) = 1

/*---
name: step_starts
about: >-
  Steps that the program marks (host_range of kind step) on the rank of the busiest stream, in order of time: each begins
  when the host begins it and the GPUs of the rank have ended what was launched before, and the last one ends when the
  host and they have ended it. A step may launch nothing. Operations whose launch is not recorded say nothing of a step, but for
  earlier_work; nor do those that an idle GPU began more than 5 ms after their launch: what it did before is not recorded [ns].
---*/
WITH here AS (SELECT node, rank FROM profile WHERE "index" = busiest_stream()),
own AS (
    SELECT profile."index" AS profile
    FROM profile JOIN here ON profile.node IS NOT DISTINCT FROM here.node AND profile.rank IS NOT DISTINCT FROM here.rank
),
step AS MATERIALIZED (
    SELECT start, max(start + duration) AS stop FROM host_range WHERE kind = 'step' AND profile IN (FROM own) GROUP BY start
),
long_gap AS (SELECT device, start, stop FROM gpu_gap WHERE duration > 5e6),
operation AS (
    SELECT ran.start + ran.duration AS stop, call.start AS launch
    FROM gpu_operation AS ran
    JOIN host_call AS call ON call.id = ran.call
    JOIN gpu_stream AS stream ON stream.profile = ran.profile
    ASOF LEFT JOIN long_gap AS gap ON gap.device = stream.device AND gap.start <= ran.start
    WHERE ran.profile IN (FROM own) AND call.start < (SELECT max(stop) FROM step)
        AND (gap.stop IS NULL OR least(gap.stop, ran.start) - greatest(gap.start, call.start + call.duration) <= 5e6)
),
launched AS MATERIALIZED (
    SELECT step.start, max(operation.stop) AS ended FROM operation ASOF LEFT JOIN step ON step.start <= operation.launch GROUP BY step.start
),
before AS (
    SELECT greatest((SELECT max(ended) FROM launched WHERE start IS NULL), (
        SELECT max(earlier.stop) FROM earlier_work AS earlier JOIN gpu_stream AS stream ON stream.device = earlier.device
        WHERE stream.profile IN (FROM own)
    )) AS ended
),
reached AS (
    SELECT step.start, step.stop, launched.ended FROM step LEFT JOIN launched ON launched.start = step.start
)
SELECT greatest(
        reached.start, before.ended, max(reached.ended) OVER (ORDER BY reached.start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    ) AS start, max(greatest(reached.ended, reached.stop, before.ended)) OVER () AS last
FROM reached CROSS JOIN before

/*---
name: iteration_starts
about: >-
  Begins of iterations, and the end of the last one: by the marker function of profile.toml if there is one, else by
  the steps that the program marks (step_starts), also if it is one, else by periodic structure; but for steps, five at least, and no
  more than 20,000: what begins more often is a kernel or a copy. ends tells
  whether the end of the last one is known [ns].
---*/
WITH found AS (
    SELECT start FROM marked_starts WHERE iteration_marker() IS NOT NULL
    UNION ALL
    SELECT start FROM periodic_starts WHERE iteration_marker() IS NULL AND NOT EXISTS (FROM step_starts)
),
chosen AS (
    SELECT start, (SELECT max(start + duration) FROM gpu_operation WHERE profile = busiest_stream()) AS last, false AS ends
    FROM found QUALIFY count(*) OVER () BETWEEN 5 AND 20000
    UNION ALL
    SELECT start, last, true FROM step_starts WHERE iteration_marker() IS NULL
)
SELECT CAST(row_number() OVER (ORDER BY start) AS INTEGER) AS iteration, start, last, ends FROM chosen

/*---
name: iteration
about: >-
  Iterations of the program: steps that it marks, or found in the order of GPU operations (iteration_starts); no row where none
  were found.
when: gpu_operation
columns:
  iteration: INTEGER; Number, from 1 [id]
  start: >-
    BIGINT; Begin since the epoch: its first operation on the busiest stream; of the first iteration the mean
    over GPUs of first_iteration.start [ns]
  stop: >-
    BIGINT; End since the epoch: begin of the next iteration, or of the last one the end of the last GPU
    operation [ns]
  gpu_busy: BIGINT; Time in it in which any operation ran on a GPU, the mean over GPUs [ns]
  longest_gap: >-
    BIGINT; Longest time in it without an operation on a GPU; of several GPUs the mean, each with its whole gaps
    that begin in it, none longer than the iteration [ns]
  mark: "VARCHAR; warm-up, outlier (of its kind), incomplete (the last one: nothing shows its end) or empty [text]"
  kind: "VARCHAR; Of a server what the step does: see engine_step; else empty [text]"
---*/
WITH first AS (
    SELECT min(start) + CAST(avg(start - least) AS BIGINT) AS mean FROM (SELECT start, min(start) OVER () AS least FROM first_iteration)
),
bound AS MATERIALIZED (
    SELECT iteration, CASE WHEN iteration = 1 THEN (SELECT mean FROM first) ELSE start END AS start,
        coalesce(lead(start) OVER (ORDER BY iteration), last) AS stop,
        ends OR lead(start) OVER (ORDER BY iteration) IS NOT NULL AS complete
    FROM iteration_starts
),
own AS MATERIALIZED (
    SELECT bound.iteration, gpu.device, bound.start, bound.stop FROM bound CROSS JOIN (SELECT DISTINCT device FROM gpu_level) AS gpu
    WHERE bound.iteration > 1 AND bound.start < bound.stop
    UNION ALL
    SELECT bound.iteration, first.device, first.start, bound.stop
    FROM bound JOIN first_iteration AS first ON bound.iteration = 1 AND first.start < bound.stop
),
-- Levels that begin in an iteration, then those in which it begins. GPUs begin one one after the other, around the one moment
-- that is its begin: there a gap would be cut in two.
used AS (
    SELECT iteration, device, sum(least(stop, upto) - greatest(start, since)) FILTER (WHERE kernels + copies + others > 0) AS busy,
        max(CASE WHEN gpus() = 1 THEN least(stop, upto) - greatest(start, since) WHEN start >= since THEN least(stop - start, upto - since) END)
            FILTER (WHERE kernels + copies + others = 0) AS gap
    FROM (
        SELECT level.*, own.iteration, own.start AS since, own.stop AS upto
        FROM gpu_level AS level ASOF JOIN own ON own.device = level.device AND own.start <= level.start
        UNION ALL
        SELECT level.*, own.iteration, own.start, own.stop
        FROM own ASOF JOIN gpu_level AS level ON level.device = own.device AND level.start < own.start
    )
    WHERE start < upto AND stop > since GROUP BY iteration, device
),
mean AS (
    SELECT iteration, CAST(round(sum(busy) / gpus()) AS BIGINT) AS busy, CAST(round(sum(gap) / gpus()) AS BIGINT) AS gap
    FROM used GROUP BY iteration
),
kinds AS (
    SELECT bound.*, coalesce(step.kind, '') AS kind
    FROM bound LEFT JOIN engine_step AS step ON step.number = bound.iteration AND iteration_marker() IS NULL
),
usual AS (SELECT kind, median(stop - start) AS middle, usual_spread(stop - start) AS width FROM kinds WHERE complete GROUP BY kind),
rated AS (
    SELECT kinds.*, kinds.kind IN ('capture', 'warm-up') OR stop - start > middle + width AS long, abs(stop - start - middle) > width AS far
    FROM kinds LEFT JOIN usual ON usual.kind = kinds.kind
)
SELECT rated.iteration, rated.start, rated.stop, coalesce(mean.busy, 0) AS gpu_busy, coalesce(mean.gap, 0) AS longest_gap,
    CASE WHEN NOT complete THEN 'incomplete' WHEN bool_and(long) OVER (ORDER BY rated.iteration) THEN 'warm-up'
        WHEN far THEN 'outlier' ELSE '' END AS mark, rated.kind
FROM rated LEFT JOIN mean ON mean.iteration = rated.iteration
