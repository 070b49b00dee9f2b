"""Keys as arrays are the keys of fingerprints; sketches estimate; quick sentences fold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from indexer.fingerprints import fingerprints_of
from indexer.fingerprints.key_rows import SKETCH, key_numbers, key_rows, terms_of
from indexer.fingerprints.meant_keys import which_are_meant
from indexer.fingerprints.quick_sentences import quick_rows
from indexer.meant.meanings import meanings
from indexer.text import prepare_all
from indexer.text.hashing import Hashes
from indexer.text.ragged import Positions
from mappings.contract import Field
from mappings.plan import STANDARD
from tests.texts import LAW, LIBRARY, METRO, METRO_TRADITIONAL, chinese, pieced, visible

FIELDS = frozenset(
    {Field.SIMHASH_KEYS, Field.MINHASH_KEYS, Field.PASSAGE_KEYS, Field.SENTENCES, Field.LOOSE_KEYS}
)


def sentences(texts: list[str]) -> tuple[Hashes, Positions]:
    return quick_rows(texts, STANDARD).keys[Field.SENTENCES]


DISGUISED = st.sampled_from(["丨".join(METRO[:80]), "<i></i>".join(LIBRARY[:90]), f"\u202e{METRO}"])


@LAW
@given(st.lists(st.one_of(visible, pieced, DISGUISED), min_size=1, max_size=5))
def test_the_numbers_are_those_of_the_fingerprints(texts: list[str]) -> None:
    rows = key_rows(texts, STANDARD, FIELDS, True)
    expected = fingerprints_of(texts, STANDARD)
    hashes = [str(each).split()[0] for each in rows.hashes]  # those of texts in signs go on
    assert hashes == [each.text_hash for each in expected]
    assert rows.lengths.tolist() == [each.length for each in expected]
    assert rows.simhashes.tolist() == [each.simhash for each in expected]
    terms = terms_of(prepare_all(texts, STANDARD), STANDARD, FIELDS)
    other = which_are_meant(expected, STANDARD)
    for row, fingerprint in enumerate(expected):
        is_meant = row in other
        assert not (meanings(texts[row]) and rows.sketched.units[row])
        assert meanings(texts[row]) or not is_meant
        for name in FIELDS:
            listed = fingerprint.keys.get(name, ())
            own = terms[row].get(name, ())
            assert listed[: len(own)] == own
            assert is_meant or own == listed
            if listed:
                keys, owners = rows.keys[name]
                assert keys[owners == row].tolist() == key_numbers(listed).tolist()


def test_a_text_has_one_sketch_in_any_batch() -> None:
    texts = [METRO, LIBRARY, chinese(700, 3), "好"]
    together = key_rows(texts, STANDARD, FIELDS, True).sketched
    for row, text in enumerate(texts):
        alone = key_rows([text], STANDARD, FIELDS, True).sketched
        assert alone.grams[0].tolist() == together.grams[row].tolist()
        assert alone.letters[0].tolist() == together.letters[row].tolist()
        assert (alone.units[0], alone.spaced[0]) == (together.units[row], together.spaced[row])


def test_sketches_estimate_how_similar_texts_are() -> None:
    text = chinese(2_000, 1)
    half = text[:1_000] + chinese(1_000, 2)
    grams = key_rows([text, text, half], STANDARD, FIELDS, True).sketched.grams
    assert np.count_nonzero(grams[0] == grams[1]) == SKETCH
    assert 0.2 < np.count_nonzero(grams[0] == grams[2]) / SKETCH < 0.47


def test_quick_sentences_are_the_same_in_either_script_and_width() -> None:
    simplified = sentences([METRO])[0].tolist()
    traditional, rows = sentences(["", METRO_TRADITIONAL])
    assert traditional.tolist() == simplified
    assert rows.tolist() == [1] * len(simplified)
    assert len(simplified) == STANDARD.sentences.keep
    wide = sentences(["ＡＢＣＤＥＦＧＨＩＪ１２３! x"])[0].tolist()
    assert wide == sentences(["abcdefghij 123？"])[0].tolist()


def test_rare_letters_count_in_quick_sentences_and_emoji_do_not() -> None:
    rare, other = "𠀀𠀁𠀂𠀃𠀄𠀅" * 3, "𠀀𠀁𠀂𠀃𠀄𠀆" * 3
    keys = [sentences([text])[0].tolist() for text in (rare, f"😀{rare}!", other)]
    assert keys[0] == keys[1] != keys[2]
    assert all(map(len, keys))
    ends_like = chr(0x20000 + ord("。"))  # by the lower half of its number
    (whole,) = sentences([f"{ends_like}一二三四五六七八九十"])[0].tolist()
    assert [whole] != sentences(["一二三四五六七八九十"])[0].tolist()
    bold = sentences(["𝐚𝐛𝐜𝐝𝐞𝐟𝐠𝐡𝐢𝐣𝐤𝐥𝐦"])[0].tolist()
    assert bold == sentences(["abcdefghijklm"])[0].tolist() != []


@pytest.mark.parametrize("text", ["", "。", "短。", "!?\n\n"])
def test_short_sentences_make_no_key(text: str) -> None:
    assert sentences([text])[0].tolist() == []


def test_quick_sentences_are_the_longest_ones_of_each_text() -> None:
    long = ["长句" * size for size in range(20, 27)]
    text = "。短。".join(long)
    rows = quick_rows([text, "!".join(long[2:]), "", text[::-1]], STANDARD)
    keys, owners = rows.keys[Field.SENTENCES]
    mine, other = (set(keys[owners == row].tolist()) for row in (0, 1))
    assert mine == other
    assert len(mine) == STANDARD.sentences.keep
    assert np.bincount(owners, minlength=4).tolist() == [5, 5, 0, 5]


def test_a_full_stop_before_a_space_ends_a_quick_sentence_where_no_other_mark_does() -> None:
    first, second = "a sentence that is long enough", "another sentence, longer than that"
    keys, _ = sentences([f"{first}. {second}.", first, second, f"{first}。"])
    assert len(keys) == 5
    assert set(keys[:2].tolist()) == set(keys[2:4].tolist())
    assert keys[4] == keys[2]


@LAW
@given(st.lists(st.text(st.sampled_from("aé的。\n \0\ud83d\ude00😀"), max_size=20), max_size=5))
@example(["\ud83d\ude00😀", "😀\ud83d\ude00", "😀😀"])
@example(["a\0", "a", "\0"])
def test_quick_rows_count_characters_and_bytes(texts: list[str]) -> None:
    rows = quick_rows(texts, STANDARD)
    assert list(rows.sizes) == [len(text.encode("utf-8", "surrogatepass")) for text in texts]
    assert rows.lengths.tolist() == list(map(len, texts))
    same = [[one == other for other in texts] for one in texts]
    assert [[one == other for other in rows.hashes] for one in rows.hashes] == same


@LAW
@given(
    st.lists(st.text(st.sampled_from("abé的是。!. \0\ud83d\ude00😀𠮷"), max_size=60), max_size=5)
)
def test_quick_sentences_do_not_depend_on_the_other_texts(texts: list[str]) -> None:
    keys, rows = sentences(texts)
    for row, text in enumerate(texts):
        assert keys[rows == row].tolist() == sentences([text])[0].tolist()


@pytest.mark.parametrize("mark", ["。", "！", "？", "!", "\n", "."])
def test_a_copy_without_the_last_mark_has_the_same_quick_sentences(mark: str) -> None:
    alphabet = iter("甲乙丙丁戊己庚辛壬癸")
    text = "。".join(next(alphabet) * 12 for _ in range(STANDARD.sentences.keep + 1))
    keys, rows = sentences([f"{text}{mark}", text])
    assert keys[rows == 0].tolist() == keys[rows == 1].tolist()
    assert len(keys) == 2 * STANDARD.sentences.keep
