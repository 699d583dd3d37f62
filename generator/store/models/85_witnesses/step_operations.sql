/*---
about: >-
  Operations of each typical step (host_step) by the sizes of arguments: needed by the model, done with what fused attention computes
  again [FLOP], and the time that those done take at the dense peaks of their types [s].
when: EXISTS (FROM host_range WHERE shapes IS NOT NULL)
---*/
SELECT step.profile, step.start, sum(own.needed) AS needed, sum(own.flop) AS flop,
    sum(own.needed / roof.rate) AS needed_least, sum(own.flop / roof.rate) AS least
FROM host_step AS step JOIN sized_operator AS own ON own.start >= step.start AND own.start < step.stop
LEFT JOIN roof_ceiling AS roof ON roof.name = own.precision
WHERE own.flop > 0 GROUP BY ALL
