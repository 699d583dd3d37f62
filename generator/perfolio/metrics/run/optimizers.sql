/*---
title: Optimisers of PyTorch on the calling paths
better: neither
definition: >-
  The optimisers whose source files in PyTorch the profile names, and how tensors are updated: sparse
  where a function makes sparse gradients of an embedding, or an optimiser adds by index, as it does of those
  alone, fused where a fused kernel or function of an optimiser is seen, else unfused.
population: all source files and functions of the run
needs: []
source: names of files and functions, listed in the query
caveat: >-
  An optimiser that uses another one's code, as AdamW does of Adam's, shows both. Sparse
  gradients that no sample and no operation touched are not seen.
empty: no file of an optimiser of PyTorch
columns:
  - {name: optimizer, title: 'Optimiser', unit: text}
  - {name: updates, title: 'Updates', unit: text}
---*/
WITH RECURSIVE adds AS (
    SELECT context.parent, file.path
    FROM context
    JOIN function ON function.id = context.function AND function.name LIKE '%index_add%'
    LEFT JOIN file ON file.id = context.file
    UNION
    SELECT context.parent, file.path
    FROM adds
    JOIN context ON context.id = adds.parent
    LEFT JOIN file ON file.id = context.file
)
SELECT DISTINCT regexp_extract(path, '(^|/)torch/optim/([a-z0-9]+)\.py$', 2) AS optimizer,
    CASE WHEN EXISTS (FROM adds WHERE regexp_matches(path, '(^|/)torch/optim/[a-z0-9_]+\.py$')) THEN 'sparse' ELSE CASE (
        SELECT max(CASE
            WHEN regexp_matches(name, '_sparse_backward|add_out_.*sparse') THEN 2
            WHEN regexp_matches(name, 'Fused[A-Za-z]*MathFunctor|^_fused_') THEN 1
            ELSE 0
        END)
        FROM function
    ) WHEN 2 THEN 'sparse' WHEN 1 THEN 'fused' ELSE 'unfused' END END AS updates
FROM file
WHERE regexp_matches(path, '(^|/)torch/optim/[a-z0-9]+\.py$') AND NOT regexp_matches(path, '/(optimizer|swautils)\.py$')
ORDER BY optimizer
