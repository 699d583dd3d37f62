/*---
title: Optimisers of PyTorch on the calling paths
better: neither
definition: >-
  The optimisers whose source files in PyTorch the profile names, and whether gradients are sparse
  somewhere: a function on the calling paths makes sparse ones of an embedding.
population: all source files and functions of the run
needs: []
source: names of files and functions, listed in the query
caveat: >-
  An optimiser that uses another one's code, as AdamW does of Adam's, shows both. Sparse
  gradients that no sample and no operation touched are not seen.
empty: no file of an optimiser of PyTorch
columns:
  - {name: optimizer, title: 'Optimiser', unit: text}
  - {name: gradients, title: 'Gradients', unit: text}
---*/
SELECT DISTINCT regexp_extract(path, '(^|/)torch/optim/([a-z0-9]+)\.py$', 2) AS optimizer,
    CASE WHEN EXISTS (
        FROM function WHERE run = $run AND (function.name LIKE '%\_sparse\_backward%' ESCAPE '\' OR function.name LIKE '%add\_out\_%sparse%' ESCAPE '\')
    ) THEN 'sparse' ELSE 'dense' END AS gradients
FROM file
WHERE run = $run AND regexp_matches(path, '(^|/)torch/optim/[a-z0-9]+\.py$') AND NOT regexp_matches(path, '/(optimizer|swautils)\.py$')
ORDER BY optimizer
