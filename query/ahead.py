"""The pages of many requests: a store answers the next ones while those before are judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

from query.answers import CandidatePage, CandidateReader, Request


def pages_ahead(
    reader: CandidateReader, requests: Sequence[Request]
) -> Iterator[list[CandidatePage]]:
    """The pages of all requests, in order, as many together as the reader answers at once.

    Requests without a limit are asked together: their documents are read once for all of them.
    """
    size = reader.at_once
    if not size or len(requests) <= size or any(request.limit is None for request in requests):
        yield reader.candidates(requests)
        return
    groups = -(-len(requests) // size)
    bounds = [len(requests) * at // groups for at in range(groups + 1)]
    first, *others = (requests[start:end] for start, end in pairwise(bounds))  # of one size
    with ThreadPoolExecutor(1, "dupdex-candidates") as asking:
        waiting = asking.submit(reader.candidates, first)
        for group in others:
            pages = waiting.result()
            waiting = asking.submit(reader.candidates, group)
            yield pages
        yield waiting.result()
