"""Data files of the read side."""
