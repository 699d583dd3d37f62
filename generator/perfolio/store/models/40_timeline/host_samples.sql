/*---
name: host_point
about: >-
  Samples of CPU threads, by thread in order of time, from points that run: how long until the next point
  (duration; NULL of a thread's last) and whether that runs too (again); by the running clock also over an idle
  between, to the point after that (stay) [ns].
held: true
---*/
-- lead() OVER () goes along the table, which holds each line in order of time, and sorts nothing. Should the next row not
-- begin where this one ends, it is taken for no neighbour. Threads are chosen last: above a join, lead() holds all rows.
SELECT profile, context, taken, duration, coalesce("after" <> 0, false) AS again,
    CASE WHEN "after" = 0 AND cpu_clock() = 'running' THEN duration + coalesce(after_duration, 0) ELSE duration END AS stay
FROM (
    SELECT profile, context, CAST("time" AS BIGINT) AS taken, CAST(duration AS BIGINT) AS duration,
        CASE WHEN lead(profile) OVER () = profile AND lead("time") OVER () = "time" + duration
            THEN lead(context) OVER () END AS "after",
        CAST(lead(duration) OVER () AS BIGINT) AS after_duration
    FROM trace
)
WHERE context <> 0 AND profile IN (SELECT "index" FROM profile WHERE kind <> 'GPU stream')

/*---
name: host_sample
about: >-
  The rows of host_point, with the time since the thread's sample before, NULL of its first
  (distance), and what of it is after that one's stay (idle) [ns].
held: false
---*/
-- lag() OVER () goes along the rows, too.
SELECT * EXCLUDE (stay_before), distance - stay_before AS idle
FROM (
    SELECT *, lag(stay) OVER () AS stay_before,
        CASE WHEN lag(profile) OVER () = profile THEN taken - lag(taken) OVER () END AS distance
    FROM host_point
)

/*---
name: context_samples
about: >-
  Samples by CPU thread and context: how many, how many have a duration (held), how long the thread ran from
  these on (ran) and did not before them (waited), by recorded_line.longest; how many have a distance (later), the
  sum of the distances, of their squares, and the longest [ns].
held: true
---*/
SELECT sample.profile, sample.context, count(*) AS samples,
    count(*) FILTER (WHERE duration > 0) AS held,
    CAST(sum(least(line.longest, stay)) FILTER (WHERE duration > 0) AS BIGINT) AS ran,
    CAST(sum(greatest(idle, distance - line.longest)) FILTER (WHERE duration > 0) AS BIGINT) AS waited,
    count(*) FILTER (WHERE distance > 0) AS later, CAST(sum(distance) AS BIGINT) AS distance,
    sum(CAST(distance AS HUGEINT) * distance) AS squares, max(distance) AS longest
FROM host_sample AS sample JOIN recorded_line AS line ON line.profile = sample.profile GROUP BY sample.profile, sample.context

/*---
name: long_place
about: >-
  Where samples of a CPU thread stand for the time before them too (long_sample): contexts whose function costs
  the thread more than ten periods for each of its samples. part: how much of the time that is idle by the trace the
  profile charges to the function; longest: as in recorded_line [ns].
held: true
---*/
-- A thread that is within a call of the kernel gets its sample only when it returns. The profile
-- tells: it charges that sample with all that passed since the one before. So where the samples of
-- a function carry more than ten periods each, the idle time before them was no idle time, as far
-- as the function's cost on this thread goes. In the trace a point lies in a line of its function,
-- in the profile the cost is the function's.
WITH held AS (
    SELECT sample.profile, enclosing.frame, sum(sample.held) AS samples, sum(sample.ran) AS ran,
        sum(sample.waited) AS waited
    FROM context_samples AS sample JOIN enclosing_frame AS enclosing ON enclosing.context = sample.context GROUP BY ALL
),
long AS (
    SELECT held.profile, held.frame,
        least(1, greatest(charged.value * 1e9 - held.ran, 0) / nullif(held.waited, 0)) AS part
    FROM held JOIN charged ON charged.profile = held.profile AND charged.context = held.frame
    WHERE charged.value * 1e9 > 10 * held.samples * (
        SELECT max(longest / CASE clock WHEN 'running' THEN 1 ELSE 10 END) FROM recorded_line
    )
)
SELECT sample.profile, sample.context, long.part, line.longest
FROM context_samples AS sample
JOIN enclosing_frame AS enclosing ON enclosing.context = sample.context
JOIN long ON long.profile = sample.profile AND long.frame = enclosing.frame
JOIN recorded_line AS line ON line.profile = sample.profile

