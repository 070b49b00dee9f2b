"""From text to prepared text to its three feature streams: characters, words, syllables."""

from indexer.text.preparation import Prepared, prepare, prepare_all
from indexer.text.streams import Streams, spaced_rows

__all__ = ["Prepared", "Streams", "prepare", "prepare_all", "spaced_rows"]
