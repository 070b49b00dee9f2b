"""The mutation generator: what it writes is consistent, and each kind does what it says."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from dupdex.evaluation.corpus import Corpus
from indexer.text.table import load
from mappings.errors import InputRefused
from mappings.plan import STANDARD
from scripts import mutate
from scripts.mutations import kinds, layout, noise, word_edits
from scripts.mutations.generate import generate
from scripts.mutations.hard import TEMPLATES, swapped_facts
from scripts.mutations.mutation import Source, jac5, letters_of

HAN = (
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能"
    "下过子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加"
    "量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与"
    "关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系军很情者"
    "最立代想已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少"
    "图山统接知较将组见计别她手角期根论运农指几九区强放决西被干做必战先回则任取据处队南给色光"
    "门即保治北造百规热领七海口东导器压志世金增争济阶油思术极交受联什认六共权收证改清己美再采"
    "转更单风切打白教速花带安场身车例真务具万每目至达走积示议声报斗完类八离华名确才科张信马节"
    "话米整空元况今集温传土许步群广石记需段研界拉林律叫且究观越织装影算低持音众书布复容儿须际"
    "商非验连断深难近矿千周委素技备半办青省列习响约支般史感劳便团往酸历市克何除消构府称太准精"
)


def text_of(number: int, sentences: int = 12) -> str:
    """A text of random common characters with facts and synonyms in it."""
    rng = Random(f"text {number}")
    out = []
    for at in range(sentences):
        size = rng.randint(18, 40)
        out.append("".join(rng.choice(HAN) for _ in range(size)) + f"因为{2000 + at}年，北京举办。")
    return "".join(out)


SOURCES = [Source(f"s{n}", text_of(n)) for n in range(12)]
TEXT = SOURCES[0].text


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("mutate")
    rows = (json.dumps({"id": each.id, "text": each.text, "n": 1}) for each in SOURCES)
    (place / "texts.jsonl").write_text("\n".join(rows), "utf-8")
    assert mutate.main([str(place / "texts.jsonl"), str(place / "out"), "--per-kind", "4"]) == 0
    return place


def test_the_files_are_what_evaluate_reads(folder: Path) -> None:
    corpus = Corpus.read(folder / "out")
    labels = {(row.kind, row.label.value) for row in corpus.truth.listed}
    partial = {("partial_base", "2"), ("partial_donor", "2")}
    negative = {(kind, "0") for kind in (*TEMPLATES, kinds.FACTS, kinds.SHORT_NEGATIVES)}
    assert labels == {(kind, "1") for kind in (*kinds.MUTATIONS, kinds.SHORT)} | partial | negative
    strengths = {(row.kind, row.strength) for row in corpus.truth.listed}
    for kind, mutations in kinds.MUTATIONS.items():
        assert {(kind, strength) for strength in mutations} <= strengths
    assert len(corpus.truth.facts) == 4


def test_jac5_is_that_of_the_texts_written(folder: Path) -> None:
    lines = (folder / "out" / "corpus.jsonl").read_text("utf-8").splitlines()
    texts = {row["id"]: row["text"] for row in map(json.loads, lines)}
    header, *rows = (folder / "out" / "truth.tsv").read_text("utf-8").splitlines()
    assert header == mutate.HEADER
    for left, right, *_, told in (row.split("\t") for row in rows):
        assert f"{jac5(texts[left], texts[right]):.4f}" == told


def test_jac5_by_hand() -> None:
    assert jac5("甲乙丙丁戊己", "甲乙，丙丁戊") == 0.5  # one of two grams
    assert jac5("Ａ b c d e", "abcde") == 1.0
    assert jac5("甲乙丙丁戊", "己庚辛壬癸") == 0.0


def test_the_same_seed_makes_the_same_and_another_does_not(folder: Path) -> None:
    for seed, name in (("1", "again"), ("2", "other")):
        arguments = [str(folder / "texts.jsonl"), str(folder / name), "--per-kind", "4"]
        assert mutate.main([*arguments, "--seed", seed]) == 0
    for file in ("corpus.jsonl", "truth.tsv"):
        first, again, other = (
            (folder / name / file).read_bytes() for name in ("out", "again", "other")
        )
        assert first == again
        assert first != other


def test_a_mutant_is_the_same_whatever_else_is_made() -> None:
    alone = generate(SOURCES, 1, ["edit_every_n"], 4)
    beside = generate(SOURCES, 1, ["exact", "edit_every_n", *TEMPLATES], 4)
    texts = {row.id: row.text for row in beside.rows}
    assert [row for row in alone.rows if row.role == "mutant"]
    assert all(texts[row.id] == row.text for row in alone.rows)


def test_a_text_that_short_ones_are_cut_from_is_left_out() -> None:
    made = generate(SOURCES, 1, ["exact", kinds.SHORT], 100)
    roles = Counter(row.role for row in made.rows)
    assert roles == {"base": 6, "short": 6, "mutant": 6 + 6 * 9}
    whole = {row.text for row in made.rows if row.role == "base"}
    short = [row.text for row in made.rows if row.role == "short"]
    assert all(20 <= len(letters_of(text)) <= 300 for text in short)
    assert not any(text in other for text in short for other in whole)
    negatives = [link for link in made.links if link.kind == kinds.SHORT_NEGATIVES]
    assert len(negatives) == 6 * 5
    assert all(link.left != link.right for link in negatives)


@pytest.mark.parametrize("percent", [2, 5, 10])
def test_short_edits_are_of_one_sort_and_as_many_as_asked(percent: int) -> None:
    text = "".join(HAN[n] for n in range(200))
    substituted = noise.edits_of_one_sort(text, Random(1), "s", percent)
    assert substituted is not None
    wrong = sum(a != b for a, b in zip(text, substituted, strict=True))
    assert wrong == 2 * percent
    inserted = noise.edits_of_one_sort(text, Random(1), "i", percent)
    deleted = noise.edits_of_one_sort(text, Random(1), "d", percent)
    assert (len(inserted or ""), len(deleted or "")) == (200 + 2 * percent, 200 - 2 * percent)


def test_spaces_and_marks_leave_letters_and_digits() -> None:
    for rate in (0.3, 1.0):
        changed = noise.spaces_and_marks(TEXT, Random(1), rate)
        assert changed != TEXT
        assert letters_of(changed) == letters_of(TEXT)


def test_script_changes_and_is_none_where_there_is_nothing_to_change() -> None:
    assert word_edits.traditional("软件里的汉语", Random(1), "s2t") == "軟件裏的漢語"
    assert word_edits.traditional("软件", Random(1), "s2twp") == "軟體"
    assert word_edits.traditional("plain", Random(1), "s2t") is None


def test_homophones_sound_the_same_and_are_as_many_as_asked() -> None:
    syllable = load(STANDARD.table, STANDARD.steps).syllable
    changed = word_edits.homophones(TEXT, Random(1), 20)
    assert changed is not None
    differing = [(a, b) for a, b in zip(TEXT, changed, strict=True) if a != b]
    han = sum("\u4e00" <= each <= "\u9fff" for each in TEXT)
    assert 0.15 * han < len(differing) <= 0.2 * han + 1
    assert all(syllable[ord(a)] == syllable[ord(b)] for a, b in differing)


def test_synonyms() -> None:
    assert word_edits.synonyms("因为下雨", Random(1), 1.0) == "由于下雨"
    assert word_edits.synonyms("下雨", Random(1), 1.0) is None
    assert word_edits.synonyms("a bigger big dog", Random(1), 1.0) == "a bigger large dog"


@pytest.mark.parametrize("every", [10, 50, 200])
def test_edits_come_once_in_so_many(every: int) -> None:
    changed = noise.edits(TEXT, Random(1), every)
    assert changed is not None and changed != TEXT
    assert abs(len(changed) - len(TEXT)) <= len(TEXT) / every + 1


def test_reordered_sentences_are_the_same_sentences() -> None:
    assert "".join(layout.sentences_of(TEXT)) == TEXT
    for share, most in ((0.3, 4), (1, 12)):
        changed = layout.reordered(TEXT, Random(1), share)
        assert changed is not None
        before, after = layout.sentences_of(TEXT), layout.sentences_of(changed)
        assert sorted(before) == sorted(after)
        assert 2 <= sum(a != b for a, b in zip(before, after, strict=True)) <= most
    assert layout.reordered("一句。两句。", Random(1), 1) is None


def test_cuts_keep_the_right_end() -> None:
    assert layout.without_tail("0123456789", Random(1), 0.7) == "0123456"
    assert layout.without_head("0123456789", Random(1), 0.7) == "3456789"


def test_furniture_stands_where_it_says() -> None:
    assert layout.furnished(TEXT, Random(1), "head").endswith(TEXT)
    assert layout.furnished(TEXT, Random(1), "foot").startswith(TEXT)
    both = layout.furnished(TEXT, Random(1), "both")
    assert TEXT in both and not both.startswith(TEXT) and not both.endswith(TEXT)
    ads = layout.furnished(TEXT, Random(1), "ads")
    assert TEXT not in ads
    assert all(sentence in ads for sentence in layout.sentences_of(TEXT))


def test_a_repost_is_cut_and_furnished() -> None:
    reposted = letters_of(layout.reposted(TEXT, Random(1)))
    assert letters_of(TEXT)[: len(letters_of(TEXT)) // 2] in reposted
    assert letters_of(TEXT)[-20:] not in reposted


def test_lost_encodings() -> None:
    assert noise.gb2312("漢字abc", Random(1)) == "?字abc"
    assert kinds.MUTATIONS["gb2312_replace"]["trad"]("汉字", Random(1)) == "?字"
    lost = noise.gbk_byte_loss(TEXT, Random(1), 200)
    assert lost is not None and len(TEXT.encode("gbk")) > len(lost.encode("gbk", "replace")) - 20
    assert lost != TEXT
    damaged = noise.utf8_byte_damage(TEXT, Random(1), 60)
    assert damaged is not None and 0.2 < jac5(TEXT, damaged) < 0.95


@pytest.mark.parametrize("share", kinds.SHARES)
def test_a_text_of_two_has_the_share_it_says(share: float) -> None:
    donor = "".join(chr(0x5F00 + n) + "。" * (n % 30 == 29) for n in range(500))
    made = layout.joined(TEXT, donor, Random(1), share)
    assert made is not None
    text, told = made
    assert told == pytest.approx(share, abs=0.02)
    mine = {TEXT[at : at + 6] for at in range(len(TEXT))}
    covered = sum(text[at : at + 6] in mine for at in range(len(text))) / len(text)
    assert covered == pytest.approx(told, abs=0.05)


def test_swapped_facts_are_counted_and_nothing_else_changes() -> None:
    made = swapped_facts("1985年在北京，三人，共27岁。", Random(1))
    assert made is not None
    text, count = made
    assert 3 <= count <= 4
    assert len(text) == len("1985年在北京，三人，共27岁。")
    assert text.replace("，", "")[4] == "年"
    assert swapped_facts("没有什么。", Random(1)) is None


@pytest.mark.parametrize("kind", TEMPLATES)
def test_a_form_filled_in_anew_shares_its_words_only(kind: str) -> None:
    made = generate(SOURCES, 1, [kind], 10)
    assert len(made.links) == 19
    assert all(0.03 < jac5(link.left.text, link.right.text) < 0.6 for link in made.links)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", r"texts\.jsonl:1: not valid JSON"),
        ('{"id": "a\\tb", "text": "x"}', r"texts\.jsonl:1: write an object"),
        ('{"id": "a"}', r"texts\.jsonl:1: write an object"),
        ('{"id": "a", "text": ""}\n{"id": "a", "text": ""}', r"texts\.jsonl:2: id 'a'"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "texts.jsonl").write_text(line, "utf-8")
    with pytest.raises(InputRefused, match=message):
        list(mutate.read(tmp_path / "texts.jsonl"))


def test_what_cannot_be_done_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "t").write_text('{"id": "a", "text": "short"}', "utf-8")
    out = str(tmp_path / "out")
    assert mutate.main([str(tmp_path / "t"), out]) == 2
    assert mutate.main([str(tmp_path / "none"), out]) == 2
    assert mutate.main([str(tmp_path / "t"), out, "--kinds", "exact,nonsense"]) == 2
    first, second, third = capsys.readouterr().err.splitlines()
    assert "fewer than two texts" in first
    assert "cannot be read" in second
    assert "no kind 'nonsense'" in third
