/*---
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
