"""The write side of the embedded store: one SQLite file."""
