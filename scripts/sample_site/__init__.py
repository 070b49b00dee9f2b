"""A seeded sample of the Web on loopback: originals, copies of all kinds, and every trap."""

from scripts.sample_site.request_log import Request
from scripts.sample_site.site_pages import Copied, PageTruth
from scripts.sample_site.site_server import SampleSite, Traps, bank_documents, documents

__all__ = [
    "Copied",
    "PageTruth",
    "Request",
    "SampleSite",
    "Traps",
    "bank_documents",
    "documents",
]
