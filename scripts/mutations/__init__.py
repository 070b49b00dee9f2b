"""Labelled copies of the texts of any corpus: sources -> mutants -> corpus.jsonl and truth.tsv."""
