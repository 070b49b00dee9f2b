"""Boilerplate: what many unrelated documents share, learned and left out."""

from __future__ import annotations

from dataclasses import replace

import orjson
import pytest

from indexer.boilerplate import MOST, NOTHING, Boilerplate, Learner, mask_of, sentence_keys
from indexer.fingerprints import fingerprints_of
from indexer.meta import IndexMeta
from indexer.text import prepare, prepare_all
from mappings.contract import Field
from mappings.plan import CHARACTERS, STANDARD
from tests.texts import chinese

DISCLAIMER = "本网站转载此文只为传播信息，并不代表赞同其中的观点。"
LIMIT = STANDARD.thresholds.unrelated


def learned_from(texts: list[str]) -> Boilerplate:
    learner = Learner(STANDARD)
    for text in texts:
        learner.add([text], fingerprints_of([text], STANDARD))
    return learner.learned().boilerplate


def with_disclaimer(number: int) -> str:
    return chinese(300, number) + "。" + DISCLAIMER


def test_a_sentence_of_unrelated_documents_is_boilerplate() -> None:
    texts = [with_disclaimer(number) for number in range(LIMIT)]
    learner = Learner(STANDARD)
    learner.add(texts, fingerprints_of(texts, STANDARD))
    known = learner.learned()
    assert known.boilerplate.documents == LIMIT
    assert list(known.boilerplate.sentences.values()) == [LIMIT]
    assert list(known.examples.values()) == [DISCLAIMER.rstrip("。")]
    assert learned_from(texts) == known.boilerplate  # whatever the batches
    assert learned_from(texts[1:]).sentences == {}


def test_copies_of_one_text_are_related() -> None:
    text = chinese(600, 1)
    copies = [text + "。" + chinese(20, number) for number in range(5 * LIMIT)]
    assert learned_from(copies).sentences == {}


def test_a_sentence_that_comes_twice_in_a_text_counts_once() -> None:
    texts = [with_disclaimer(number) + DISCLAIMER for number in range(LIMIT - 1)]
    assert learned_from(texts).sentences == {}


def test_documents_without_a_fingerprint_are_passed_over() -> None:
    texts = [with_disclaimer(number) for number in range(LIMIT)]
    learner = Learner(STANDARD)
    learner.add(texts, [None] * LIMIT)
    assert learner.learned().boilerplate == NOTHING


def test_keys_are_those_that_are_stored() -> None:
    text = with_disclaimer(3)
    (made,) = fingerprints_of([text], STANDARD)
    (sentences,) = sentence_keys(prepare(text, STANDARD), STANDARD)
    keys = [key for _, _, key in sentences]
    assert list(made.keys[Field.SENTENCES]) == list(dict.fromkeys(keys))[: STANDARD.sentences.keep]


def test_the_mask_covers_the_sentence_and_nothing_else() -> None:
    texts = [with_disclaimer(number) for number in range(LIMIT)]
    known = learned_from(texts)
    prepared = prepare_all([texts[0], chinese(100, 99)], STANDARD)
    mask = mask_of(prepared, STANDARD, known)
    assert mask is not None
    masked = prepared.folded.values[mask].tobytes().decode("utf-32-le")
    assert masked == prepare(DISCLAIMER, STANDARD).folded.values.tobytes().decode("utf-32-le")
    assert mask_of(prepare(chinese(100, 99), STANDARD), STANDARD, known) is None
    assert mask_of(prepared, STANDARD, NOTHING) is None


def test_no_more_is_kept_than_a_meta_should_hold() -> None:
    sentences = [chinese(12, 1_000 + number) + "。" for number in range(MOST + 200)]
    texts = [chinese(400, number) + "。" + "".join(sentences) for number in range(2)]
    plan = replace(STANDARD, thresholds=replace(STANDARD.thresholds, unrelated=2))
    learner = Learner(plan)
    made = fingerprints_of([chinese(400, 1), chinese(400, 2)], plan)
    learner.add(texts, made)
    assert len(learner.learned().boilerplate.sentences) == MOST


def test_it_travels_in_the_meta_of_the_index() -> None:
    known = learned_from([with_disclaimer(number) for number in range(LIMIT)])
    meta = IndexMeta(boilerplate=known)
    again = IndexMeta.from_json(orjson.loads(orjson.dumps(meta.to_json())))
    assert again == meta
    assert "boilerplate" not in IndexMeta().to_json()
    assert meta.started(CHARACTERS).boilerplate == known
    assert meta.finished(CHARACTERS).boilerplate == known
    other = replace(STANDARD, sentences=replace(STANDARD.sentences, seed=99))
    assert meta.finished(other).boilerplate == NOTHING  # its keys would mean nothing
    as_given = replace(meta.plan, steps=tuple(step for step in meta.plan.steps if step != "meant"))
    assert meta.finished(as_given).boilerplate == known


@pytest.mark.parametrize(
    "stored", [None, 7, [], {}, {"sentences": 7}, {"sentences": {"a": "b"}, "documents": "x"}]
)
def test_what_cannot_be_read_was_never_learned(stored: object) -> None:
    assert Boilerplate.from_json(stored) == NOTHING


def test_nothing_is_learned_without_keys_to_tell_documents_apart() -> None:
    """Copies of one text must stay comparable under any plan."""
    plan = replace(STANDARD, schemes=("exact", "simhash", "sentences"))
    texts = [with_disclaimer(1) + chinese(20, number) for number in range(3 * LIMIT)]
    learner = Learner(plan)
    learner.add(texts, fingerprints_of(texts, plan))
    assert learner.learned().boilerplate.sentences == {}


def test_a_document_is_related_to_itself() -> None:
    assert learned_from([(chinese(20, 1) + "。") * (2 * LIMIT)]).sentences == {}
