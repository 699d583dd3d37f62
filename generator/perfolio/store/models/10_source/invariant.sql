/*---
about: >-
  Three ways to the same total per metric: sum of scope point over contexts, context 0 at execution, sum over
  profiles; NULL where the profile has no such scope. difference is relative.
---*/
SELECT name, point_sum, execution, profile_sum,
    CASE WHEN greatest(abs(point_sum), abs(execution), abs(profile_sum)) > 0 THEN
        greatest(abs(point_sum - execution), abs(point_sum - profile_sum), abs(execution - profile_sum))
        / greatest(abs(point_sum), abs(execution), abs(profile_sum))
    ELSE 0 END AS difference
FROM (
    SELECT listed.name,
        CASE WHEN has_point THEN coalesce(point.value, 0) END AS point_sum,
        CASE WHEN has_execution THEN coalesce(total.value, 0) END AS execution,
        CASE WHEN has_profiles THEN coalesce(profiles.value, 0) END AS profile_sum
    FROM (
        SELECT measure, any_value(name) AS name,
            bool_or(scope = 'point' AND statistic = 'sum' AND formula = '$$') AS has_point,
            bool_or(scope = 'execution' AND statistic = 'sum' AND formula = '$$') AS has_execution,
            bool_or(scope = 'execution' AND statistic IS NULL) AS has_profiles
        FROM metric GROUP BY measure
    ) AS listed
    LEFT JOIN (
        SELECT name, fsum(value) AS value FROM cost WHERE scope = 'point' GROUP BY name
    ) AS point ON point.name = listed.measure
    LEFT JOIN total ON total.name = listed.measure
    LEFT JOIN (SELECT name, fsum(value) AS value FROM profile_total GROUP BY name) AS profiles ON profiles.name = listed.measure
    WHERE EXISTS (SELECT 1 FROM summary)
)
