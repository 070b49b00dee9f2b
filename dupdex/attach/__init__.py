"""Lets an index that dupdex did not make answer, and takes everything away again."""
