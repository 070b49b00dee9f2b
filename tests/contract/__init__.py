"""One suite, the same cases on every store: what a store promises whatever is underneath."""
