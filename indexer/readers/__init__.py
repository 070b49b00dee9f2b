"""Files, folders and standard input to documents, one bad line at a time."""

from indexer.readers.files import place_of, total_bytes
from indexer.readers.options import BadLine, Format, Item, Place, ReadOptions
from indexer.readers.read import read

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
