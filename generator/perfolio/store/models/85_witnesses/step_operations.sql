/*---
about: >-
  Operations of each typical step (host_step) on all threads of its process by the sizes of arguments: needed by the model, with what
  fused attention computes again
  (flop), of these without what a causal mask leaves out (done) [FLOP], and the time that those needed and done take at the dense peaks of
  their types [s].
when: FROM host_range WHERE shapes IS NOT NULL
---*/
SELECT step.profile, step.start, sum(own.needed) AS needed, sum(own.flop) AS flop, sum(own.done) AS done,
    sum(own.needed / roof.rate) AS needed_least, sum(own.done / roof.rate) AS least
FROM host_step AS step
JOIN main_threads AS main ON main.profile = step.profile
JOIN process_thread AS thread ON thread.process = main.process
JOIN sized_operator AS own ON own.profile = thread.profile AND own.start >= step.start AND own.start < step.stop
LEFT JOIN roof_ceiling AS roof ON roof.name = own.precision
WHERE own.flop > 0 GROUP BY ALL
