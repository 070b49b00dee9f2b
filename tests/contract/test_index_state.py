"""The state of an index, field by field, on both stores."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dupdex.index import Index
from dupdex.report.key_health import SAMPLE, index_state
from dupdex.session import Session
from indexer.model import Document
from mappings.contract import Field
from mappings.errors import NotFound
from mappings.plan import STANDARD
from tests.contract.stores import Store, real

LINE = "本网站所刊登的各种新闻信息和专题资料均为版权所有未经协议授权禁止下载使用"


@pytest.fixture
def session(store: Store) -> Session:
    return store.opened.enter_context(Session(store.opener.location))


@pytest.mark.usefixtures("store")
def test_what_an_index_costs_and_which_keys_have_no_vote(session: Session) -> None:
    few = replace(STANDARD, thresholds=replace(STANDARD.thresholds, hot=5))
    with Index.create(session, plan=few) as index:
        texts = [f"{LINE}。第{at}篇讲的是{chr(0x4E10 + 97 * at) * 3}的故事" for at in range(12)]
        index.add([Document(f"d{at}", text) for at, text in enumerate(texts)])
        index.refresh()
    state = index_state(session)
    assert (state.health.documents, state.sampled, state.hot) == (12, 12, 5)
    shares = {each.field: each.frequent for each in state.fields}
    sentences = shares[Field.SENTENCES.value]
    assert sentences is not None and 0 < sentences < 1
    assert shares[Field.TEXT_HASH.value] == 0
    assert state.frequent[0].documents == 12
    assert all(each.documents > 5 for each in state.frequent)
    assert Field.SENTENCES.value in {each.field for each in state.frequent}
    assert sum(each.bytes for each in state.fields) <= state.planned_bytes
    recall = {each.field: each.recall for each in state.promises}
    assert recall[Field.SYLLABLE_KEYS.value]["0.5"] > recall[Field.MINHASH_KEYS.value]["0.5"]
    assert 0.8 < recall[Field.SIMHASH_KEYS.value]["d=4"] < 0.95


def test_a_sample_bounds_what_is_read(store: Store, session: Session) -> None:
    texts = (f"第{at}篇文字，讲{at * 7}件事和{at * 13}个人" for at in range(3 * SAMPLE))
    store.write(*(real(f"d{at}", text) for at, text in enumerate(texts)))
    state = index_state(session)
    assert 0 < state.sampled <= SAMPLE
    assert state.frequent == ()


def test_an_empty_index_and_none(store: Store, session: Session) -> None:
    with pytest.raises(NotFound):
        index_state(session)
    store.write()
    state = index_state(session)
    assert (state.health.documents, state.sampled, state.frequent) == (0, 0, ())
    assert {each.frequent for each in state.fields} == {None}
    assert state.promises
