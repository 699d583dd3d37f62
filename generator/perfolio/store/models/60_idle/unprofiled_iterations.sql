/*---
about: >-
  Steady iterations by iteration_parts, over all of them together: the profiler's own calls, all else (own), and
  what is left of that without input data (rest), in which idle time without any sample counts, but not in its
  lower end. Ends are those of 95 % Wilson intervals; n is what these rest on. hooked tells whether most of the
  main thread's time for input passes without samples while its CPU clock runs (dropped_share): that is most
  likely the profiler's, too, and in none of its calls. No row where no function tells a phase [ns].
---*/
WITH whole AS (
    SELECT sum(gpu_idle) FILTER (WHERE phase = 'profiler') AS profiler,
        sum(gpu_idle - told) FILTER (WHERE phase = 'data') AS input,
        coalesce(sum(gpu_busy + told) FILTER (WHERE phase <> 'data'), 0) AS busy,
        coalesce(sum(gpu_idle - told) FILTER (WHERE phase <> 'not told'), 0) AS blamed,
        sum(gpu_idle) FILTER (WHERE phase = 'not told') AS unknown,
        any_value(length) AS length, any_value(iterations) AS iterations, any_value(n) AS n
    FROM iteration_parts HAVING count(*) > 0
),
rest AS (
    SELECT *, greatest(blamed - coalesce(profiler, 0) - coalesce(input, 0), 0) / nullif(blamed, 0) AS part FROM whole
)
SELECT coalesce(profiler, 0) AS profiler, blamed * blame_low(coalesce(profiler, 0) / nullif(blamed, 0), n) AS profiler_low,
    blamed * blame_high(coalesce(profiler, 0) / nullif(blamed, 0), n) AS profiler_high, length - coalesce(profiler, 0) AS own,
    busy + blamed * coalesce(part, 0) + unknown AS rest, busy + blamed * blame_low(part, n) AS rest_low,
    busy + blamed * blame_high(part, n) + unknown AS rest_high, iterations, n,
    coalesce((SELECT value > 0.5 FROM dropped_share WHERE part = 'data'), false) AS hooked
FROM rest
