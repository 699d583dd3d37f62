/*---
title: Functions
unit: count
better: neither
definition: >-
  Functions and named constructs that the profile knows, placeholders such as <gpu kernel>
  included.
population: rows of table function
needs: []
source: the profile's own tables
---*/
SELECT count(*) AS value FROM "function"
