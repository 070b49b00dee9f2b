"""Searches with clauses, without a server."""
