"""Many pairs judged together are judged as each alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indexer.boilerplate import NOTHING, Boilerplate, sentence_keys
from indexer.text import prepare
from mappings.plan import STANDARD
from query.answers import Match, Ref, Verdict
from query.pair import PairJudge
from tests.texts import LAW, METRO, METRO_HOMOPHONES, TEA, chinese, english, pieced, visible

(_METRO_SENTENCES,) = sentence_keys(prepare(METRO, STANDARD), STANDARD)
_LEARNED = Boilerplate(dict.fromkeys((key for _, _, key in _METRO_SENTENCES[:2]), 8), 100, 100)


def alone(judge: PairJudge, asked: str, stored: list[str]) -> list[Match | None]:
    """The slow path: every pair read and compared by itself, with nothing screened."""
    out = []
    for number, text in enumerate(stored):
        one, other = judge.read([asked, text])
        judged = judge.judgement(one, other)
        match = judge.matches(one, [(other, Ref("i", str(number)), {})])[0]
        assert (match is None) == (judged.verdict is None)
        if match is not None:
            assert (match.verdict, match.similarity) == (judged.verdict, judged.similarity)
            assert (match.share, match.direction) == (judged.share, judged.direction)
        out.append(match)
    return out


def together(judge: PairJudge, asked: str, stored: list[str]) -> list[Match | None]:
    (one,), others = judge.read([asked]), judge.read(stored)
    return judge.matches(
        one, [(text, Ref("i", str(number)), {}) for number, text in enumerate(others)]
    )


@given(pieced, st.lists(st.one_of(pieced, visible), min_size=1, max_size=8), st.booleans())
@LAW
def test_together_is_alone(asked: str, stored: list[str], learned: bool) -> None:
    judge = PairJudge(STANDARD, _LEARNED if learned else NOTHING)
    assert together(judge, asked, stored) == alone(judge, asked, stored)


@given(pieced, st.lists(st.one_of(pieced, visible), min_size=1, max_size=8))
@LAW
def test_without_partial_copies_the_others_are_judged_the_same(
    asked: str, stored: list[str]
) -> None:
    judge = PairJudge(STANDARD)
    (one,), others = judge.read([asked]), judge.read(stored)
    every = judge.judgements(one, others)
    wanted = [each if each and each.verdict is not Verdict.PARTIAL else None for each in every]
    assert judge.judgements(one, others, partial=False) == wanted


def test_every_kind_of_match_is_found_in_one_pass() -> None:
    """Long and short texts, both kinds of script, copies of several sorts and unrelated ones."""
    long = chinese(1_400, 1)
    stored = [long, METRO, METRO_HOMOPHONES, METRO[:90], TEA, english(200, 4), chinese(1_400, 2)]
    stored += [long[:700], "!", chinese(900, 3) + long[200:700], long[:600] + "x" + long[601:]]
    for asked in (long, METRO, english(200, 4)):
        judge = PairJudge(STANDARD)
        assert together(judge, asked, stored) == alone(judge, asked, stored)
    verdicts = [match and match.verdict for match in together(PairJudge(STANDARD), long, stored)]
    assert verdicts.count(Verdict.EXACT) == 1
    assert {Verdict.NEAR, Verdict.PARTIAL, None} <= {*verdicts}


def test_a_second_round_forgets_the_first() -> None:
    judge = PairJudge(STANDARD)
    (asked,) = judge.read([METRO])
    for text, verdict in ((METRO_HOMOPHONES, Verdict.NEAR), (TEA, None), (METRO, Verdict.EXACT)):
        (stored,) = judge.read([text])
        match = judge.matches(asked, [(stored, Ref("", "1"), {})])[0]
        assert (match and match.verdict) == verdict


def test_equal_texts_are_exact_however_their_skeletons_differ() -> None:
    """White space and marks between letters change what a skeleton joins or passes over."""
    judge = PairJudge(STANDARD)
    letters = "thequickbrownfoxjumps"
    pairs = ((" ".join(letters), letters), ("中 a 文字，好 b 吗", "中a文字好b吗"))
    for asked, text in pairs:
        one, other = judge.read([asked, text])
        assert one.fingerprint.text_hash == other.fingerprint.text_hash
        match = judge.matches(one, [(other, Ref("", "1"), {})])[0]
        assert match is not None and match.verdict is Verdict.EXACT
