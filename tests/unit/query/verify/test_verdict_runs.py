"""Partial copies told by long runs: which rule told, and in which units."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

from mappings.plan import STANDARD
from query.answers import Verdict
from query.grams import Kind, features_all
from query.verify.verdict import SYLLABLES, judge
from tests.texts import chinese, english
from tests.unit.query.verify.possible import could_match
from tests.unit.query.verify.test_verdict import compare
from tests.unit.query.verify.test_verdict_laws import in_runs


def test_a_partial_copy_by_runs_says_so() -> None:
    """`shared` stays the count of long grams, and the units in runs are told apart."""
    excerpt = "".join(chinese(27, at) + chinese(30, at + 50) for at in range(3))
    page = excerpt + chinese(200, 8)
    source = "".join(chinese(27, at) + chinese(150, at + 90) for at in range(3))
    one, other = features_all([page, source], STANDARD)
    found, back = judge(one, other, STANDARD), judge(other, one, STANDARD)
    units = [features.units(spaced=False) for features in (one, other)]
    grams = [{*text.batch.of_row(Kind.LONG, False, text.row).tolist()} for text in (one, other)]
    limits = STANDARD.thresholds
    assert found.verdict is Verdict.PARTIAL
    assert found.by_runs
    assert found.shared == back.shared == len(grams[0] & grams[1])
    assert found.shared < limits.shared or found.shared < limits.partial * min(map(len, grams))
    assert found.runs is not None
    assert back.runs is not None
    assert found.runs.common == back.runs.common == in_runs(*units) >= limits.covered_units
    assert found.share == in_runs(*units) / len(units[0])
    by_grams = compare(chinese(400, 1), chinese(2_000, 2) + chinese(400, 1))
    assert (by_grams.verdict, by_grams.by_runs) == (Verdict.PARTIAL, False)


def test_a_repeated_phrase_is_no_passage() -> None:
    """Whatever its repetitions cover, it is one piece of evidence, and the quick no knows it."""
    phrase = chinese(24, 3)
    page = phrase.join(chinese(60, at) for at in range(9))
    source = phrase.join(chinese(60, at + 50) for at in range(9))
    one, other = features_all([page, source], STANDARD)
    assert judge(one, other, STANDARD).verdict is None
    assert not could_match(one, other, STANDARD)


def test_a_long_passage_is_more_than_a_quotation() -> None:
    """One sentence of 90 syllables, or three of different places: quoted; two in a row: copied."""
    unmarked = ["".join(filter(str.isalnum, chinese(130, at)))[:95] for at in range(4)]
    long, (first, second, third) = unmarked[0], [text[:45] for text in unmarked[1:]]
    around = [chinese(350, at) for at in range(10, 18)]

    def verdict(*parts: str) -> Verdict | None:
        texts = ["。".join((around[at], *parts, around[at + 1])) for at in (0, 2)]
        return compare(texts[0], texts[1]).verdict

    def apart(*parts: str) -> Verdict | None:
        texts = [
            "。".join(
                word for pair in zip(around[at : at + 3], parts, strict=True) for word in pair
            )
            for at in (0, 4)
        ]
        return compare(texts[0], texts[1]).verdict

    assert verdict(long) is None
    assert apart(first, second, third) is None
    assert verdict(first, second) is Verdict.PARTIAL


def test_english_revisions_are_told_by_many_runs() -> None:
    source = english(260, 5).split()
    for step, expected in ((7, Verdict.PARTIAL), (4, None)):
        revised = [word if at % step else f"other{at}" for at, word in enumerate(source)]
        found = compare(" ".join(source), " ".join(revised[:130]) + " " + english(130, 9))
        assert found.verdict is expected
        if expected:
            assert found.by_runs
            assert found.runs is not None
            assert found.runs.pieces >= STANDARD.thresholds.revised_runs


def test_tags_between_letters_are_no_runs() -> None:
    """They are the same few words again and again, whatever stands between them."""

    def tagged(text: str, seed: int) -> str:
        choose, parts = Random(seed), list[str]()
        tags = ("", "<b></b>", *2 * ["<span class='x'></span>"])
        for word in text.split():
            at = choose.randint(1, len(word))
            parts.append(f"{word[:at]}{choose.choice(tags)}{word[at:]}")
        return " ".join(parts)

    texts = [tagged(english(90, seed), seed) for seed in range(6)]
    assert {compare(one, other).verdict for one, other in combinations(texts, 2)} == {None}
    page = f"{texts[0]} {texts[1]} {texts[2]}"
    assert compare(f"{texts[1]} {texts[3]}", page).verdict is Verdict.PARTIAL


def test_a_long_revision_in_short_runs_is_found() -> None:
    """However long a text is, and however many of its words stood in a run before."""
    choose, ranks = Random(3), range(1, 4_001)
    words = choose.choices([f"w{rank}x" for rank in ranks], [1 / rank for rank in ranks], k=24_000)
    source, other = words[:12_000], words[12_000:]
    kept = [source[at : at + 5] + other[at : at + 12] for at in range(0, 12_000, 17)]
    found = compare(" ".join(source), " ".join(word for part in kept for word in part))
    assert found.verdict is Verdict.PARTIAL
    assert found.share > 0.25


def test_one_short_run_says_something() -> None:
    """A long run and a short one make up what a passage needs; the short one alone is too few."""
    words = list(map("".join, product("bdgkp", "aeou", "lmnrst", "aeou", "fkpvz")))
    Random(1).shuffle(words)
    long, short = words[:92], words[92:97]
    one = " ".join((*words[100:250], *long, *words[250:300], *short, *words[300:350]))
    other = " ".join((*words[400:550], *long, *words[550:600], *short, *words[600:650]))
    assert compare(one, other).verdict is Verdict.PARTIAL
    without = other.replace(" ".join(short), "")
    assert compare(one, without).verdict is None


COMMANDS = (
    "sudo add-apt-repository ppa:garden-team/releases && sudo apt-get update\n"
    "sudo apt-get install garden-tools garden-tools-extras garden-themes\n"
    "wget http://downloads.garden.example/releases/garden-tools-2.4.tar.gz\n"
)


def test_commands_in_common_make_no_partial_copy() -> None:
    """A page on the same program has the same commands; with sentences around them it is a copy."""
    one, other = chinese(700, 1), chinese(700, 2)
    pages = [f"{text[:100]}\n{COMMANDS}{text[100:]}" for text in (one, other)]
    found = compare(pages[0], pages[1])
    assert (found.verdict, found.syllables) == (None, 0)
    assert found.shared >= STANDARD.thresholds.shared
    sentence = chinese(SYLLABLES + 8, 5)
    pages = [page.replace("sudo add", f"{sentence}\nsudo add") for page in pages]
    found = compare(pages[0], pages[1])
    assert (found.verdict, found.syllables) == (Verdict.PARTIAL, None)


def test_english_that_makes_much_of_chinese_pages_is_a_partial_copy() -> None:
    quoted = english(40, 3)
    pages = [f"{chinese(140, at)}\n{quoted}\n{chinese(140, at + 9)}" for at in (1, 2)]
    assert not any(text.spaced for text in features_all(pages, STANDARD))
    assert compare(pages[0], pages[1]).verdict is Verdict.PARTIAL


def test_a_full_stop_inside_of_a_name_ends_no_sentence() -> None:
    """One long sentence stays a quotation, whatever names of files are in it."""
    name = "{0}解开*.deb包里的{1}，再看../bin和INC.|那里{2}"
    parts = [chinese(33, at).translate({ord(c): "" for c in "。！？；，"}) for at in (21, 22, 23)]
    quoted = name.format(*parts)
    around = [chinese(480, at) for at in range(10, 14)]
    texts = ["。".join((around[at], quoted, around[at + 1])) for at in (0, 2)]
    found = compare(texts[0], texts[1])
    assert found.runs is not None
    assert found.runs.common >= STANDARD.thresholds.passage_units
    assert (found.verdict, found.runs.sequel) == (None, 1)


def sentences(words: int, count: int, seed: int) -> str:
    """So many sentences of so many words."""
    made = english(words * count, seed).replace(".", "").split()
    return " ".join(" ".join(made[at : at + words]) + "." for at in range(0, len(made), words))


def test_a_short_english_passage_is_more_than_a_quotation() -> None:
    """Four short sentences in a row, or three longer ones; not two, however long, nor as many of
    different places.
    """
    around = [english(110, at) for at in range(10, 18)]

    def verdict(*parts: str, apart: bool = False) -> Verdict | None:
        texts = []
        for at in (0, 4):
            between = around[at + 1 : at + 4] if apart else [""] * 3
            mixed = [word for pair in zip(parts, between, strict=False) for word in pair]
            texts.append(" ".join((around[at], *mixed, *around[at + 1 : at + 4])))
        return compare(texts[0], texts[1]).verdict

    assert verdict(sentences(19, 4, 1)) is Verdict.PARTIAL
    assert verdict(sentences(26, 3, 2)) is Verdict.PARTIAL
    assert verdict(sentences(18, 3, 2)) is None
    assert verdict(sentences(36, 2, 3)) is None
    assert verdict(*(sentences(20, 1, at) for at in (4, 5, 6)), apart=True) is None


def test_three_english_sentences_are_a_passage_of_a_short_page() -> None:
    """Where they stand in one run, and are a quarter of it: not in a page twice as long."""

    def verdict(sizes: tuple[int, int], *parts: str) -> Verdict | None:
        texts = [
            " ".join((english(size // 2, at), *parts, english(size // 2, at + 1)))
            for size, at in zip(sizes, (10, 12), strict=True)
        ]
        return compare(texts[0], texts[1]).verdict

    assert verdict((110, 130), sentences(15, 3, 2)) is Verdict.PARTIAL
    assert verdict((142, 160), sentences(15, 3, 2)) is None
    assert verdict((110, 130), sentences(22, 2, 2)) is None
    assert verdict((110, 130), sentences(12, 3, 2)) is None


def test_sentences_too_short_to_count_take_no_copy_away() -> None:
    """A list of short lines in common is a partial copy by its share, whatever follows what."""
    lines = "。".join(chinese(9, at) for at in range(12))
    texts = [f"{lines}。{chinese(330, at)}" for at in (50, 60)]
    changed = "".join("改" if at % 33 == 32 else each for at, each in enumerate(texts[1]))
    found = compare(texts[0], changed)
    assert found.verdict is Verdict.PARTIAL


def test_an_edit_does_not_part_a_passage() -> None:
    """Two sentences that follow each other are a passage, whatever was changed between them."""
    first, second = ("".join(filter(str.isalnum, chinese(90, at)))[:45] for at in (1, 2))
    around = [chinese(350, at) for at in range(10, 14)]

    def verdict(stored: str) -> Verdict | None:
        text = f"{around[0]}。{first}。{second}。{around[1]}"
        return compare(text, f"{around[2]}。{stored}。{around[3]}").verdict

    assert verdict(f"{first}。{second}") is Verdict.PARTIAL
    assert verdict(f"{first[:22]}改{first[23:]}。改{second[1:]}") is Verdict.PARTIAL
    assert verdict(f"{first}。{chinese(40, 7)}。{second}") is None
