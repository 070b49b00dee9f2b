"""The plan: every number that changes a stored value or a verdict."""

from mappings.plan.parts import LoosePlan, MinhashPlan, PassagePlan, SentencePlan, SimhashPlan
from mappings.plan.plan import ADDED, CHARACTERS, PLANS, STANDARD, Plan
from mappings.plan.rules import ALWAYS, FORMAT, MAX_USER_WORDS, STANDARD_SCHEMES, STEPS
from mappings.plan.thresholds import Thresholds

__all__ = [
    "ADDED",
    "ALWAYS",
    "CHARACTERS",
    "FORMAT",
    "MAX_USER_WORDS",
    "PLANS",
    "STANDARD",
    "STANDARD_SCHEMES",
    "STEPS",
    "LoosePlan",
    "MinhashPlan",
    "PassagePlan",
    "Plan",
    "SentencePlan",
    "SimhashPlan",
    "Thresholds",
]
