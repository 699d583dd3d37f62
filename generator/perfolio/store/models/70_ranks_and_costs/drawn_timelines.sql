/*---
name: drawn_line
about: >-
  Trace lines that timelines draw, in the order of place: by rank, and of each its CPU threads before its GPU streams. Of
  each kind at most 16 streams and 8 threads, the busiest line of each rank first; where samples are of elapsed time,
  threads that work (thread_work) before those that only wait. No GPU streams where the program replays CUDA graphs,
  whose operations are not recorded.
---*/
WITH idle AS (
    SELECT profile FROM trace_line JOIN thread_work USING (profile) WHERE clock = 'elapsed' AND NOT works
),
held AS (
    SELECT line.profile, line.kind, line.busy, profile.node, profile.rank, profile.thread, profile.gpu_context, profile.gpu_stream,
        idle.profile IS NOT NULL AS waits,
        row_number() OVER (
            PARTITION BY line.kind, profile.node, profile.rank ORDER BY idle.profile IS NOT NULL, line.busy DESC, line.profile
        ) AS turn
    FROM trace_line_busy AS line JOIN profile ON profile."index" = line.profile LEFT JOIN idle USING (profile)
    WHERE line.busy > 0 AND (line.kind <> 'GPU stream' OR NOT EXISTS (FROM hidden_work))
),
picked AS (
    SELECT * FROM held
    QUALIFY row_number() OVER (PARTITION BY kind ORDER BY waits, turn, busy DESC, profile) <= if(kind = 'GPU stream', 16, 8)
)
SELECT picked.profile, picked.kind, line.name,
    CAST(row_number() OVER (
        ORDER BY picked.rank NULLS FIRST, picked.node NULLS FIRST, picked.kind, picked.gpu_context, picked.thread, picked.gpu_stream, picked.profile
    ) AS INTEGER) AS place
FROM picked JOIN line_name AS line ON line.profile = picked.profile
