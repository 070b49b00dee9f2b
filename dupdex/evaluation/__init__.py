"""How well the index finds what it should: a labelled corpus in, recall and precision out.

folder -> Corpus (documents, Truth) -> temporary index -> found pairs -> Report
"""

from dupdex.evaluation.report import Report
from dupdex.evaluation.run import evaluate

__all__ = ["Report", "evaluate"]
