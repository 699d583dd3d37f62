/*---
title: Profiles of all ranks together
unit: count
better: neither
definition: Profiles that hold the least, mean and largest value over ranks, in place of those of each rank.
population: all profiles
needs: []
source: the profile's own tables
---*/
SELECT count(*) FILTER (WHERE kind = 'ranks') AS value FROM profile
