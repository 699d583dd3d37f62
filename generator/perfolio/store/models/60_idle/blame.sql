/*---
about: >-
  Idle time of GPUs by the calling contexts in which launching threads of the same rank were sampled meanwhile:
  by the samples taken in a gap or, of one that is shorter than ten of their periods, in all gaps of like
  length. Of several GPUs the mean.
when: gpu_operation
made_by: insert_blame
columns:
  period: >-
    VARCHAR; When the gap begins: before the first GPU operation, earlier work and start-up (from there to the first iteration),
    warm-up, steady, outlier, last (the incomplete iteration), end (after it); between, in a run without
    iterations: see idle_periods [text]
  gap: >-
    VARCHAR; short (PC sampling may have made it), wait (the long wait of its iteration) or other: see
    idle_gaps [text]
  steady: "BOOLEAN; Whether it lies in iterations that statistics are made of: complete ones that are no warm-up"
  octave: >-
    TINYINT?; Of gaps that share their samples, the binary logarithm of their length in ns, rounded down; 9
    stands for all shorter ones, too. NULL of gaps that have ten periods or more, and before the first GPU
    operation [count]
  context: UINTEGER; Calling context of the CPU thread [id]
  sampled: DOUBLE; Idle time of the GPU that its samples account for, one period each, up to duration [ns]
  duration: >-
    DOUBLE; Idle time of the GPU that its samples stand for: the whole of the gaps in which, or in gaps like
    which, they were taken [ns]
  samples: >-
    DOUBLE; Samples that were taken while the GPU was idle; where several threads ran at once, each counts for
    one over their number [count]
  square: "DOUBLE; Sum of the squares of what each sample stands for: how unevenly samples stand for idle time [ns2]"
---*/
