/*---
title: Steps of the engine by kind
better: neither
definition: >-
  Steps of an engine that serves a language model: prefill reads prompts, decode gives each request under way a token more, mixed does both;
  capture, warm-up and idle ones serve no request. A median over all of them would be of no kind. Told by: name, calls of the GPU's
  runtime, sizes of attention's operators, or replay, the surest first.
population: all iterations of the run; medians are of complete ones that are no warm-up
needs: [serving, gpu_trace, iterations]
source: names of steps, operators and calls; begin and end of GPU operations
empty: no iteration is a step of an engine
columns:
  - {name: kind, title: 'Kind', unit: text}
  - {name: told, title: 'Told by', unit: text}
  - {name: steps, title: 'Steps', unit: count}
  - {name: requests, title: 'Mean requests', unit: count}
  - {name: tokens, title: 'Mean tokens', unit: count}
  - {name: median, title: 'Median step', unit: s}
  - {name: gpu_busy, title: 'Median GPU busy', unit: s}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of steps'' time', unit: ratio}
---*/
SELECT step.kind, coalesce(step.told, 'nothing') AS told, count(*) AS steps,
    avg(coalesce(step.prompts, 0) + coalesce(step.answers, 0)) FILTER (WHERE coalesce(step.prompts, step.answers) IS NOT NULL) AS requests,
    avg(coalesce(step.prompt_tokens, 0) + coalesce(step.answer_tokens, 0))
        FILTER (WHERE coalesce(nullif(step.prompt_tokens, 0), nullif(step.answer_tokens, 0)) IS NOT NULL) AS tokens,
    median(own.stop - own.start) FILTER (WHERE own.mark NOT IN ('warm-up', 'incomplete')) / 1e9 AS median,
    median(own.gpu_busy) FILTER (WHERE own.mark NOT IN ('warm-up', 'incomplete')) / 1e9 AS gpu_busy,
    sum(own.stop - own.start) / 1e9 AS "time", sum(own.stop - own.start) / sum(sum(own.stop - own.start)) OVER () AS share
FROM engine_step AS step JOIN iteration AS own ON own.iteration = step.number
WHERE iteration_marker() IS NULL
GROUP BY step.kind, step.told ORDER BY "time" DESC, step.kind, told
