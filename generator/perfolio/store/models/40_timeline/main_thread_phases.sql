/*---
name: main_stretch
about: >-
  What the main thread of each rank does on the clock: where it stayed (host_stay), or the time before each of its samples, from the sample
  before, by the frame of the sample (of whole periods of the timer that end in the profiler's own calls, or in
  a phase that drops next to no samples after one that drops most, all but one by that of the sample before);
  what the thread waits for the backward pass in it, as another thread's samples of that show, or backward_waits, is in
  rows of its own.
when: EXISTS (FROM trace) OR EXISTS (FROM host_stay)
columns:
  frame: UINTEGER; Call frame [id]
  spent: DOUBLE; Time [ns]
  begins: DOUBLE; When the first such stretch begins, from the begin of the run [ns]
  ends: DOUBLE; When the last such stretch ends, from the begin of the run [ns]
  running: >-
    DOUBLE?; How much of the time the thread ran, by its samples of CPU time; NULL where it was sampled
    otherwise [ns]
  part: >-
    VARCHAR; Phase of the program (frame.phase; initialisation where gpu_start has the frame), waiting, or other
    [text]
  profiled: >-
    BOOLEAN; Whether the sample is in the profiler's own calls (profiler_contexts); where the thread waits for
    the backward pass, the other thread's samples, by whose number each such stretch is divided
  distance: "DOUBLE; Median of all samples' stretches [ns]"
  threads: INTEGER; How many main threads there are [count]
  after: >-
    DOUBLE; How long its stretches that follow another part are, which may be that part's; of what it waits for
    the backward pass, a distance of the other thread's samples [ns]
  after_square: >-
    DOUBLE; Sum of the squares of these; of the other thread's samples, also what dividing by their number
    leaves open [ns2]
  after_lost: >-
    DOUBLE; What of these is periods of the earlier part whose samples the profiler dropped, as it does within
    that part; of what it waits for the backward pass, what the other thread's samples do not show, but no more
    than such periods are at once elsewhere [ns]
  before: >-
    DOUBLE; How long the stretches of other parts that follow it are, which may be its own; of what it waits for
    the backward pass as in after [ns]
  before_square: DOUBLE; Sum of the squares of these, as in after_square [ns2]
  before_lost: >-
    DOUBLE; What of these, and of what it waits for the backward pass beside it, is such periods: see
    after_lost; of those waits, how much more of them the other thread's samples show than all are together [ns]
  dropped: >-
    DOUBLE?; How long its stretches of a whole number of the timer's periods are beyond one period each, less
    those that are none (timer_gaps): waits are the one no more often than the other, so what is left is periods
    in which the thread ran and the profiler dropped the sample. NULL where timer_gaps tell nothing [ns]
---*/
-- PyTorch's autograd runs the backward pass of a GPU on a thread of its own, and the main thread sleeps
-- meanwhile: of a stretch in which another thread is sampled there, no more than the distance of
-- samples of CPU time is the main thread's own. What it waits for, that thread's samples within the stretch tell; of stays, backward_waits.
-- The profiler's own calls are sampled in each period of the timer. Of whole periods that end in the first such sample, in which
-- the thread ran but samples were dropped, as they are in the profiler's hook in Python, one is theirs and the rest the caller's.
-- Likewise from one phase to another, where most stretches within the earlier one dropped samples and next to none within the
-- later one; unless a quarter of the long stretches from the one to the other are off the timer, which are waits of the later one.
WITH main AS (FROM main_threads),
tool AS MATERIALIZED (FROM profiler_contexts),
told AS MATERIALIZED (
    SELECT *, CASE WHEN phase = 'initialisation' THEN phase WHEN tool THEN 'profiler' WHEN waits THEN 'gpu wait' ELSE phase END AS does
    FROM (
        SELECT enclosing.context, enclosing.context IN (FROM tool) AS tool, coalesce(frame.role = 'gpu wait', false) AS waits,
            CASE WHEN enclosing.frame IN (SELECT frame FROM gpu_start) THEN 'initialisation' ELSE coalesce(frame.phase, 'other') END AS phase
        FROM enclosing_frame AS enclosing JOIN frame ON frame.frame = enclosing.frame
        WHERE enclosing.context IN (SELECT context FROM context_samples WHERE profile IN (SELECT profile FROM main))
    )
),
sample AS MATERIALIZED (
    SELECT point.profile, point.context, point.taken AS "time", coalesce(point.distance, point.taken - line.start) AS spent,
        point.taken - span.start AS stop, CASE line.clock WHEN 'running' THEN line.longest END AS longest,
        CASE WHEN point.distance IS NOT NULL THEN point.previous END AS previous
    FROM (SELECT *, lag(context) OVER () AS previous FROM host_sample WHERE profile IN (SELECT profile FROM main)) AS point
    JOIN trace_line AS line ON line.profile = point.profile
    JOIN cpu_trace_span AS span ON true
),
long AS MATERIALIZED (FROM sample WHERE spent > longest),
elsewhere AS MATERIALIZED (
    SELECT main.profile, point.taken AS "time", point.context
    FROM host_sample AS point
    JOIN process_thread AS thread ON thread.profile = point.profile
    JOIN main ON main.process = thread.process AND main.profile <> point.profile
    WHERE point.context IN (
        SELECT enclosing.context
        FROM enclosing_frame AS enclosing JOIN frame ON frame.frame = enclosing.frame AND frame.phase = 'backward'
    )
),
backward AS MATERIALIZED (
    SELECT long.profile, long."time", count(*) AS samples, count(tool.context) AS profiled
    FROM elsewhere AS point
    ASOF JOIN long ON long.profile = point.profile AND long."time" >= point."time"
    LEFT JOIN tool ON tool.context = point.context
    WHERE point."time" > long."time" - long.spent
    GROUP BY long.profile, long."time"
),
step AS MATERIALIZED (
    SELECT sample.profile, sample."time", gap.whole, sample.spent > 1.5 * sample.longest AS long, sample.spent,
        sample.spent - sample.longest AS more, now.waits, now.phase, was.phase AS before, now.tool, was.tool AS was_tool,
        now.does, was.does AS did
    FROM sample
    JOIN timer_gaps AS gap ON gap.profile = sample.profile AND gap.taken = sample."time"
    JOIN told AS now ON now.context = sample.context
    JOIN told AS was ON was.context = sample.previous
),
dropping AS MATERIALIZED (
    SELECT phase, avg(CAST(whole AND long AS INTEGER)) AS rate FROM step WHERE phase = before AND NOT tool AND NOT was_tool GROUP BY phase
),
-- Of what the thread waits for the backward pass, each sample of the other thread shows one distance; what is left, none does.
-- What of the time at any moment of a part no sample tells, as the profiler dropped those of whole periods.
dropped AS MATERIALIZED (
    SELECT does, CAST(coalesce(sum(CAST(more AS HUGEINT) * spent) FILTER (WHERE whole AND long) / nullif(sum(spent), 0), 0) AS BIGINT) AS usual
    FROM step WHERE does = did GROUP BY does
),
-- How long the profiler drops samples of the thread at once at most, but for one time in twenty: by stretches without such
-- a sample that are whole periods of the timer, or all long ones where that tells nothing.
gap AS MATERIALIZED (
    SELECT coalesce(quantile_disc(more, 0.95), 0) AS most
    FROM step
    ANTI JOIN backward ON backward.profile = step.profile AND backward."time" = step."time"
    WHERE does = did AND long AND coalesce(whole, true)
),
entered AS MATERIALIZED (
    SELECT profile, "time" FROM step WHERE whole AND tool AND NOT was_tool AND NOT waits AND phase <> 'initialisation'
    UNION
    SELECT profile, "time"
    FROM (
        SELECT *, avg(CAST(whole AS INTEGER)) OVER (PARTITION BY before, phase) AS sure
        FROM step WHERE long AND phase <> before AND NOT was_tool AND NOT waits
    ) AS changed
    JOIN dropping AS earlier ON earlier.phase = changed.before AND earlier.rate > 0.5
    LEFT JOIN dropping AS later ON later.phase = changed.phase
    WHERE changed.whole AND changed.sure > 0.75 AND coalesce(later.rate, 0) < 0.1
),
divided AS MATERIALIZED (
    SELECT *, CAST(round(rest * coalesce(rate, 0)) AS BIGINT) AS profiled, greatest(rest - samples * longest, 0) AS untold,
        CASE WHEN rate IS NULL AND whole THEN spent - longest WHEN rate IS NULL AND NOT whole THEN longest - spent ELSE 0 END AS dropped
    FROM (
        SELECT long.*, backward.samples, backward.profiled / backward.samples AS rate, step.whole,
            CASE WHEN backward.profile IS NOT NULL OR entered.profile IS NOT NULL THEN long.spent - long.longest ELSE 0 END AS rest
        FROM long
        LEFT JOIN backward ON backward.profile = long.profile AND backward."time" = long."time"
        LEFT JOIN entered ON entered.profile = long.profile AND entered."time" = long."time"
        LEFT JOIN step ON step.profile = long.profile AND step."time" = long."time" AND step.long
    )
),
own AS (
    SELECT context, previous, spent, stop, false AS waits, 0 AS more, 0 AS dropped FROM sample WHERE NOT coalesce(spent > longest, false)
    UNION ALL
    SELECT context, previous, spent - rest, stop, rate IS NOT NULL, CASE WHEN rate IS NULL THEN spent - rest - longest
        ELSE untold END, CASE WHEN rest = 0 THEN dropped ELSE 0 END FROM divided
),
-- A stretch from one part to another may belong to either, or in part to each; what a part has of others is as much as they
-- have of it. Of what the thread waits for the backward pass that is true of one distance of the other thread's samples; what
-- these do not show of it may be the thread's own, with its samples dropped. What they show beyond all waits together is
-- in waits too short to tell (short), so that the waits may last as long (all rows have a share of it).
turned AS MATERIALIZED (
    SELECT own.context, own.previous, own.spent, own.spent * CAST(own.spent AS HUGEINT) AS square,
        own.waits, least(own.more, coalesce(CASE WHEN own.waits THEN greatest(earlier.usual, later.usual) ELSE earlier.usual END, 0)) AS lost
    FROM own
    JOIN told AS now ON now.context = own.context
    JOIN told AS was ON was.context = own.previous
    LEFT JOIN dropped AS earlier ON earlier.does = was.does
    LEFT JOIN dropped AS later ON later.does = now.does
    WHERE own.waits OR was.does <> now.does
),
shown AS MATERIALIZED (
    SELECT coalesce(sum(line.longest), 0) AS spent
    FROM elsewhere JOIN trace_line AS line ON line.profile = elsewhere.profile AND line.clock = 'running'
),
waited AS MATERIALIZED (
    SELECT context, profiled, rest, rate, rest // samples AS one, least(untold, gap.most) AS lost, stop - longest AS stop,
        CAST(round((CAST(rest AS DOUBLE) / samples) ** 2 + CAST(rest AS DOUBLE) ** 2 * rate * (1 - rate) / samples) AS HUGEINT) AS square,
        greatest(shown.spent - sum(rest) OVER (), 0) * rest / sum(rest) OVER () AS short
    FROM divided CROSS JOIN gap CROSS JOIN shown WHERE rate IS NOT NULL
),
running AS MATERIALIZED (
    SELECT held.context, sum(held.duration) AS running
    FROM cpu_time AS held
    JOIN main ON main.profile = held.profile
    JOIN trace_line AS line ON line.profile = held.profile AND line.clock = 'running'
    GROUP BY held.context
),
spent AS MATERIALIZED (
    SELECT enclosing.frame, piece.waits, coalesce(piece.profiled, enclosing.frame IN (FROM tool)) AS profiled,
        CAST(sum(piece.spent) AS DOUBLE) AS spent, CAST(min(piece.start) AS DOUBLE) AS begins, CAST(max(piece.stop) AS DOUBLE) AS ends,
        CAST(sum(piece.after) AS DOUBLE) AS "after", CAST(sum(piece.after_square) AS DOUBLE) AS after_square,
            CAST(sum(piece.after_lost) AS DOUBLE) AS after_lost,
        CAST(sum(piece.before) AS DOUBLE) AS before, CAST(sum(piece.before_square) AS DOUBLE) AS before_square,
            CAST(sum(piece.before_lost) AS DOUBLE) AS before_lost, CAST(sum(piece.dropped) AS DOUBLE) AS dropped
    FROM (
        SELECT context, false AS waits, NULL AS profiled, spent, stop - spent AS start, stop, 0 AS "after", 0 AS after_square,
            0 AS after_lost, 0 AS before, 0 AS before_square, 0 AS before_lost, dropped FROM own
        UNION ALL
        SELECT previous, false, NULL, rest, stop - spent, stop - longest, 0, 0, 0, 0, 0, 0, dropped FROM divided WHERE rest > 0 AND rate IS NULL
        UNION ALL
        SELECT context, true, true, profiled, stop - rest, stop, one, square, CAST(round(lost * rate) AS BIGINT), one, square,
            CAST(round(short * rate) AS BIGINT), 0 FROM waited WHERE profiled > 0
        UNION ALL
        SELECT context, true, false, rest - profiled, stop - rest, stop, one, square, CAST(round(lost * (1 - rate)) AS BIGINT),
            one, square, CAST(round(short * (1 - rate)) AS BIGINT), 0 FROM waited WHERE profiled < rest
        UNION ALL
        SELECT context, false, NULL, 0, NULL, NULL, spent, square, CASE WHEN waits THEN 0 ELSE lost END, 0, 0, CASE
            WHEN waits THEN lost ELSE 0 END, 0 FROM turned
        UNION ALL
        SELECT previous, false, NULL, 0, NULL, NULL, 0, 0, 0, spent, square, lost, 0 FROM turned
    ) AS piece
    JOIN enclosing_frame AS enclosing ON enclosing.context = piece.context
    GROUP BY ALL
),
ran AS MATERIALIZED (
    SELECT enclosing.frame, CAST(sum(running.running) AS DOUBLE) AS running
    FROM running JOIN enclosing_frame AS enclosing ON enclosing.context = running.context GROUP BY enclosing.frame
)
SELECT spent.frame, spent.spent, spent.begins, spent.ends, CASE WHEN spent.waits THEN 0 ELSE ran.running END AS running,
    CASE WHEN spent.waits AND frame.phase IS DISTINCT FROM 'backward' THEN 'waiting'
        WHEN spent.frame IN (SELECT frame FROM gpu_start) THEN 'initialisation' ELSE coalesce(frame.phase, 'other') END AS part,
    spent.profiled, (SELECT median(spent) FROM sample) AS distance, (SELECT count(*) FROM main) AS threads,
    spent."after", spent.after_square, spent.after_lost, spent.before, spent.before_square, spent.before_lost,
    CASE WHEN EXISTS (FROM step WHERE whole IS NOT NULL) THEN spent.dropped END AS dropped
