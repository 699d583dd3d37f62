/*---
title: Steps in order of time
better: neither
definition: >-
  What each step of the engine does: requests that get a token, prompts that are read and their tokens, by its name; its duration, to the
  begin of the next one.
population: the first 2,000 steps
needs: [serving, gpu_trace, iterations]
source: names of steps; begin and end of GPU operations
empty: no iteration is a step of an engine
columns:
  - {name: iteration, title: 'Step', unit: id}
  - {name: start, title: 'Start', unit: s}
  - {name: kind, title: 'Kind', unit: text}
  - {name: answers, title: 'Requests under way', unit: count}
  - {name: prompts, title: 'Prompts', unit: count}
  - {name: prompt_tokens, title: 'Prompt tokens', unit: count}
  - {name: rows, title: 'Rows of the graph', unit: count}
  - {name: duration, title: 'Duration', unit: s}
  - {name: mark, title: 'Mark', unit: text}
---*/
SELECT own.iteration, (own.start - span.start) / 1e9 AS start, step.kind, step.answers, step.prompts, step.prompt_tokens, step."rows",
    (own.stop - own.start) / 1e9 AS duration, own.mark
FROM engine_step AS step JOIN iteration AS own ON own.iteration = step.number CROSS JOIN traced_span AS span
WHERE iteration_marker() IS NULL ORDER BY own.iteration LIMIT 2000
