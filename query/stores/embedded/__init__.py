"""The read side of the embedded store."""
