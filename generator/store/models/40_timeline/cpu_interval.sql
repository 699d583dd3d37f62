/*---
about: >-
  When CPU threads ran, by the trace: from a sample on for trace_line.longest, but not into the next sample; by
  the elapsed clock, to the next point at most. A long_sample also stands for the time before it. taken is when
  the sample was taken.
---*/
SELECT sample.profile, sample.context, sample.start AS taken, coalesce(long.start, sample.start) AS start,
    sample.start + least(line.longest, CASE line.clock WHEN 'running' THEN sample.room ELSE sample.duration END) AS stop
FROM cpu_samples AS sample
JOIN trace_line AS line ON line.profile = sample.profile AND line.kind = 'CPU thread'
LEFT JOIN long_sample AS long ON long.profile = sample.profile AND long.sample = sample.start
