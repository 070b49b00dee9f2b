"""Lookup from text to answer, over a read side in a dict."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Iterator
from dataclasses import replace
from types import FunctionType, ModuleType

import numpy as np
import pytest
from msgspec import structs

from indexer.fingerprints import fingerprint_of
from indexer.fingerprints.simhash import hamming
from mappings.contract import Field
from mappings.errors import InputRefused, NotFound
from mappings.plan import STANDARD
from query.answers import (
    Answer,
    CandidatePage,
    CandidateReader,
    Direction,
    FactDifference,
    FactKind,
    Ref,
    Request,
    Verdict,
)
from query.grams import Features
from query.guarantee import in_words
from query.lookup import near_duplicates_all
from query.questions import Options, Question
from query.verify.estimate import estimated_similarity
from tests.lookups import near_duplicates, near_duplicates_of
from tests.texts import (
    METRO,
    TEA,
    chinese,
)
from tests.unit.query.memory import MemoryReader
from tests.unit.query.metros import METROS, TEXTS, ids


@pytest.fixture
def reader() -> MemoryReader:
    return MemoryReader(TEXTS, STANDARD)


def ask(reader: CandidateReader, text: str, **options: int | float | None) -> Answer:
    return near_duplicates(text, STANDARD, reader, Options(**options))  # type: ignore[arg-type]


# --- what is found, in which order


def test_best_first_with_verdicts_and_directions(reader: MemoryReader) -> None:
    answer = ask(reader, METRO)
    assert ids(answer) == METROS  # exact before near before partial, then by similarity
    assert [match.verdict for match in answer.matches] == [
        *(Verdict.EXACT, Verdict.EXACT, Verdict.NEAR, Verdict.NEAR, Verdict.PARTIAL),
    ]
    assert answer.matches[-1].direction is Direction.CONTAINED_IN
    assert answer.matches[-1].share == pytest.approx(1.0, abs=0.1)
    assert answer.matches[-1].stored_share == pytest.approx(0.2, abs=0.1)
    assert [match.direction for match in answer.matches[:-1]] == [None] * 4
    assert answer.matches[0].document == {"title": "title of metro"}
    assert answer.id is None


def test_equal_matches_come_in_the_order_of_their_ids() -> None:
    reader = MemoryReader(dict.fromkeys("cabed", TEA), STANDARD)
    assert ids(ask(reader, TEA)) == list("abcde")


def test_evidence(reader: MemoryReader) -> None:
    exact, _, sound, edited, inside = (match.evidence for match in ask(reader, METRO).matches)
    own = reader.fingerprint("metro")
    assert exact.keys == own.keys
    assert (exact.hamming, exact.jaccard, exact.syllable_jaccard) == (0, 1, 1)
    assert sound.syllable_jaccard == 1 > 0.4 > (sound.jaccard or 0)
    assert len(sound.keys[Field.SYLLABLE_KEYS]) == 11
    assert Field.TEXT_HASH not in sound.keys
    assert edited.hamming == hamming(own.simhash, reader.fingerprint("metro edited").simhash)
    for name, terms in edited.keys.items():
        assert set(terms) == set(own.keys[name]) & set(
            reader.fingerprint("metro edited").keys[name]
        )
    assert inside.shared is not None and inside.shared >= 30
    assert {each.verified for each in (exact, sound, edited, inside)} == {"text"}


def test_nothing_similar_is_an_empty_answer(reader: MemoryReader) -> None:
    answer = ask(reader, chinese(500, 77))
    assert answer.matches == ()
    assert (answer.completeness.examined, answer.completeness.truncated) == (0, False)
    assert reader.read == []  # no round trip for texts when there is nothing to read


@pytest.mark.parametrize("text", ["", " \n", "\u200b"])
def test_an_empty_text_is_refused(reader: MemoryReader, text: str) -> None:
    with pytest.raises(InputRefused, match="empty"):
        ask(reader, text)
    with pytest.raises(InputRefused, match="empty"):
        near_duplicates_all([Question(METRO), Question(text)], STANDARD, reader)


def test_a_stored_document_without_fingerprint_is_judged_all_the_same() -> None:
    reader = MemoryReader(TEXTS, STANDARD, fingerprints=False)
    answer = ask(reader, METRO)
    assert ids(answer) == METROS
    assert answer.matches[0].evidence.keys == fingerprint_of(METRO, STANDARD).keys  # made anew


# --- options


def test_size(reader: MemoryReader) -> None:
    assert ids(ask(reader, METRO, size=2)) == METROS[:2]
    assert ids(ask(reader, METRO, size=0)) == []
    assert ask(reader, METRO, size=2).completeness == ask(reader, METRO).completeness
    many = MemoryReader({f"{n:02}": TEA for n in range(30)}, STANDARD)
    assert len(ask(many, TEA).matches) == 10
    assert len(ask(many, TEA, size=None).matches) == 30


def test_candidates(reader: MemoryReader) -> None:
    answer = ask(reader, METRO, candidates=3)
    assert answer.completeness.candidates == 3
    assert answer.completeness.truncated
    assert len(answer.matches) == 3
    assert reader.requests[-1].limit == 3
    assert not ask(reader, METRO, candidates=None).completeness.truncated
    assert reader.requests[-1].limit is None
    assert reader.requests[-1].max_df == STANDARD.thresholds.hot


def test_candidates_that_a_store_only_counts_are_undecided(reader: MemoryReader) -> None:
    class Counting(MemoryReader):
        def _page(self, request: Request) -> CandidatePage:
            return structs.replace(super()._page(request), unlisted=3)

    listed = ask(reader, METRO)
    counted = ask(Counting({i: each.text for i, each in reader.stored.items()}, STANDARD), METRO)
    assert counted.matches == listed.matches
    done, before = counted.completeness, listed.completeness
    assert (done.candidates, done.undecided) == (before.candidates + 3, before.undecided + 3)
    assert reader.requests[-1].hamming == STANDARD.thresholds.hamming


def test_verify_limits_what_is_judged_from_text(reader: MemoryReader) -> None:
    """The rest is judged from stored values: equal hash is exact, few bits are near."""
    answer = ask(reader, METRO, verify=0)
    assert reader.read == []
    assert answer.completeness.examined == 0
    done = answer.completeness
    assert done.from_stored + done.undecided == done.candidates
    own = reader.fingerprint("metro")
    for match in answer.matches:
        assert match.evidence.verified == "stored"
        assert match.evidence.jaccard is match.evidence.shared is None
        assert match.document == {}
        distance = hamming(own.simhash, reader.fingerprint(match.id).simhash)
        assert match.evidence.hamming == distance
        exact = match.verdict is Verdict.EXACT
        assert match.similarity == (1.0 if exact else estimated_similarity(distance))
    assert ids(answer)[:2] == ["metro", "metro traditional"]
    assert [m.verdict for m in answer.matches[:2]] == [Verdict.EXACT] * 2


def test_near_from_stored_values_ends_at_the_plans_distance(reader: MemoryReader) -> None:
    own = reader.fingerprint("metro")
    for distance in (1, 3, 4, 5):
        value = own.simhash ^ ((1 << distance) - 1)
        reader.fingerprints["tea"] = structs.replace(own, simhash=value, text_hash="another")
        answer = ask(reader, METRO, verify=0)
        assert ("tea" in ids(answer)) == (distance <= 3)
        match = next((m for m in answer.matches if m.id == "tea"), None)
        assert match is None or match.verdict is Verdict.NEAR
    wider = replace(STANDARD, thresholds=replace(STANDARD.thresholds, hamming=5))
    assert "tea" in ids(near_duplicates(METRO, wider, reader, Options(verify=0)))


def test_similarities_of_read_and_unread_texts_are_on_one_scale() -> None:
    """Of texts a bit apart no more is known than that such are .88 alike: a better one is first."""
    reader = MemoryReader({"shorter": METRO[:-16], "unread": METRO}, STANDARD)
    own = reader.fingerprint("unread")
    reader.fingerprints["unread"] = structs.replace(
        own,
        text_hash="another",
        simhash=own.simhash ^ 1,
        keys={Field.SIMHASH_KEYS: own.keys[Field.SIMHASH_KEYS]},
    )
    first, second = ask(reader, METRO, verify=1).matches
    assert [first.id, second.id] == ["shorter", "unread"]
    assert first.evidence.verified == "text"
    assert 0.9 < first.similarity < 1 - 1 / 64
    assert second.similarity == estimated_similarity(1)


def test_values_that_were_wrong_where_texts_were_read_say_nothing_of_others() -> None:
    """Letters that nobody knows have one simhash, whatever they say."""
    texts = {f"{at}": chinese(300, at) for at in range(6)}
    reader = MemoryReader(texts, STANDARD)
    own = fingerprint_of(METRO, STANDARD)
    alike = {name: structs.replace(own, text_hash=name) for name in texts}
    reader.fingerprints |= alike
    assert len(ask(reader, METRO, verify=0).matches) == 6
    answer = ask(reader, METRO, verify=3)
    assert answer.matches == ()
    done = answer.completeness
    assert (done.examined, done.from_stored, done.undecided) == (3, 0, 3)
    reader = MemoryReader(texts | {"0": METRO[:-4], "1": METRO[4:]}, STANDARD)
    reader.fingerprints |= alike
    assert len(ask(reader, METRO, verify=3).matches) == 5


def test_an_estimate_below_the_threshold_is_undecided(reader: MemoryReader) -> None:
    own = reader.fingerprint("metro")
    reader.fingerprints["tea"] = structs.replace(own, simhash=own.simhash ^ 1, text_hash="another")
    estimate = estimated_similarity(1)
    loose = ask(reader, METRO, verify=0, threshold=estimate)
    strict = ask(reader, METRO, verify=0, threshold=estimate + 1e-9)
    assert "tea" in ids(loose) and "tea" not in ids(strict)
    fewer = len(ids(loose)) - len(ids(strict))
    assert strict.completeness.undecided == loose.completeness.undecided + fewer
    assert strict.completeness.from_stored == loose.completeness.from_stored - fewer
    assert ids(strict)[0] == "metro"  # an equal hash is no estimate


def test_texts_without_letters_are_near_nothing() -> None:
    """Their simhash is 0 for all of them, which must not read as near."""
    emoji = MemoryReader({"smile": "😀", "thumb": "👍"}, STANDARD)
    assert ids(ask(emoji, "😀")) == ids(ask(emoji, "😀", verify=0)) == ["smile"]
    smile = emoji.fingerprint("smile")
    emoji.fingerprints["thumb"] = structs.replace(emoji.fingerprint("thumb"), keys=smile.keys)
    assert ids(ask(emoji, "😀", verify=0)) == ["smile"]


def test_an_equal_block_of_unlike_simhashes_is_not_worth_a_comparison(
    reader: MemoryReader,
) -> None:
    own = reader.fingerprint("metro")
    reader.simhash_only = {"metro", "tea"}
    for distance, compared in ((12, True), (13, False), (40, False)):
        value = own.simhash ^ ((1 << distance) - 1)
        reader.fingerprints["tea"] = structs.replace(own, simhash=value, text_hash="another")
        done = ask(reader, METRO).completeness
        assert ("tea" in reader.read[-1]) is compared
        assert "metro" in reader.read[-1]
        assert (done.examined, done.from_stored) == (done.candidates - (not compared), not compared)
        assert done.undecided == 0
        every = ask(reader, METRO, verify=None).completeness  # judges all
        assert every.examined == every.candidates


def test_some_from_text_and_the_rest_from_stored_values(reader: MemoryReader) -> None:
    answer = ask(reader, METRO, verify=2)
    done = answer.completeness
    assert (done.examined, done.from_stored + done.undecided) == (2, done.candidates - 2)
    assert sorted(reader.read[-1]) == ["metro", "metro traditional"]
    assert [m.evidence.verified for m in answer.matches[:2]] == ["text", "text"]


def test_threshold_is_similarity_for_near_and_share_for_partial(reader: MemoryReader) -> None:
    found = {match.id: match for match in ask(reader, METRO).matches}
    assert ids(ask(reader, METRO, threshold=1.0)) == [
        *("metro", "metro traditional", "metro homophones"),
    ]
    edited = found["metro edited"].similarity
    assert "metro edited" in ids(ask(reader, METRO, threshold=edited))
    assert "metro edited" not in ids(ask(reader, METRO, threshold=edited + 1e-9))
    share = found["metro inside"].share
    assert share is not None
    assert share > 0.9
    assert "metro inside" in ids(ask(reader, METRO, threshold=share))
    assert "metro inside" not in ids(ask(reader, METRO, threshold=share + 1e-9))


def test_a_near_match_does_not_pass_by_its_share() -> None:
    """A longer version that holds the whole asked text is as similar as it is, no more."""
    reader = MemoryReader({"longer": METRO + TEA[:90]}, STANDARD)
    (match,) = ask(reader, METRO).matches
    assert match.verdict is Verdict.NEAR
    assert match.share is not None
    assert match.similarity < 0.9 < match.share
    assert ids(ask(reader, METRO, threshold=0.9)) == []


def test_filters_go_to_the_store(reader: MemoryReader) -> None:
    clause = {"term": {"site": "a"}}
    near_duplicates(METRO, STANDARD, reader, Options(filters=(clause,)))
    assert reader.requests[-1].filters == (clause,)


# --- by id


def test_by_id_leaves_the_document_itself_out(reader: MemoryReader) -> None:
    answer = near_duplicates_of("metro", STANDARD, reader)
    assert answer.id == "metro"
    assert ids(answer) == METROS[1:]
    assert reader.requests[-1].exclude == Ref("", "metro")
    assert answer.matches == near_duplicates(METRO, STANDARD, reader).matches[1:]


def test_by_id_makes_the_keys_anew(reader: MemoryReader) -> None:
    """The stored ones may be older than the text: somebody's own update does not touch them."""
    stale = structs.replace(reader.fingerprint("metro"), keys=reader.fingerprint("tea").keys)
    reader.stored["metro"] = structs.replace(reader.stored["metro"], fingerprint=stale)
    near_duplicates_of("metro", STANDARD, reader)
    assert reader.requests[-1].keys == fingerprint_of(METRO, STANDARD).keys