FROM spent JOIN frame ON frame.frame = spent.frame LEFT JOIN ran ON ran.frame = spent.frame
UNION ALL
SELECT stay.frame, stay.spent, stay.begins, stay.ends, NULL,
    CASE WHEN stay.frame IN (SELECT frame FROM gpu_start) THEN 'initialisation' WHEN stay.frame IN (FROM backward_waits) THEN 'waiting'
        ELSE coalesce(frame.phase, 'other') END,
    false, 0, (SELECT count(*) FROM main), 0, 0, 0, 0, 0, 0, NULL
FROM (
    SELECT enclosing.frame, CAST(sum(stay.duration) AS DOUBLE) AS spent, CAST(min(stay.start - span.start) AS DOUBLE) AS begins,
        CAST(max(stay.start + stay.duration - span.start) AS DOUBLE) AS ends
    FROM host_stay AS stay JOIN main ON main.profile = stay.profile CROSS JOIN cpu_trace_span AS span
    JOIN enclosing_frame AS enclosing ON enclosing.context = stay.context
    GROUP BY enclosing.frame
) AS stay JOIN frame ON frame.frame = stay.frame

/*---
name: main_stretches
about: >-
  The rows of table main_stretch of a run, with the program's own function that each belongs to (frame.owner),
  NULL where it waits for the backward pass. Calls that wait for a GPU (frame.role) are a part gpu wait, in
  whatever phase they are, if they take ten usual distances between samples in all; so are those in
  profiler_contexts a part profiler, before that, but for what starts a GPU; in waits for the backward pass
  these are the other thread's.
---*/
SELECT frame, spent, begins, ends, running, "after", after_square, after_lost, before, before_square, before_lost, dropped, owner,
    CASE WHEN waits AND sum(spent) FILTER (WHERE waits) OVER () >= 10 * distance THEN 'gpu wait' ELSE part END AS part, distance, threads
