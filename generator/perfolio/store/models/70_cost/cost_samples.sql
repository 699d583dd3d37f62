/*---
about: >-
  Samples behind the CPU cost of a run: by its traces (thread_samples), else of an event that perf or PAPI
  samples with a fixed period at least its total over that; NULL where nothing tells.
value: true
---*/
-- Each sample of an event of perf or PAPI stands at most for what divides all its values: 1 of samples at a given
-- frequency, whose periods differ.
SELECT coalesce(
    (SELECT equal_samples(sum(total), sum(squares)) FROM thread_samples),
    (
        SELECT total_of(cpu_event_of()) / CASE WHEN bool_and(value = floor(value) AND value < 9e18) THEN
            nullif(list_reduce(list(coalesce(try_cast(value AS BIGINT), 1)), lambda a, b: gcd(a, b)), 1) END
        FROM cost WHERE scope = 'point' AND name = cpu_event_of() AND value > 0 AND (name LIKE 'perf::%' OR name LIKE 'PAPI_%')
    )
)
