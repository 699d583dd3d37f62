/*---
title: Whether each launch was recorded
unit: "1"
better: higher
definition: >-
  1 where the calls that launch GPU operations were recorded, so that no kernel is missing for the way in which it was
  launched; 0 where the tool takes samples of the host, or the run has no such call.
population: the run
needs: []
source: the run's tables
---*/
SELECT CAST(EXISTS (FROM host_call) AS DOUBLE) AS value
