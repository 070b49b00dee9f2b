"""The loops over grams: compiled where a C compiler was at hand, else in NumPy.

Both give the same numbers. DUPDEX_NATIVE=0 keeps the compiled ones away, to measure what they save.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import indexer.text.native as native
else:
    try:
        if os.environ.get("DUPDEX_NATIVE") == "0":
            raise ImportError("DUPDEX_NATIVE=0")
        import indexer.text.native as native
    except ImportError:
        native = None

compiled = native
"""The compiled loops; None (which types do not say) where NumPy takes their place."""
