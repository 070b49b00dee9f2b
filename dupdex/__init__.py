"""A near-duplicate index that lives inside Elasticsearch, or in a folder.

Only the names below are promised to other programs.
"""

import importlib.util
import pathlib


def _check_packages() -> None:
    """Raises ImportError when a module of the user's stands where one of ours should: the packages
    of dupdex have names that programs of every kind use.
    """
    ours = pathlib.Path(__file__).resolve().parents[1]
    for name in ("mappings", "indexer", "query"):
        try:
            spec = importlib.util.find_spec(name)
        except ValueError:  # a module without a specification is none of ours
            spec = None
        places = [spec.origin, *(spec.submodule_search_locations or ())] if spec else []
        if not any(place and pathlib.Path(place).resolve() == ours / name for place in places):
            origin = next((place for place in places if place), "nothing")
            raise ImportError(
                f"dupdex needs its own package {name!r} in {ours}, but 'import {name}' finds "
                f"{origin}; rename that, or take its folder out of sys.path",
                name=name,
            )


_check_packages()

from dupdex.admission import Admitted
from dupdex.attach.attach_reports import AttachReport, DetachReport
from dupdex.banks.bank_check import BankQuestion, check_banks
from dupdex.banks.bank_model import (
    Bank,
    BankAnswer,
    BankEntry,
    BankHit,
    BankKind,
    BankPassage,
    Flood,
    Ruling,
)
from dupdex.banks.bank_store import Banks
from dupdex.banks.flood_guard import FloodGuard, FloodRule
from dupdex.index import Index
from dupdex.location import Location
from dupdex.matches.decisions import Decided
from dupdex.matches.forgetting import Receipt
from dupdex.matches.match_record import MatchRecord
from dupdex.matches.match_store import MatchPage, MatchQuery
from dupdex.report.findings import DuplicateReport, ReportOptions
from dupdex.session import Session
from dupdex.wire.formula_lines import formula_lines
from indexer.attachment import Attachment
from indexer.boilerplate import Boilerplate, Learned
from indexer.grouping import Grouping, Policy
from indexer.meant.meant import Disguise
from indexer.meta import IndexMeta
from indexer.model import Document, Fingerprint, Outcome, Status
from indexer.rewriting import OnRewrite
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
    Decision,
    Direction,
    Evidence,
    FactDifference,
    Filter,
    GroupHit,
    GroupHits,
    Hit,
    Hits,
    Located,
    Match,
    Ref,
    Stored,
    Verdict,
)
from query.explain.explanation import Explanation, Subject, explain
from query.questions import EVERYTHING, Options, Question
from query.sweep import SweepReport, VerifiedPair
from query.tally import Every

__all__ = [
    "EVERYTHING",
    "PLANS",
    "AccessRefused",
    "Admitted",
    "Answer",
    "AttachReport",
    "Attachment",
    "Bank",
    "BankAnswer",
    "BankEntry",
    "BankHit",
    "BankKind",
    "BankPassage",
    "BankQuestion",
    "Banks",
    "Boilerplate",
    "Completeness",
    "Decided",
    "Decision",
    "DetachReport",
    "Direction",
    "Disguise",
    "Document",
    "DupdexError",
    "DuplicateReport",
    "Every",
    "Evidence",
    "Explanation",
    "FactDifference",
    "Filter",
    "Fingerprint",
    "Flood",
    "FloodGuard",
    "FloodRule",
    "GroupHit",
    "GroupHits",
    "Grouping",
    "Hit",
    "Hits",
    "Index",
    "IndexMeta",
    "InputRefused",
    "Learned",
    "Located",
    "Location",
    "Match",
    "MatchPage",
    "MatchQuery",
    "MatchRecord",
    "NotFound",
    "OnRewrite",
    "Options",
    "Outcome",
    "Plan",
    "PlanMismatch",
    "Policy",
    "Question",
    "Receipt",
    "Ref",
    "ReportOptions",
    "Ruling",
    "Session",
    "Status",
    "StoreFull",
    "StoreRefused",
    "StoreUnavailable",
    "Stored",
    "Subject",
    "SweepReport",
    "Verdict",
    "VerifiedPair",
    "WorkerLost",
    "__version__",
    "check_banks",
    "explain",
    "formula_lines",
]

__version__ = "0.1.0"
