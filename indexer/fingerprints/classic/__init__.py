"""Schemes that compare and that plans may store, off the path of a lookup."""
