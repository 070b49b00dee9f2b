"""What the texts that a lookup has seen show, against counting one by one."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import example, given
from hypothesis import strategies as st

from indexer.model import Fingerprint
from mappings.contract import Field
from mappings.plan import STANDARD
from query.verify.seen_texts import Seen
from query.verify.widespread import Suspect
from tests.texts import LAW, chinese
from tests.unit.query.memory import MemoryReader

UNRELATED = STANDARD.thresholds.unrelated
LETTERS = "abcdefghij"


class Made(NamedTuple):
    """A made text. `whole`: its keys as a whole text, of syllables or, not `syllables`, of MinHash;
    `besides`: it has all keys of MinHash, which count where it has none of syllables.
    """

    passages: set[str]
    whole: set[str]
    syllables: bool = True
    besides: bool = False

    def counting(self) -> tuple[bool, set[str]]:
        """The scheme of the keys that count, and these."""
        instead = self.syllables and self.besides and not self.whole
        return (False, {*LETTERS}) if instead else (self.syllables, self.whole)

    def printed(self, more: set[str]) -> Fingerprint:
        name = Field.SYLLABLE_KEYS if self.syllables else Field.MINHASH_KEYS
        besides = {Field.MINHASH_KEYS: tuple(LETTERS)} if self.besides else {}
        keys = {Field.PASSAGE_KEYS: tuple(sorted(self.passages | more)), **besides}
        return Fingerprint("h", 0, 99, {**keys, name: tuple(sorted(self.whole))})


SHARED, OTHERS = st.sets(st.sampled_from("pqr"), min_size=1), st.sets(st.sampled_from("stuvwxy"))
WHOLE = st.sets(st.sampled_from(LETTERS))
SOME = st.builds(Made, OTHERS, WHOLE.filter(bool), st.booleans())
ANY = st.builds(Made, st.sets(st.sampled_from("pqrstuvwxy")), WHOLE, st.booleans(), st.booleans())


@given(
    SHARED, SOME, SOME, st.lists(ANY, max_size=12),
    st.integers(1, 4), st.sampled_from([0.0, 0.4, 0.7]),
)  # fmt: skip
@example(
    {"p"}, Made(set(), {*LETTERS}), Made({*"stu"}, {*LETTERS}),
    [Made({*"pqrstu"}, {"a"})], 1, 0.0,
)  # fmt: skip
@example(
    {"p"}, Made(set(), {"a"}), Made(set(), {"b"}),
    [Made({"p"}, {"a"}, syllables=False)], 1, 0.0,
)  # fmt: skip
@example(
    {"p"}, Made(set(), {"a"}, syllables=False), Made(set(), {"b"}),
    [Made({"p"}, {"c"}, besides=True)], 1, 0.0,
)  # fmt: skip
@example(  # half of what else it has is enough
    {"p"}, Made({*"stuvwx"}, {"a"}), Made(set(), {"b"}),
    [Made({*"pstu"}, {"c"})], 1, 0.0,
)  # fmt: skip
@LAW
def test_what_was_seen_shows_what_counting_its_unrelated_texts_shows(
    shared: set[str],
    asked: Made,
    other: Made,
    stored: list[Made],
    unrelated: int,
    least: float,
) -> None:
    both = [each.printed(shared) for each in (asked, other)]
    terms = tuple((Field.PASSAGE_KEYS, term) for term in sorted(shared))
    pair = Suspect((both[0], both[1]), terms, least)
    own = {Field.PASSAGE_KEYS: frozenset(shared | asked.passages)}
    seen = Seen(own, [each.printed(set()) for each in stored])
    known = [each for each in stored if each.counting()[1]]

    def relatives(text: Made) -> set[int]:
        more, (scheme, whole) = text.passages - shared, text.counting()
        versions = {at for at, each in enumerate(known) if len(each.passages & more) >= 3}
        together = set().union(*(known[at].passages & more for at in versions))
        if len(together) < 0.5 * len(more):
            versions = set()
        return versions | {
            at
            for at, (name, keys) in enumerate(each.counting() for each in known)
            if name is scheme
            and keys & whole
            and len(keys & whole) >= 0.25 * max(len(keys), len(whole))
        }

    left = {*range(len(known))} - relatives(asked) - relatives(other)
    few = sum(sum(term in known[at].passages for at in left) < unrelated for term in shared)
    for _ in range(2):  # what is kept is the same
        assert pair.is_shown(seen, unrelated) is (few < max(1, least * len(shared)))
    assert not pair.is_shown(Seen({}, [each.printed(set()) for each in stored]), unrelated)


def test_keys_of_two_schemes_have_nothing_in_common() -> None:
    """As in an index of two plans."""
    asked, same = Made({*"pqrs"}, {*LETTERS}), Made({*"pwxy"}, {*LETTERS})
    shared = {Field.PASSAGE_KEYS: ("p",)}
    assert Suspect.of(asked.printed(set()), same.printed(set()), shared) is None
    other = same._replace(syllables=False)
    assert Suspect.of(asked.printed(set()), other.printed(set()), shared) is not None


def test_relatives_that_were_seen_show_nothing() -> None:
    """Copies of either text and its versions; not what has another notice of one in common."""
    both, notice = ("".join(filter(str.isalnum, chinese(110, seed)))[:80] for seed in (99, 98))
    own, other = f"{chinese(240, 1)}。{both}。", f"{chinese(700, 7)}。{notice}。{both}。"
    texts = {f"site-{n}": f"{chinese(700, 100 + n)}。{notice}。{both}。" for n in range(40)}
    for n in range(6 * UNRELATED):
        texts[f"asked-{n}"], texts[f"other-{n}"] = f"{own}第{n}次", f"{other}第{n}次"
        part = own[n % 3 * 60 :][:140]
        texts[f"part-{n}"] = f"{chinese(600, 500 + n)}。{part}。{both}。"
    reader = MemoryReader(texts, STANDARD)
    asked, stored = reader.fingerprint("asked-0"), reader.fingerprint("other-0")
    pair = Suspect.of(asked, stored, asked.shared_with(stored))
    assert pair is not None
    wanted = {name: frozenset(terms) for name, terms in asked.keys.items()}

    def is_shown(most: int, *kinds: str) -> bool:
        named = [name for kind in kinds for name in [n for n in texts if n.startswith(kind)][:most]]
        return pair.is_shown(Seen(wanted, map(reader.fingerprint, named)), UNRELATED)

    assert is_shown(UNRELATED, "site")
    assert not is_shown(UNRELATED - 1, "site", "asked", "other", "part")
    for kind in ("asked", "other", "part"):
        assert not is_shown(6 * UNRELATED, kind)
