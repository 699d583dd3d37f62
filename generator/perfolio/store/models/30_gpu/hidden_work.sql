/*---
about: >-
  A row for each reason for which what a run holds of the GPU is a part of unknown size: graphs that were not recorded,
  or what plausibility says of launches, times and captures.
---*/
SELECT 'graphs' AS reason FROM hidden_graph
UNION ALL
SELECT what FROM plausibility WHERE voids AND what <> 'graphs'
