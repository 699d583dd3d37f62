/*---
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
  mark: "VARCHAR; warm-up, outlier, incomplete (the last one: nothing shows its end) or empty [text]"
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
own AS (
    SELECT bound.iteration, NULL AS device, bound.start, bound.stop FROM bound WHERE bound.iteration > 1
    UNION ALL
    SELECT bound.iteration, first.device, first.start, bound.stop FROM bound JOIN first_iteration AS first ON bound.iteration = 1
),
-- GPUs begin an iteration one after the other, around the one moment that is its begin: there a gap would be cut in two.
used AS (
    SELECT own.iteration, level.device,
        sum(least(level.stop, own.stop) - greatest(level.start, own.start))
            FILTER (WHERE level.kernels + level.copies + level.others > 0) AS busy,
        max(CASE WHEN gpus() = 1 THEN least(level.stop, own.stop) - greatest(level.start, own.start)
                WHEN level.start >= own.start THEN least(level.stop - level.start, own.stop - own.start) END)
            FILTER (WHERE level.kernels + level.copies + level.others = 0) AS gap
    FROM own JOIN gpu_level AS level ON level.start < own.stop AND level.stop > own.start
    WHERE level.device = coalesce(own.device, level.device)
    GROUP BY own.iteration, level.device
),
mean AS (
    SELECT iteration, CAST(round(sum(busy) / gpus()) AS BIGINT) AS busy, CAST(round(sum(gap) / gpus()) AS BIGINT) AS gap
    FROM used GROUP BY iteration
),
usual AS (SELECT median(stop - start) AS middle, usual_spread(stop - start) AS width FROM bound WHERE complete),
rated AS (SELECT bound.*, stop - start > middle + width AS long, abs(stop - start - middle) > width AS far FROM bound CROSS JOIN usual)
SELECT rated.iteration, rated.start, rated.stop, coalesce(mean.busy, 0) AS gpu_busy, coalesce(mean.gap, 0) AS longest_gap,
    CASE WHEN NOT complete THEN 'incomplete' WHEN bool_and(long) OVER (ORDER BY rated.iteration) THEN 'warm-up'
        WHEN far THEN 'outlier' ELSE '' END AS mark
FROM rated LEFT JOIN mean ON mean.iteration = rated.iteration
