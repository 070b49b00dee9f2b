"""Measurements of dupdex, each beside its alternative in the same run; one module a section."""
