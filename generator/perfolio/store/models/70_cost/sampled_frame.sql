/*---
about: >-
  Samples of CPU threads by elapsed time, where that is the CPU event, by the frame that they are in.
when: cpu_event_of() = 'elapsed_time' AND EXISTS (FROM trace_line WHERE clock = 'elapsed')
columns:
  profile: INTEGER; CPU thread, index in table profile [id]
  frame: UINTEGER?; Call frame; NULL where the profile does not say [id]
  samples: BIGINT; Samples [count]
  later: BIGINT; Samples with a distance, the time since the thread's sample before [count]
  distance: BIGINT?; Sum of the distances [ns]
  squares: HUGEINT?; Sum of their squares [ns2]
  longest: BIGINT?; The longest distance [ns]
---*/
-- hpcrun marks that a sample came late, by more than five periods, with a point without a context one period
-- after the sample before: that is no sample.
SELECT sample.profile, enclosing.frame, CAST(sum(samples) AS BIGINT) AS samples,
    CAST(sum(later) AS BIGINT) AS later, CAST(sum(distance) AS BIGINT) AS distance, sum(squares) AS squares, max(longest) AS longest
FROM context_samples AS sample LEFT JOIN enclosing_frame AS enclosing ON enclosing.context = sample.context
WHERE cpu_event_of() = 'elapsed_time' AND EXISTS (FROM trace_line WHERE clock = 'elapsed')
GROUP BY sample.profile, enclosing.frame
