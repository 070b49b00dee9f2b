"""From files, folders and standard input to documents; a bad line costs only itself."""

from indexer.model import Mark
from indexer.sources.file_source import FileSource, read
from indexer.sources.files import total_bytes
from indexer.sources.options import BadLine, Format, Item, ReadOptions
from indexer.sources.source import Source

__all__ = [
    "BadLine",
    "FileSource",
    "Format",
    "Item",
    "Mark",
    "ReadOptions",
    "Source",
    "read",
    "total_bytes",
]
