/*---
name: pc_sampled
about: >-
  Whether PC sampling was on: the database lists its metrics, with values or without. GINS alone may count instructions
  that code was instrumented for: PC sampling lists stalls or numbers of samples beside it.
value: true
---*/
SELECT EXISTS (SELECT 1 FROM metric WHERE is_pc_sample(measure) AND measure <> 'pc_samples' OR measure LIKE 'samples\_%' ESCAPE '\') AS value

/*---
name: sample_period
about: >-
  Cycles between two PC samples: a setting, stored once per kernel, so the smallest entry and never the sum.
  pc_samples over it is a number of samples.
value: true
---*/
SELECT coalesce(
    (SELECT min(value.value) FROM value JOIN metric ON metric.id = value.metric
     WHERE metric.measure = 'sample_period' AND metric.scope = 'point'),
    (SELECT min(try_cast(value AS DOUBLE)) FROM setting WHERE key = 'event_period'))

/*---
name: multiprocessors
about: >-
  Multiprocessors of the GPU: of the hardware, else as many as the expected PC samples allow, 256 at most; NULL
  without either.
value: true
---*/
SELECT coalesce(
    (SELECT hardware.multiprocessors FROM hardware JOIN run ON run.hardware = hardware.name),
    (SELECT CASE WHEN count(*) > 0 THEN least(list_reduce(list(CAST(value AS BIGINT)), lambda a, b: gcd(a, b)), 256) END
     FROM cost WHERE scope = 'point' AND name = 'samples_expected' AND value > 0))

/*---
name: samples_at_once
about: >-
  PC samples per moment of sampling, the mean over samples: by as much are independent samples of a run fewer
  (Kish, Survey Sampling, 1965: clusters that agree within themselves).
value: true
---*/
SELECT coalesce(sum(taken * at_once(taken, expected, multiprocessors())) / nullif(sum(taken), 0), 1.0)
FROM (
    SELECT sum(value) FILTER (WHERE name = 'samples_taken') AS taken, sum(value) FILTER (WHERE name = 'samples_expected') AS expected
    FROM cost WHERE scope = 'point' AND name IN ('samples_taken', 'samples_expected') GROUP BY context
)
WHERE taken > 0

/*---
name: stall_reason
about: >-
  The reasons why a GPU scheduler issues nothing, by the code in the measure stalled_samples:CODE, whose sum is stalled_samples; NONE is no
  stall.
---*/
SELECT * FROM (
    VALUES
        ('GMEM', 'global memory'), ('CMEM', 'constant memory'), ('TMEM', 'texture memory'),
        ('IDEP', 'instruction dependency'), ('IFET', 'instruction fetch'), ('SYNC', 'synchronisation'),
        ('PIPE', 'pipeline busy'), ('MTHR', 'memory throttle'), ('NSEL', 'not selected'),
        ('SLP', 'sleeping'), ('OTHR', 'other')
) AS reason(code, words)
