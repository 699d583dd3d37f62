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
    SELECT profile, CAST(sum(distance) AS DOUBLE) AS total, CAST(sum(squares) AS DOUBLE) AS squares
    FROM sampled_frame GROUP BY profile
) AS elapsed ON elapsed.profile = line.profile
WHERE line.kind = 'CPU thread'
