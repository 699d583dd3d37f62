"""YAML of the content files: metrics, rules, causes, verdicts, the scorecard.

In:  text of a content file, or its front matter.
Out: mappings, lists, texts and numbers; never any other object of Python.
"""

from __future__ import annotations

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Ten times as fast where PyYAML was built with libyaml, and the same in what it reads."""


def load_yaml(text: str) -> object:
    """The document in `text`; None where it is empty. Raises yaml.YAMLError."""
    return yaml.load(text, _LOADER)  # noqa: S506 - both are safe loaders
