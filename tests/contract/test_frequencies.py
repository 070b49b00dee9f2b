"""In how many documents a term is: what an explanation says of each shared key."""

from __future__ import annotations

from mappings.contract import Field
from tests.contract.stores import Store, made


def test_terms_are_counted_in_their_own_field(store: Store) -> None:
    store.write(made("a", "t1", "t2"), made("b", "t2"), made("c", "t2", simhash_keys=("t1",)))
    keys = {Field.PASSAGE_KEYS: ("t1", "t2", "absent"), Field.SIMHASH_KEYS: ("t1", "t2")}
    assert store.reader.frequencies(keys) == {
        (Field.PASSAGE_KEYS, "t1"): 1,
        (Field.PASSAGE_KEYS, "t2"): 3,
        (Field.PASSAGE_KEYS, "absent"): 0,
        (Field.SIMHASH_KEYS, "t1"): 1,
        (Field.SIMHASH_KEYS, "t2"): 0,
    }
    assert store.reader.frequencies({}) == {}


def test_replaced_and_deleted_documents_do_not_count(store: Store) -> None:
    store.write(made("a", "t1"), made("b", "t1"), made("c", "t1"))
    store.write(made("a", "t2"))
    store.writer.delete(["b"])
    store.writer.refresh()
    keys = {Field.PASSAGE_KEYS: ("t1", "t2")}
    assert set(store.reader.frequencies(keys).values()) == {1}


def test_more_terms_than_one_search_may_hold(store: Store) -> None:
    terms = tuple(f"t{number}" for number in range(2_000))
    store.write(made("a", *terms), made("b", *terms[:1_500]))
    found = store.reader.frequencies({Field.PASSAGE_KEYS: terms})
    assert [found[Field.PASSAGE_KEYS, term] for term in terms] == [2] * 1_500 + [1] * 500