FROM (
    SELECT * REPLACE (CASE WHEN profiled THEN 'profiler' ELSE part END AS part), may_wait AND NOT profiled AS waits
    FROM (
        SELECT *, profiler AND sum(spent) FILTER (WHERE profiler) OVER () >= 10 * distance AS profiled
        FROM (
            SELECT stretch.* EXCLUDE (profiled), CASE WHEN stretch.part <> 'waiting' THEN frame.owner END AS owner,
                stretch.part NOT IN ('waiting', 'initialisation') AND coalesce(frame.role = 'gpu wait', false) AS may_wait,
                stretch.part <> 'initialisation' AND stretch.profiled AS profiler
            FROM main_stretch AS stretch JOIN frame ON frame.frame = stretch.frame
        )
    )
)

/*---
name: dropped_share
about: >-
  Of the main thread's elapsed time in each part of the program (main_stretches), the share in which the
  profiler dropped its samples, though its CPU clock ran; NULL where the timer does not tell.
---*/
SELECT part, if(sum(dropped) < 0, 0, sum(dropped)) / nullif(sum(spent), 0) AS value FROM main_stretches GROUP BY part

/*---
name: training_span
about: >-
  How long a run without GPU operations trains, from the first stretch of input data on a main thread to the
  last sample of input data, the forward pass, the backward pass or the optimizer [s], when that begins and
  ends, from the begin of the run [ns], and the batches that profile.toml gives; no row without these.
---*/
SELECT min(stretch.begins) FILTER (WHERE stretch.part = 'data') AS first, max(stretch.ends) AS last,
    (last - first) / 1e9 AS seconds, any_value(given.batches) AS batches
FROM main_stretch AS stretch
CROSS JOIN (SELECT TRY_CAST(value AS DOUBLE) AS batches FROM setting WHERE key = 'workload.batches') AS given
WHERE stretch.part IN ('data', 'forward', 'backward', 'optimizer') AND given.batches > 0
    AND NOT EXISTS (FROM gpu_stream)
HAVING seconds > 0
