"""Files, folders and standard input to documents, one bad line at a time."""

from indexer.readers.files import total_bytes
from indexer.readers.options import BadLine, Format, Item, ReadOptions
from indexer.readers.read import read

__all__ = ["BadLine", "Format", "Item", "ReadOptions", "read", "total_bytes"]
