"""Schemes that standard lookups do not use: they only compare, or a plan may store them."""
