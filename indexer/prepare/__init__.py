"""Text to prepared text to the three feature streams: characters, words, syllables."""

from indexer.prepare.streams import Streams, spaced_rows
from indexer.prepare.text import Prepared, prepare, prepare_all

__all__ = ["Prepared", "Streams", "prepare", "prepare_all", "spaced_rows"]
