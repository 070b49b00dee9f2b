"""The writer of the embedded store: one SQLite file."""
