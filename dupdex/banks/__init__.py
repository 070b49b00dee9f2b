"""Moderation banks: named sets of known texts, and the guard against floods of one text."""
