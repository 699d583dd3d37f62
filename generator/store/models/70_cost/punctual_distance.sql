/*---
about: >-
  The punctual distance of a thread's samples by elapsed time in frames of a role, and of any role: the one that
  one in twenty of its distances between samples is below. No row of fewer than 20 samples.
when: sampled_frame
columns:
  profile: INTEGER; CPU thread, index in table profile [id]
  role: VARCHAR?; As in table frame, or any [text]
  samples: BIGINT; Samples with a distance [count]
  distance: DOUBLE; The punctual one [ns]
---*/
SELECT sample.profile, CASE grouping(does) WHEN 0 THEN ['working', 'waiting', 'gpu', 'gpu wait'][does] ELSE 'any' END AS role,
    count(*) AS samples, quantile_cont(sample.distance, 0.05) AS distance
FROM host_sample AS sample
LEFT JOIN (
    SELECT enclosing.context, CAST(list_position(['working', 'waiting', 'gpu', 'gpu wait'], frame.role) AS UTINYINT) AS does
    FROM enclosing_frame AS enclosing JOIN frame ON frame.frame = enclosing.frame
) AS place ON place.context = sample.context
WHERE sample.distance > 0 AND EXISTS (FROM sampled_frame)
GROUP BY GROUPING SETS ((sample.profile, does), (sample.profile)) HAVING count(*) >= 20
