-- What several questions count, each made once. Views and macros of every lake that is open.

-- Time in which GPUs compute and copy nothing, by run and cause: what the host does meanwhile, or waiting for other ranks.
CREATE VIEW lost_time AS
SELECT run, CASE part WHEN 'idle' THEN kind ELSE part END AS cause, sum(ns) AS ns
FROM part WHERE part IN ('idle', 'collective wait') AND ns > 0 GROUP BY ALL;

-- Runs with the share of their window that is lost, and so many of their GPU-hours; NULL of runs without GPUs.
CREATE VIEW run_cost AS
SELECT run.*, CASE WHEN gpu_hours IS NOT NULL AND window_ns > 0 AND lanes > 0 THEN coalesce(lost.ns, 0) / (window_ns * lanes) END AS idle_share,
    idle_share * gpu_hours AS idle_gpu_hours
FROM run LEFT JOIN (SELECT run, sum(ns) AS ns FROM lost_time GROUP BY run) AS lost USING (run);

-- The currency of runs that all have a price in it; NULL of any others.
CREATE MACRO shared_currency(price, currency) AS
CASE WHEN count(price) = count(*) AND count(currency) = count(*) AND count(DISTINCT currency) = 1 THEN any_value(currency) END;

-- An amount in that currency, summed over runs.
CREATE MACRO sum_money(hours, price, currency) AS
CASE WHEN shared_currency(price, currency) IS NOT NULL THEN sum(hours * price) END;

-- What got longer or shorter since a week. `given` names a relation of runs: thing, alike (thing and driver), week, spent (the logarithm of a
-- time) and hours. The week that tells both sides apart best is chosen; medians are of runs that are alike, weighted by how much they tell.
CREATE MACRO judge_changes(given) AS TABLE (
WITH given AS (FROM query_table(given)),
usual AS (SELECT thing, week, median(spent) AS spent FROM given GROUP BY thing, week),
kin AS (SELECT alike, median(given.spent - usual.spent) AS off FROM given JOIN usual USING (thing, week) GROUP BY alike),
weekly AS (SELECT thing, week, count(*) AS runs, median(spent - kin.off) AS off FROM given JOIN kin USING (alike) GROUP BY thing, week),
summed AS (
    SELECT thing, week, sum(weekly.runs) OVER below AS so_far, sum(weekly.runs) OVER everything - so_far AS left_runs,
        row_number() OVER below AS weeks, count(*) OVER everything - weeks AS left_weeks,
        sum(weekly.runs * off) OVER below AS sum_off,
        sum(weekly.runs * off) OVER everything - sum_off AS left_off
    FROM weekly WINDOW below AS (PARTITION BY thing ORDER BY week), everything AS (PARTITION BY thing)
),
chosen AS (
    SELECT thing, week AS last_before FROM summed WHERE so_far >= 3 AND left_runs >= 3
    QUALIFY row_number() OVER (
        PARTITION BY thing ORDER BY abs(sum_off / so_far - left_off / left_runs) * sqrt(so_far * left_runs) DESC, week
    ) = 1 AND weeks >= 2 AND left_weeks >= 2
),
ranked AS (
    SELECT given.*, chosen.last_before, rank() OVER (PARTITION BY alike ORDER BY spent)
        + (count(*) OVER (PARTITION BY alike, spent) - 1) / 2.0 AS place
    FROM given JOIN chosen USING (thing)
),
side AS (
    SELECT thing, min(week) FILTER (WHERE week > last_before) AS cut, count(*) FILTER (WHERE week <= last_before) AS runs_before,
        count(*) FILTER (WHERE week > last_before) AS runs_after, median(spent) FILTER (WHERE week <= last_before) AS before,
        median(spent) FILTER (WHERE week > last_before) AS after, mad(spent) FILTER (WHERE week <= last_before) AS mad_before,
        mad(spent) FILTER (WHERE week > last_before) AS mad_after, sum(hours) FILTER (WHERE week > last_before) AS hours,
        (sum(place) FILTER (WHERE week > last_before) - runs_after * (runs_after + 1) / 2.0) / (runs_before * runs_after) AS longer,
        (runs_before + runs_after + 1.0) / (12.0 * runs_before * runs_after) AS chance,
        1.0 * runs_before * runs_after / (runs_before + runs_after) AS weight
    FROM ranked GROUP BY thing, alike HAVING runs_before >= 3 AND runs_after >= 3
),
judged AS (
    SELECT thing, min(cut) AS cut, sum(runs_before)::BIGINT AS runs_before, sum(runs_after)::BIGINT AS runs_after,
        sum(weight * before) / sum(weight) AS before, sum(weight * after) / sum(weight) AS after, sum(hours) AS gpu_hours,
        abs(sum(weight * longer) / sum(weight) - 0.5) AS apart, sqrt(sum(weight * weight * chance)) / sum(weight) AS chance,
        1.2533 * greatest(1.4826 * sum(mad_before * runs_before + mad_after * runs_after) / sum(runs_before + runs_after), 0.005)
            / sqrt(sum(weight)) AS error
    FROM side GROUP BY thing HAVING sum(runs_before) >= 5 AND sum(runs_after) >= 5
)
SELECT thing, strftime(cut, '%Y-%m-%d') AS since, exp(after - before) - 1 AS change, exp(before) / 1e9 AS before, exp(after) / 1e9 AS after,
    runs_before, runs_after, gpu_hours, abs(judged.after - judged.before) / error AS errors
FROM judged
WHERE abs(judged.after - judged.before) > ln(1.05)
    AND abs(judged.after - judged.before) > 5 * (1 + 8.0 / (runs_before + runs_after)) * error
    AND apart > least(greatest(5 * chance, 0.2), 0.45)
);

-- Places (a host, or a GPU of it) whose runs take longer than like ones. `compared` names a relation of runs: host, team, gpu, and off, by how
-- much longer than the median of like runs; `least` is from which on that is slow.
CREATE MACRO judge_places(compared, least) AS TABLE (
WITH compared AS (FROM query_table(compared)),
place AS (
    SELECT host, gpu, count(off) AS runs, count(*) AS all_runs, median(off) AS middle, 1.4826 * mad(off) AS spread
    FROM compared GROUP BY host, gpu
),
pooled AS (
    SELECT place.*, pool FROM place JOIN (
        SELECT host, CASE WHEN count(DISTINCT coalesce(team, '')) = 1 THEN any_value(team) END AS pool FROM compared GROUP BY host
    ) USING (host)
),
whole AS (
    SELECT pool, median(middle) AS centre, greatest(1.4826 * mad(middle), 0.005) AS deviation, median(spread) AS spread
    FROM pooled WHERE runs >= 8 GROUP BY pool HAVING pool IS NULL OR count(DISTINCT host) >= 3
),
judged AS (
    SELECT pooled.*, middle - centre AS off, 1.2533 * greatest(pooled.spread, whole.spread) / sqrt(runs) AS error, whole.deviation
    FROM pooled LEFT JOIN whole ON pooled.runs >= 8 AND pooled.pool IS NOT DISTINCT FROM whole.pool
)
SELECT host, gpu, runs, off, off - 1.96 * error AS low, off + 1.96 * error AS high,
    off / sqrt(deviation * deviation + error * error) AS deviations,
    CASE WHEN all_runs < 8 THEN 'too few runs' WHEN runs < 8 OR off IS NULL THEN 'too few like runs'
        WHEN off > least AND off > 5 * sqrt(deviation * deviation + error * error) THEN 'slow' ELSE 'as others' END AS judgement
FROM judged
);
