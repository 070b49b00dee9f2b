"""The inner loops of texts, keys and grams: compiled where a C compiler was at hand, else in NumPy.

Both give the same numbers. DUPDEX_NATIVE=0 keeps the compiled ones away, to measure what they save.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

_INTERFACE: Final = 9
"""That of `native.c`; an extension that was compiled from an older one is none."""

if TYPE_CHECKING:
    import indexer.text.native as native
else:
    try:
        if os.environ.get("DUPDEX_NATIVE") == "0":
            raise ImportError("DUPDEX_NATIVE=0")
        if sys.maxsize < 1 << 32:
            raise ImportError("positions of NumPy have 32 bits here")
        import indexer.text.native as native

        if getattr(native, "interface", 0) != _INTERFACE:
            raise ImportError("compiled from another version")
    except ImportError:
        native = None

compiled = native
"""The compiled loops; None (which types do not say) where NumPy takes their place."""
