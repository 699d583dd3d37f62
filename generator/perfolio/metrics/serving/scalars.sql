/*---
defaults:
  unit: ratio
  better: lower
  population: decode steps, complete ones that are no warm-up; the GPU of the busiest stream
  needs: [serving, gpu_trace, iterations]
  source: names of steps, operators and kernels; begin and end of GPU operations
  empty: no step only gives requests a token more
---*/

/*---
name: attention_share
title: Attention, share of decode
definition: >-
  Share of the time of decode steps in which kernels of attention run, by their names; what runs at once shares the time.
better: neither
empty: no name of a kernel tells attention in decode steps
---*/
SELECT value, n FROM decode_share WHERE part = 'attention'

/*---
name: batch
title: Requests in a decode step
unit: count
better: higher
definition: >-
  Requests that get a token in a decode step, the mean over steps.
population: decode steps, complete ones that are no warm-up
empty: names of steps do not tell how many requests take part
---*/
SELECT avg(answers) AS value, count(answers) AS n FROM served_iterations WHERE kind = 'decode' HAVING count(answers) > 0

/*---
name: between_share
title: GPU idle between steps, share of decode
definition: >-
  Share of the time of decode steps in which the GPU is idle and the host is in no step of the engine: it schedules requests, or handles
  what was answered.
caveat: An engine that schedules within its steps is not seen to do so.
---*/
SELECT value, n FROM decode_share WHERE part = 'between'

/*---
name: cache_share
title: Writing keys and values, share of decode
definition: >-
  Share of the time of decode steps in which kernels put keys and values into a cache, by their names; what runs at once shares the time.
empty: no name of a kernel tells that it puts keys and values into a cache
---*/
SELECT value, n FROM decode_share WHERE part = 'cache'

/*---
name: communication_share
title: Communication, share of decode
definition: >-
  Share of the time of decode steps in which kernels of collectives run, with what they wait for other ranks; what runs at once shares
  the time.
empty: no kernel of a collective ran in decode steps
---*/
SELECT value, n FROM decode_share WHERE part = 'communication'

/*---
name: copies_share
title: Copies and memsets, share of decode
definition: >-
  Share of the time of decode steps in which copies between host and GPU, or on the GPU, and memsets run; what runs at once shares the time.
empty: no copy ran in decode steps
---*/
SELECT value, n FROM decode_share WHERE part = 'copies'

/*---
name: decode_median
title: Median decode step
unit: s
definition: >-
  Median duration of a step that only gives requests a token more, from its begin to that of the next step: how long a request waits for
  its next token where no prompt is read in between.
population: decode steps, complete ones that are no warm-up
---*/
SELECT median(duration) / 1e9 AS value, count(*) AS n FROM served_iterations WHERE kind = 'decode' HAVING count(*) > 0

/*---
name: decode_time_share
title: Decode steps, share of all time
better: neither
definition: >-
  Time of steps that only give requests a token more, as a share of that of all steps that serve requests.
population: steps that read prompts or give requests a token; complete ones that are no warm-up
empty: no step serves requests
---*/
SELECT coalesce(sum(duration) FILTER (WHERE kind = 'decode'), 0) / nullif(sum(duration), 0) AS value, count(*) AS n FROM served_iterations

/*---
name: eager_share
title: Decode steps without a graph
definition: >-
  Share of decode steps in which the host launches each kernel, and no graph.
needs: [serving, gpu_trace, iterations, host_call]
---*/
SELECT 1 - avg(CAST(replays AS INTEGER)) AS value, count(*) AS n FROM served_iterations WHERE kind = 'decode' HAVING count(*) > 0

/*---
name: in_step_share
title: GPU idle while the host is in a step, share of decode
definition: >-
  Share of the time of decode steps in which the GPU is idle and the host is in a step of the engine: it prepares inputs, launches
  kernels, or waits for chosen tokens.
---*/
SELECT value, n FROM decode_share WHERE part = 'in step'

