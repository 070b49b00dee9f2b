"""The documents of candidates come in groups of bounded weight."""

from __future__ import annotations

from indexer.weight import HELD_BYTES
from mappings.plan import STANDARD
from query.answers import CandidatePage, Ref, Stored
from query.candidate_texts import CHARACTERS, in_groups
from query.questions import Options
from tests.lookups import near_duplicates
from tests.texts import METRO
from tests.unit.query.memory import MemoryReader


def stored(name: str, text: str = METRO) -> Stored:
    return Stored(name, "", {"text": text}, text, STANDARD.id, None)


def refs(*names: str) -> list[Ref]:
    return [Ref("", name) for name in names]


def test_each_document_comes_once_and_only_the_missing_are_read() -> None:
    reader = MemoryReader(dict.fromkeys("abc", METRO), STANDARD)
    pages = [CandidatePage((), documents={Ref("", "x"): stored("x")}), CandidatePage(())]
    groups = list(in_groups(reader, pages, [refs("x", "a"), refs("b", "a", "x")]))
    assert sorted(each.id for group in groups for each in group) == ["a", "b", "x"]
    assert [sorted(read) for read in reader.read] == [["a", "b"]]


def test_nothing_to_read_asks_nothing() -> None:
    reader = MemoryReader({}, STANDARD)
    assert list(in_groups(reader, [CandidatePage(())], [[]])) == []
    assert reader.read == []


def test_long_texts_come_in_small_groups() -> None:
    reader = MemoryReader(dict.fromkeys("abcdef", METRO * 100), STANDARD)
    groups = list(in_groups(reader, [CandidatePage(())], [refs(*"abcdef")]))
    each = len(METRO) * 100
    assert all(len(group) <= CHARACTERS // each + 1 for group in groups)
    assert sum(map(len, groups)) == 6


def test_heavy_fields_of_matches_are_read_again_for_those_shown() -> None:
    """Texts are short and fields are large: not all are held at once."""
    texts = {f"{number:02}": METRO for number in range(20)}
    reader = MemoryReader(texts, STANDARD)
    for name, one in list(reader.stored.items()):
        body = {"junk": "x" * (HELD_BYTES - 100), "name": name}
        reader.stored[name] = Stored(name, "", body, one.text, one.plan_id, one.fingerprint)
    answer = near_duplicates(METRO, STANDARD, reader, Options(size=12))
    assert [match.document["name"] for match in answer.matches] == sorted(texts)[:12]
    assert len(reader.read) == 2  # the texts, then those of the shown that were let go
    assert len(reader.read[1]) < 12
    bare = near_duplicates(METRO, STANDARD, reader, Options(bodies=False))
    assert [match.document for match in bare.matches] == [{}] * 10
