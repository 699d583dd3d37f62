/*---
about: >-
  The punctual distance of a thread's samples by elapsed time in frames of a role, and of any role: the one that
  one in twenty of its distances between samples is below, but no more than a tenth above the one that one in a
  thousand of the run's is below. No row of fewer than 20 samples.
when: sampled_frame
columns:
  profile: INTEGER; CPU thread, index in table profile [id]
  role: VARCHAR?; As in table frame, or any [text]
  samples: BIGINT; Samples with a distance [count]
  distance: DOUBLE; The punctual one [ns]
---*/
-- No timer expires before its period is over: the least distances of a run tell the period, also of threads of which hardly
-- any sample comes in time, as where turns of threads that share a core are shorter than the period.
SELECT sample.profile, CASE grouping(does) WHEN 0 THEN ['working', 'waiting', 'gpu', 'gpu wait'][does] ELSE 'any' END AS role,
    count(*) AS samples, least(quantile_cont(sample.distance, 0.05), 1.1 * any_value(run.least)) AS distance
FROM host_sample AS sample CROSS JOIN (SELECT quantile_cont(distance, 0.01) AS least FROM host_sample WHERE distance > 0) AS run
LEFT JOIN (
    SELECT enclosing.context, CAST(list_position(['working', 'waiting', 'gpu', 'gpu wait'], frame.role) AS UTINYINT) AS does
    FROM enclosing_frame AS enclosing JOIN frame ON frame.frame = enclosing.frame
) AS place ON place.context = sample.context
WHERE sample.distance > 0 AND EXISTS (FROM sampled_frame)
GROUP BY GROUPING SETS ((sample.profile, does), (sample.profile)) HAVING count(*) >= 20
