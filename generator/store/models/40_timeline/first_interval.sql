/*---
about: >-
  When CPU threads ran, by the trace, before long samples are known: see cpu_interval.
---*/
SELECT sample.profile, sample.context, sample.start,
    sample.start + least(line.longest, CASE line.clock WHEN 'running' THEN sample.room ELSE sample.duration END) AS stop
FROM cpu_samples AS sample
JOIN recorded_line AS line ON line.profile = sample.profile AND line.kind = 'CPU thread'
