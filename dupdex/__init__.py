"""A near-duplicate index that lives inside Elasticsearch, or in a folder.

Only the names below are promised to other programs.
"""

from dupdex.index import Index
from dupdex.location import Location
from dupdex.wire.formula_lines import formula_lines
from indexer.model import Document, Outcome, Status
from mappings.errors import (
    AccessRefused,
    DupdexError,
    InputRefused,
    NotFound,
    PlanMismatch,
    StoreFull,
    StoreRefused,
    StoreUnavailable,
    WorkerLost,
)
from mappings.plan import PLANS, Plan
from query.answers import (
    Answer,
    Completeness,
    Direction,
    Evidence,
    Hit,
    Hits,
    Match,
    Stored,
    Verdict,
)
from query.explain.explanation import Explanation, Subject, explain
from query.lookup import Options

__all__ = [
    "PLANS",
    "AccessRefused",
    "Answer",
    "Completeness",
    "Direction",
    "Document",
    "DupdexError",
    "Evidence",
    "Explanation",
    "Hit",
    "Hits",
    "Index",
    "InputRefused",
    "Location",
    "Match",
    "NotFound",
    "Options",
    "Outcome",
    "Plan",
    "PlanMismatch",
    "Status",
    "StoreFull",
    "StoreRefused",
    "StoreUnavailable",
    "Stored",
    "Subject",
    "Verdict",
    "WorkerLost",
    "__version__",
    "explain",
    "formula_lines",
]

__version__ = "0.1.0"