/*---
name: long_sample
about: >-
  Samples of CPU threads that stand for the time before them too: by the profile, those of their function on
  this thread carry more than ten periods each. A thread gets no sample within a call of the kernel, which may
  take seconds.
when: trace
columns:
  profile: INTEGER; CPU thread, index in table profile [id]
  start: >-
    BIGINT; Begin of the time that the sample stands for, since the epoch: not before the end of the sample
    before, and together with the others of its function no more than the profile says [ns]
  sample: BIGINT; Moment of the sample, since the epoch [ns]
---*/
SELECT profile, taken - more AS start, taken AS sample
FROM (
    SELECT sample.profile, sample.taken,
        CAST(floor(greatest(sample.idle, sample.distance - place.longest) * place.part) AS BIGINT) AS more
    FROM host_sample AS sample JOIN long_place AS place ON place.profile = sample.profile AND place.context = sample.context
    WHERE sample.duration > 0
)
WHERE more > 0

/*---
name: timer_gaps
about: >-
  By sample of the running clock: the time since the thread's last sample [ns], and whether that is a whole
  number of the timer's periods, to an eighth of one. The period is the median of gaps over their number of
  periods. NULL where fewer than one in twenty of the run's gaps of more than 1.5 periods are off them: there a
  wait might not be, either.
---*/
-- Linux looks at timers of CPU time at each tick of its clock, and hpcrun starts its timer again at each
-- sample, also at one that it drops. A thread that runs is therefore sampled at multiples of one period,
-- whatever is dropped between; a wait shifts them by its ticks, of which a period has two or more unless
-- no gap of the run is off them: then the multiples tell nothing.
WITH spaced AS MATERIALIZED (
    SELECT sample.profile, sample.taken, line.longest, sample.distance AS gap
    FROM host_sample AS sample JOIN trace_line AS line ON line.profile = sample.profile AND line.clock = 'running'
    WHERE sample.duration > 0
),
rough AS (
    SELECT median(gap) AS period FROM spaced WHERE gap < 1.5 * longest
),
timer AS (
    SELECT coalesce(median(gap / periods) FILTER (WHERE periods BETWEEN 2 AND 20 AND abs(gap / period - periods) <= 0.125),
        any_value(period)) AS period
    FROM (SELECT gap, period, round(gap / period) AS periods FROM spaced CROSS JOIN rough)
),
told AS (
    SELECT spaced.profile, spaced.taken, spaced.gap, spaced.gap > 1.5 * timer.period AS long,
        abs(spaced.gap / timer.period - round(spaced.gap / timer.period)) <= 0.125 AS whole
    FROM spaced CROSS JOIN timer WHERE timer.period > 0
)
SELECT profile, taken, gap, CASE WHEN coalesce(avg(CAST(NOT whole AS INTEGER)) FILTER (WHERE long) OVER () >= 0.05, false) THEN whole END AS whole
FROM told

/*---
name: samples_tell_running
about: >-
  Whether samples of CPU time tell how long threads ran: not where they may have run for a twentieth of the run
  or more in which no sample shows one running: the part in which CPU clocks ran where that is told
  (idle_time.clocked), else all of it; nor where those of main threads ran for longer without a sample than with
  (main_stretch.dropped).
value: true
---*/
SELECT coalesce((
        SELECT sum(coalesce(idle.clocked, idle.duration)) < 0.05 * any_value(span.stop - span.start)
        FROM idle_time AS idle JOIN cpu_trace_span AS span ON true
    ), true) AND coalesce((
        SELECT sum(greatest(dropped, 0)) < sum(running)
        FROM (SELECT sum(dropped) AS dropped, sum(running) AS running FROM main_stretch GROUP BY part)
    ), true) AS value