/*---
name: nccl_share
title: All-reduces by NCCL or RCCL, share of decode
definition: >-
  Time of all-reduce kernels of NCCL or RCCL in decode steps, with what they wait for other ranks, as a share of these steps.
empty: no all-reduce of these libraries ran in decode steps
---*/
SELECT sum(ran.duration) / nullif(any_value(own.duration), 0) AS value, count(*) AS n
FROM (SELECT sum(duration) AS duration FROM served_iterations WHERE kind = 'decode') AS own
JOIN served_kernel AS ran ON ran.kind = 'decode' AND ran.part = 'communication'
JOIN context_name AS named ON named.context = ran.context
WHERE regexp_matches(left(coalesce(named.function_name, named.name), 2000), '(?i)(^|[^a-z_])[nr]ccl.*all_?reduce')
HAVING count(*) > 0

/*---
name: output_rate
title: Output tokens per second
unit: tokens/s
better: higher
definition: >-
  Tokens that requests under way get, over the time of all steps that serve requests. The first token of a request, which reading its
  prompt gives, is not counted.
population: steps that read prompts or give requests a token; complete ones that are no warm-up
caveat: Of an engine that guesses several tokens a step, guesses that it rejects count where names tell tokens.
empty: names of steps do not tell how many requests take part
---*/
SELECT sum(answer_tokens) * 1e9 / nullif(sum(duration), 0) AS value, count(*) AS n
FROM served_iterations HAVING bool_and(answer_tokens IS NOT NULL OR kind = 'prefill') AND sum(answer_tokens) > 0

/*---
name: padding_share
title: Padded rows of replayed graphs
definition: >-
  Rows of replayed graphs that no request fills, as a share of all their rows: a graph is recorded for some sizes of a batch, and the next
  larger one is replayed.
population: decode steps that replay a graph and whose rows are known; complete ones that are no warm-up
needs: [serving, gpu_trace, iterations, host_call, shapes]
source: names of steps; sizes of what operators take a part of
caveat: Rows are the fewest, no fewer than requests, of what operators of the step take a part of. Time need not grow with rows.
empty: no decode step replays a graph of known rows
---*/
SELECT 1 - sum(answers) / nullif(sum("rows"), 0) AS value, count(*) AS n
FROM served_iterations WHERE kind = 'decode' AND "rows" IS NOT NULL AND answers IS NOT NULL HAVING count(*) > 0

/*---
name: prefill_median
title: Median prefill step
unit: s
definition: >-
  Median duration of a step that only reads prompts, from its begin to that of the next step: requests under way wait so long for
  their next token.
population: prefill steps, complete ones that are no warm-up
empty: no step only reads prompts
---*/
SELECT median(duration) / 1e9 AS value, count(*) AS n FROM served_iterations WHERE kind = 'prefill' HAVING count(*) > 0

/*---
name: prefill_rate
title: Prompt tokens per second of prefill
unit: tokens/s
better: higher
definition: >-
  Tokens of prompts that prefill steps read, over the time of these steps.
population: prefill steps, complete ones that are no warm-up
empty: no step only reads prompts, or names of steps do not tell how many tokens these have
---*/
SELECT sum(prompt_tokens) * 1e9 / nullif(sum(duration), 0) AS value, count(*) AS n
FROM served_iterations WHERE kind = 'prefill' HAVING bool_and(prompt_tokens IS NOT NULL) AND sum(prompt_tokens) > 0

/*---
name: products_share
title: Matrix products, share of decode
better: neither
definition: >-
  Share of the time of decode steps in which kernels of matrix products run, by their names; what runs at once shares the time.
empty: no name of a kernel tells a product in decode steps
---*/
SELECT value, n FROM decode_share WHERE part = 'products'

