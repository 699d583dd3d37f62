/*---
about: >-
  Equal parts of the traced span of a run [ns].
given: [number]
---*/
FROM equal_bins((SELECT start FROM traced_span), (SELECT stop FROM traced_span), number)
