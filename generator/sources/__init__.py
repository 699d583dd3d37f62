"""Sources: bytes of a profile to named columns.

In:  the path of a profile, as a user gives it.
Out: `model.Source`: small tables and streams of record batches (Arrow), with the
     column names of `generator/store/schema.sql` less `run`. No SQL is known here.

To add one: a package with `matches(path) -> bool` and `read(path) -> Source`,
one line in `registry.READERS`, its tests, and a sample.
"""
