/*---
title: Input made from random numbers, share of the time of input data
unit: ratio
better: neither
definition: >-
  Share of the idle time of the GPU in the phase data of steady iterations in which the calling
  path of launching threads holds a generator of random numbers, or a function whose name says
  that it makes up its data.
population: >-
  gaps in complete iterations that are no warm-up; the whole of each gap is shared by the samples of
  launching threads in it
needs: [cpu_trace, gpu_trace, launching, iterations]
source: HPCToolkit's idleness blame, by gaps; names of functions and modules, listed in the query
caveat: >-
  Told by names, and too low where the profiler lost frames of a calling path. Augmentation of
  real data draws random numbers as well, though for little of the time.
empty: no launching thread was sampled where input is loaded or made while the GPU was idle in such iterations
---*/
WITH spent AS MATERIALIZED (
    SELECT enclosing.frame, sum(blame.duration) AS spent, sum(blame.square) AS square
    FROM blame JOIN enclosing_frame AS enclosing ON enclosing.context = blame.context
    WHERE blame.steady
    GROUP BY enclosing.frame
),
input AS MATERIALIZED (
    SELECT frame AS target FROM frame WHERE phase = 'data' AND frame IN (SELECT frame FROM spent)
),
made AS MATERIALIZED (
    SELECT DISTINCT path.target
    FROM path_frames((SELECT list(target) FROM input)) AS path
    JOIN context_name AS named ON named.context = path.frame
    WHERE named.module_path LIKE '%/numpy/random/%' OR regexp_matches(
        lower(path.name),
        'mt19937|mersenne|pcg64|philox|xoroshiro|xoshiro|sfc64|curand|'
        || '(^|[^a-z])(rand|randn|randint|random_sample|standard_normal|standard_uniform|uniform_|normal_)($|[^a-z])|'
        || '(^|_)(generate|make|create|gen)_(random|uniform|normal|synthetic|dummy|fake)|(^|_)(synthetic|dummy|fake)_'
    )
)
SELECT share AS value, blame_low(share, n) AS low, blame_high(share, n) AS high, n
FROM (
    SELECT coalesce(sum(spent) FILTER (WHERE frame IN (SELECT target FROM made)), 0) / sum(spent) AS share,
        equal_samples(sum(spent), sum(square)) AS n
    FROM spent
    WHERE frame IN (SELECT target FROM input)
)
