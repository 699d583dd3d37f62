/*---
name: hidden_graph
about: >-
  A row where the program launches graphs, of any vendor, and the run lacks operations of them: what it holds of the
  GPU is then a part of unknown size. Where calls are recorded, each graph launch is held against its operations
  (plausibility); else only whether there are any is known.
---*/
WITH launcher AS (
    SELECT id FROM "function" WHERE regexp_matches(name, '^(cu(da)?|hip)GraphLaunch')
)
SELECT true AS hidden
WHERE EXISTS (FROM launcher) AND NOT EXISTS (
    FROM gpu_context JOIN context ON context.id = gpu_context.launcher WHERE context."function" IN (FROM launcher)
)
AND NOT EXISTS (FROM host_call)
UNION ALL
SELECT true FROM plausibility WHERE what = 'graphs' AND voids

/*---
name: hidden_work
about: >-
  A row for each reason for which what a run holds of the GPU is a part of unknown size: graphs that were not recorded,
  or what plausibility says of launches, times and captures.
---*/
SELECT 'graphs' AS reason FROM hidden_graph
UNION ALL
SELECT what FROM plausibility WHERE voids AND what <> 'graphs'