def test_an_unknown_id_is_not_found(reader: MemoryReader) -> None:
    with pytest.raises(NotFound, match=r"no document 'nobody'.*dupdex search"):
        near_duplicates_of("nobody", STANDARD, reader)


# --- completeness


def test_completeness_counts(reader: MemoryReader) -> None:
    done = ask(reader, METRO).completeness
    assert (done.candidates, done.examined, done.from_stored) == (5, 5, 0)
    assert (done.truncated, done.frequent_keys) == (False, 0)
    assert done.guarantee == in_words(STANDARD)


def test_deleted_between_the_two_round_trips(reader: MemoryReader) -> None:
    reader.deleted = {"metro", "metro inside"}
    answer = ask(reader, METRO)
    assert ids(answer) == ["metro traditional", "metro homophones", "metro edited"]
    done = answer.completeness
    assert (done.candidates, done.examined, done.from_stored) == (5, 3, 0)


def test_frequent_keys_are_counted() -> None:
    plan = replace(STANDARD, thresholds=replace(STANDARD.thresholds, hot=2))
    texts = {str(n): TEA[:120] + chinese(300, n) for n in range(5)} | {"one": METRO, "two": METRO}
    reader = MemoryReader(texts, plan)
    assert near_duplicates(METRO, plan, reader).completeness.frequent_keys == 0
    frequent = near_duplicates(texts["3"], plan, reader).completeness.frequent_keys
    assert 0 < frequent < 40
    assert frequent == len(reader.candidates([reader.requests[-1]])[0].frequent)


