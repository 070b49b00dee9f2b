"""Verified pairs as an index keeps them, and what people decided about them."""
