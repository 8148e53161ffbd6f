"""What all tests share: the same commit is tested on the same examples."""

from __future__ import annotations

from hypothesis import settings

# A landing must not depend on the draw; `pytest --hypothesis-profile=default` draws new examples.
settings.register_profile("fixed", derandomize=True)
settings.load_profile("fixed")
