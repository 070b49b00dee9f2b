"""Laws of allow entries that go before deny entries."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from dupdex.banks.bank_model import BankHit, BankKind, BankPassage
from dupdex.banks.overruling import overruled
from query.answers import Verdict
from tests.texts import LAW

DENY, ALLOW = BankKind.DENY, BankKind.ALLOW


def hit(
    kind: BankKind, verdict: Verdict, similarity: float, places: list[tuple[int, int]]
) -> BankHit:
    passages = tuple(BankPassage(place, place) for place in places)
    head = ("bank", kind, "entry", (), "", None)
    return BankHit(*head, verdict, similarity, 1.0, 1.0, passages)


def whole(kind: BankKind, verdict: Verdict = Verdict.NEAR, similarity: float = 0.9) -> BankHit:
    return hit(kind, verdict, similarity, [(0, 100)])


places = st.lists(
    st.tuples(st.integers(0, 80), st.integers(1, 40)).map(lambda p: (p[0], p[0] + p[1])),
    max_size=3,
)
hits = st.lists(
    st.builds(hit, st.sampled_from(BankKind), st.sampled_from(Verdict), st.floats(0, 1), places),
    max_size=6,
)


@LAW
@given(hits)
def test_only_deny_entries_are_overruled_and_only_by_allow_entries(found: list[BankHit]) -> None:
    out = overruled(found)
    assert len(out) == len(found)
    assert all(each.kind is DENY for each, is_out in zip(found, out, strict=True) if is_out)
    if not any(each.kind is ALLOW and each.verdict is not Verdict.PARTIAL for each in found):
        assert not any(out)


@LAW
@given(hits)
def test_one_more_allow_entry_denies_nothing(found: list[BankHit]) -> None:
    before = overruled(found)
    after = overruled([*found, whole(ALLOW)])[:-1]
    assert all(later for earlier, later in zip(before, after, strict=True) if earlier)


@LAW
@given(hits)
def test_an_exact_allow_entry_overrules_all(found: list[BankHit]) -> None:
    out = overruled([*found, whole(ALLOW, Verdict.EXACT, 1.0)])
    assert out[:-1] == [each.kind is DENY for each in found]


def test_the_closer_entry_decides() -> None:
    deny = whole(DENY)
    assert overruled([deny, whole(ALLOW)]) == [True, False]
    assert overruled([deny, whole(ALLOW, similarity=0.89)]) == [False, False]
    assert overruled([whole(DENY, Verdict.EXACT, 1.0), whole(ALLOW, similarity=1.0)])[0] is False
    assert overruled([deny, whole(ALLOW, Verdict.PARTIAL, 0.95)])[0] is False


def test_what_was_put_beside_an_allowed_text_is_denied() -> None:
    allow = hit(ALLOW, Verdict.NEAR, 0.9, [(0, 70)])
    beside = hit(DENY, Verdict.PARTIAL, 0.3, [(70, 100)])
    inside = hit(DENY, Verdict.PARTIAL, 0.3, [(20, 50)])
    assert overruled([allow, beside, inside]) == [False, False, True]
    assert overruled([allow, replace(inside, passages=())]) == [False, False]
