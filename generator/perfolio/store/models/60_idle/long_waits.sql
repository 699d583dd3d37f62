/*---
about: >-
  The longest gap of each GPU in each steady iteration, by its begin, where that is a wait of its own: more than
  5 ms and a fifth of the iteration, by the medians [ns].
---*/
SELECT gap.device, arg_max(gap.start, {'length': gap.duration, 'first': -gap.start}) AS start
FROM gpu_gap AS gap
ASOF JOIN (
    SELECT own.* FROM steady_iterations AS own CROSS JOIN iteration_length AS usual
    QUALIFY median(own.longest_gap) OVER () > 5e6 AND median(own.longest_gap) OVER () > 0.2 * usual.length
) AS steady ON gap.start >= steady.start
WHERE gap.start < steady.start + steady.duration
GROUP BY gap.device, steady.iteration
