"""Files, folders and standard input to documents, one bad line at a time."""

from indexer.sources.files import place_of, total_bytes
from indexer.sources.options import BadLine, Format, Item, Place, ReadOptions
from indexer.sources.read import read

__all__ = [
    "BadLine",
    "Format",
    "Item",
    "Place",
    "ReadOptions",
    "place_of",
    "read",
    "total_bytes",
]
