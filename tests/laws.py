"""How many examples a law is tried on."""

from __future__ import annotations

import os
from typing import Final

SEARCHED: Final = bool(os.environ.get("DUPDEX_RANDOM_LAWS"))
"""Whether counterexamples are looked for (`scripts/test --laws`), with fresh seeds."""

EXAMPLES: Final = 150 if SEARCHED else 50
"""Of each law. The search repeats its rounds, so the tests of every day need fewer."""
