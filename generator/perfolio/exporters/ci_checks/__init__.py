"""Checks: findings and figures for programs that decide whether a change may go in.

In:  findings.json as a dictionary, the severity from which a finding fails, and where the
     sources lie; or what a gate says of runs against others.
Out: `Check`, and from it one text per format.

To add a format: a module in `formats/` with `render(checks)`. Its name is what `--format` takes.
All words of a profile pass `escaping`: a function may be called anything.
"""
