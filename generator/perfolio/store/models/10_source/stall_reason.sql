/*---
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
