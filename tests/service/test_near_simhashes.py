"""Documents that share nothing but simhash keys, where an index asks for them later."""

from __future__ import annotations

from msgspec.structs import replace

from indexer.stores.elastic.client import ElasticSettings
from mappings.contract import Field
from query.answers import CUT_FROM, Request
from tests.contract.stores import made
from tests.service.elastic_data import reader_on, store


def test_near_simhashes_are_found_after_many_lookups_that_did_without(
    settings: ElasticSettings,
) -> None:
    """Where pages fill up with documents that share more, simhashes are asked for later."""
    documents = [made(f"other-{n}", f"own-{n}") for n in range(CUT_FROM * 4)]
    documents += [made(f"copy-{n}", "t1") for n in range(3)]
    store(settings, [*documents, made("block", simhash_keys=("~A1",))])
    keys = {Field.SIMHASH_KEYS: ("~A1",), Field.PASSAGE_KEYS: ("t1",)}
    filled = Request(keys, limit=2, max_df=4, simhash=1 << 63, simhash_only=3)
    roomy, far = replace(filled, limit=20), replace(filled, limit=20, simhash=(1 << 63) + 0xFF)
    with reader_on(settings) as reader:
        for _ in range(60):
            (page,) = reader.candidates([filled])
            assert [each.simhash_only for each in page.candidates] == [False, False]
            assert page.truncated
        for _ in range(60):  # until room is usual again
            some, more, none = reader.candidates([filled, roomy, far])
            assert len(some.candidates) == 2
            assert {each.id: each.simhash_only for each in more.candidates} == {
                **{f"copy-{n}": False for n in range(3)},
                "block": True,
            }
            assert len(none.candidates) == 3
        # where others are enough to be read, it is asked for if it is near by its simhash alone
        enough, one_off = replace(roomy, texts=3), (1 << 63) + 1
        for simhash, hamming, texts, unlisted in (
            (one_off, 0, 3, 1),
            (one_off, 1, 3, 0),
            (one_off, 0, 4, 0),
            (1 << 63, 0, 3, 0),
        ):
            asked = replace(enough, simhash=simhash, hamming=hamming, texts=texts)
            (page,) = reader.candidates([asked])
            assert (len(page.candidates), page.unlisted) == (4 - unlisted, unlisted)
            assert not page.truncated
        (page,) = reader.candidates([replace(enough, simhash=one_off, limit=3)])
        assert (len(page.candidates), page.unlisted, page.truncated) == (3, 0, True)
        # a page that is just full is known to leave one out
        (page,) = reader.candidates([replace(filled, limit=3)])
        assert len(page.candidates) == 3
        assert page.truncated
