"""From a text to verified matches: candidates, verification, verdicts, full-text search."""
