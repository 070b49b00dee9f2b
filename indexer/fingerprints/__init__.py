"""Fingerprints: pure functions from feature streams to values and index terms."""

from indexer.fingerprints.compute import fingerprint_of, fingerprints_of

__all__ = ["fingerprint_of", "fingerprints_of"]