# --- what an answer holds


def test_near_duplicates_carry_the_facts_that_differ() -> None:
    text = "记者昨天获悉，跨江大桥将于2026年5月1日通车，全长2100米，双向六车道，限速80公里。"
    texts = {
        "same": text,
        "update": text.replace("5月1日", "6月1日"),
        "copy": text.replace("获悉", "了解到"),
    }
    reader = MemoryReader(texts, STANDARD)
    found = {match.id: match for match in near_duplicates(text, STANDARD, reader).matches}
    assert {name: match.facts_total for name, match in found.items()} == {
        "same": 0, "update": 1, "copy": 0,
    }  # fmt: skip
    fact = FactDifference(FactKind.DATE, "2026年5月1日", "2026年6月1日")
    assert found["update"].facts_differ == (fact,)
    unasked = near_duplicates(text, STANDARD, reader, Options(facts=False))
    assert [match.facts_total for match in unasked.matches] == [None] * 3
    unread = near_duplicates(text, STANDARD, reader, Options(verify=0))
    assert all(match.facts_differ is None for match in unread.matches)


def test_an_answer_is_plain_data(reader: MemoryReader) -> None:
    """It can be kept, sent and compared without the texts it was made from."""
    answer = ask(reader, METRO)
    assert pickle.loads(pickle.dumps(answer)) == answer
    again = ask(reader, METRO)
    assert answer == again
    assert not [one for one in reachable(answer) if isinstance(one, Features | np.ndarray)]


def reachable(root: object) -> Iterator[object]:
    """All that an object keeps alive, but for code."""
    seen, waiting = {id(root)}, [root]
    while waiting:
        one = waiting.pop()
        yield one
        for other in gc.get_referents(one):
            code = isinstance(other, type | ModuleType | FunctionType)
            if id(other) not in seen and not code:
                seen.add(id(other))
                waiting.append(other)
