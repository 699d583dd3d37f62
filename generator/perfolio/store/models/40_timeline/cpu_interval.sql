/*---
about: >-
  When CPU threads ran: where they stayed (host_stay), and by samples: from a sample on for trace_line.longest, but not into the next sample; by
  the elapsed clock, to the next point at most. A long_sample also stands for the time before it. taken is when
  the sample was taken.
---*/
SELECT sample.profile, sample.context, sample.taken, coalesce(long.start, sample.taken) AS start,
    sample.taken + least(line.longest, sample.stay) AS stop
FROM host_sample AS sample
JOIN trace_line AS line ON line.profile = sample.profile
LEFT JOIN long_sample AS long ON long.profile = sample.profile AND long.sample = sample.taken
WHERE sample.duration > 0
UNION ALL
SELECT profile, context, start, start, start + duration FROM host_stay
