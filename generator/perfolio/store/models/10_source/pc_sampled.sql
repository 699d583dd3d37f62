/*---
about: >-
  Whether PC sampling was on: the database lists its metrics, with values or without. GINS alone may count instructions
  that code was instrumented for: PC sampling lists stalls or numbers of samples beside it.
value: true
---*/
SELECT EXISTS (SELECT 1 FROM metric WHERE is_pc_sample(measure) AND measure <> 'pc_samples' OR measure LIKE 'samples\_%' ESCAPE '\') AS value
