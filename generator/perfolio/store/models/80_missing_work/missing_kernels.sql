/*---
name: missing_kernels
about: >-
  Signs that a run recorded some of its kernels only, in the words that needs.toml hides by: unseen_products
  (threads were sampled in calls of cuBLAS without a kernel), missing_products (the recorded kernels cannot have
  done the operations of the model). A run whose graphs are hidden has a reason of its own.
---*/
SELECT 'unseen_products' AS sign WHERE EXISTS (FROM unseen_product)
UNION ALL
SELECT 'missing_products' FROM unrecorded_products WHERE NOT EXISTS (FROM hidden_work) HAVING median(missing) > 0
