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
caveat: Of an engine that guesses several tokens a step, it is the time of such a step.
empty: no step gives requests a token
---*/
SELECT sum(duration) / 1e9 / nullif(count(*) FILTER (WHERE kind <> 'prefill'), 0) AS value, count(*) FILTER (WHERE kind <> 'prefill') AS n
FROM served_iterations HAVING count(*) FILTER (WHERE kind <> 'prefill') > 0
