/*---
about: >-
  Samples behind the CPU cost of each CPU thread, as its trace shows them: sums of the times that they stand
  for and of the squares of these (equal_samples). With CPUTIME every sample stands for one period; with
  REALTIME for the time since the last one. NULL for other events.
---*/
SELECT line.profile,
    CASE cpu_event_of() WHEN 'cpu_time' THEN line.active WHEN 'elapsed_time' THEN elapsed.total END AS total,
    CASE cpu_event_of() WHEN 'cpu_time' THEN line.active WHEN 'elapsed_time' THEN elapsed.squares END AS squares
FROM trace_line AS line
LEFT JOIN (
    SELECT profile, sum(CAST(distance AS DOUBLE)) AS total, sum(CAST(distance AS DOUBLE) * distance) AS squares
    FROM elapsed_samples GROUP BY profile
) AS elapsed ON elapsed.profile = line.profile
WHERE line.kind = 'CPU thread'