/*---
name: sampling_share
title: Choosing tokens, share of decode
definition: >-
  Share of the time of decode steps in which kernels run after the last matrix product of the step, which gives the scores of tokens; what
  runs at once shares the time.
caveat: A product after that of the scores, such as of a draft model, would hide what comes before it.
empty: no kernel follows a product in decode steps
---*/
SELECT value, n FROM decode_share WHERE part = 'sampling'

/*---
name: streams
title: Streams that work in decode steps
unit: count
better: neither
definition: >-
  Streams of the GPU in which a kernel, copy or memset begins in a decode step.
---*/
SELECT nullif(count(DISTINCT stream), 0) AS value FROM served_kernel WHERE kind = 'decode'

/*---
name: token_time
title: Time per output token
unit: s
definition: >-
  Time of all steps that serve requests, over the steps that give requests a token: how long a request waits for its next token on
  average, with prompts of other requests that are read in between.
population: steps that read prompts or give requests a token; complete ones that are no warm-up
caveat: >-
  With what the profiler costs. A step that a pause follows is left out. Of an engine that guesses several tokens a step, it is
  the time of such a step.
empty: no step gives requests a token
---*/
SELECT sum(duration) / 1e9 / nullif(count(*) FILTER (WHERE kind <> 'prefill'), 0) AS value, count(*) FILTER (WHERE kind <> 'prefill') AS n
FROM served_iterations HAVING count(*) FILTER (WHERE kind <> 'prefill') > 0

/*---
name: batches
title: Decode steps by requests
better: neither
definition: >-
  Decode steps by how many requests get a token in them, and rows of the graph that they replay, the fewest of what operators take a part of.
  Time over requests is the step's time for each token, with what the host takes of it.
population: complete decode steps that are no warm-up, the first 300 kinds of them
needs: [serving, gpu_trace, iterations]
source: names of steps; sizes of what operators take a part of
empty: no decode step tells its requests
columns:
  - {name: requests, title: 'Requests', unit: count}
  - {name: rows, title: 'Rows of the graph', unit: count}
  - {name: steps, title: 'Steps', unit: count}
  - {name: median, title: 'Median step', unit: s}
  - {name: token, title: 'Time over requests', unit: s}
  - {name: gpu_busy, title: 'Median GPU busy', unit: s}
---*/
SELECT answers AS requests, "rows", count(*) AS steps, median(duration) / 1e9 AS median, median(duration) / answers / 1e9 AS token,
    median(gpu_busy) / 1e9 AS gpu_busy
FROM served_iterations WHERE kind = 'decode' AND answers > 0 GROUP BY answers, "rows" ORDER BY answers, "rows" LIMIT 300

/*---
name: over_time
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

/*---
name: parts
title: Where the time of a step goes
better: lower
definition: >-
  The time of a step on the clock of the GPU, by kind of step and part, each moment in one: kernels of attention, products, communication,
  writing keys and values, choosing tokens (all after the last product) and others, told by their names, and copies with memsets, where what
  runs at once shares the time by durations; and idle time in which the host is in a step of the engine, or between steps. The parts add up
  to the mean step.
population: complete steps that are no warm-up; the GPU of the busiest stream; the mean over steps
needs: [serving, gpu_trace, iterations]
source: begin and end of GPU operations and of steps; names of kernels
empty: no step serves requests
columns:
  - {name: kind, title: 'Kind', unit: text}
  - {name: part, title: 'Part', unit: text}
  - {name: time, title: 'Mean per step', unit: s}
  - {name: share, title: 'Share of the steps', unit: ratio}
---*/
SELECT kind, CASE part WHEN 'in step' THEN 'GPU idle, host in a step' WHEN 'between' THEN 'GPU idle, host between steps'
        WHEN 'cache' THEN 'writing keys and values' WHEN 'sampling' THEN 'choosing tokens'
        WHEN 'copies' THEN 'copies and memsets' ELSE part END AS part,
    ns / steps / 1e9 AS "time", ns / nullif(whole, 0) AS share
FROM served_part WHERE ns > 0 ORDER BY whole DESC, kind, ns DESC, part

/*---
name: steps
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
