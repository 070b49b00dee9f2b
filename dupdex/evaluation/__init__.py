"""Measures recall and precision of the index on a labelled corpus.

folder -> Corpus (documents, Truth) -> temporary index -> found pairs -> Report
"""

from dupdex.evaluation.report import Report
from dupdex.evaluation.run import evaluate

__all__ = ["Report", "evaluate"]
