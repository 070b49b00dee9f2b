"""The plan: every number that changes a stored value or a verdict."""

from mappings.plan.parts import LoosePlan, MinhashPlan, PassagePlan, SentencePlan, SimhashPlan
from mappings.plan.plan import (
    ADDED,
    CHARACTERS,
    FORMAT_1_PARTS,
    PLANS,
    STANDARD,
    Plan,
    newest,
)
from mappings.plan.rules import (
    ALWAYS,
    FORMAT,
    FORMATS,
    MAX_USER_WORDS,
    SINCE,
    STANDARD_SCHEMES,
    STEPS,
    TABLE_STEPS,
)
from mappings.plan.thresholds import Thresholds

__all__ = [
    "ADDED",
    "ALWAYS",
    "CHARACTERS",
    "FORMAT",
    "FORMATS",
    "FORMAT_1_PARTS",
    "MAX_USER_WORDS",
    "PLANS",
    "SINCE",
    "STANDARD",
    "STANDARD_SCHEMES",
    "STEPS",
    "TABLE_STEPS",
    "LoosePlan",
    "MinhashPlan",
    "PassagePlan",
    "Plan",
    "SentencePlan",
    "SimhashPlan",
    "Thresholds",
    "newest",
]
