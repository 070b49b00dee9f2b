"""Disguises by name: in lookups, in comparisons, and never of plain texts."""

from __future__ import annotations

import pytest

from indexer.meant.meant import Disguise
from mappings.plan import STANDARD
from query.answers import Verdict
from query.pair import Comparison, PairJudge
from tests.texts import LIBRARY, METRO, METRO_TRADITIONAL, ORCHARD, TEA

CHINESE = "今天天气很好，我们的朋友说好一起去湖边的公园，看他们种的树。"
SPELT = CHINESE.replace("天气", "tianqi").replace("公园", "gongyuan")
ENGLISH = "So we had a very good time at the old beach, and nobody wanted to leave before dinner."


def compared(left: str, right: str) -> Comparison:
    judge = PairJudge(STANDARD)
    return judge.comparison(*judge.read([left, right]))


@pytest.mark.parametrize(
    ("plain", "disguised", "names"),
    [
        (CHINESE, SPELT, ["pinyin"]),
        (CHINESE, CHINESE.replace("的", "x的").replace("好", "好z"), ["stray letters"]),
        (CHINESE, CHINESE.replace("好", "女子").replace("的", "白勺"), ["taken apart"]),
        (ENGLISH, ENGLISH.replace("e", "3").replace("o", "0"), ["digits for letters"]),
        (ENGLISH, ENGLISH.replace("e", "е").replace("o", "о"), ["look-alikes"]),
        (ENGLISH, ENGLISH.replace("a", "aaaa"), ["stretched"]),
        (
            ENGLISH,
            ENGLISH.replace("good", "g00d").replace("old", "0ld").replace("a", "аааа"),
            ["look-alikes", "digits for letters", "stretched"],
        ),
        (ENGLISH, ENGLISH.replace("nobody wanted", "n o b o d y w a n t e d"), ["spaced letters"]),
    ],
)
def test_a_disguise_is_named(plain: str, disguised: str, names: list[str]) -> None:
    for found in (compared(plain, disguised), compared(disguised, plain)):
        assert found.verdict is Verdict.NEAR or "spaced letters" in names
        assert list(found.disguise) == names


@pytest.mark.parametrize(
    ("mark", "name"),
    [
        ("*", Disguise.BETWEEN),
        ("😀", Disguise.BETWEEN),
        ("\u200b", Disguise.BETWEEN),
        ("\n", Disguise.VERTICAL),
        (" ", Disguise.SPACED),
    ],
)
def test_what_is_strewn_in_is_named_of_equal_texts_too(mark: str, name: Disguise) -> None:
    found = compared(CHINESE, mark.join(CHINESE))
    assert (found.verdict, found.disguise) == (Verdict.EXACT, (name,))


@pytest.mark.parametrize("text", [CHINESE, ENGLISH])
def test_letters_that_are_struck_through(text: str) -> None:
    found = compared(text, "".join(f"{letter}\u0336" for letter in text))
    assert (found.verdict, found.disguise) == (Verdict.NEAR, (Disguise.BETWEEN,))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (METRO, METRO_TRADITIONAL),
        (ENGLISH, ENGLISH.replace(" ", "")),
        (ENGLISH, ENGLISH.upper()),
        (CHINESE, CHINESE[:-6]),
        (LIBRARY, LIBRARY.replace("the", "a")),
        (LIBRARY, LIBRARY),
        (CHINESE * 4, CHINESE * 4 + "更多消息请看B站。"),
        ("AI芯片的研发工作已经持续三年了。", "AR芯片的研发工作已经持续三年了。"),
        (f"{CHINESE}全长12公里。", f"{CHINESE}全长12km。"),
        ("They lived in the 1990s in a small town.", "They lived in the nineties in a small town."),
        (f"{CHINESE}他们带着手机。", f"{CHINESE}他们带着iPhone15。"),
    ],
)
def test_plain_texts_are_not_disguised(left: str, right: str) -> None:
    found = compared(left, right)
    assert found.verdict is not None and found.disguise == ()


def test_what_is_no_copy_has_no_disguise() -> None:
    assert compared(TEA, ORCHARD.replace("e", "3")).disguise == ()


def test_an_unrelated_text_of_spaced_letters_is_no_copy() -> None:
    assert compared(" ".join(LIBRARY), " ".join(ORCHARD)).verdict is None
    assert compared("  ".join(LIBRARY), "😀".join(ORCHARD)).verdict is None


VIETNAMESE = (
    "Hôm nay trời nắng đẹp ở Hà Nội, nhiều người dân đi dạo quanh hồ Gươm và chụp ảnh lưu niệm "
    "cùng gia đình trong ngày nghỉ cuối tuần."
)
RUSSIAN = (
    "Сегодня утром в городе открылась новая библиотека, и первые читатели пришли задолго до "
    "открытия, чтобы занять места у окна."
)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        (VIETNAMESE, VIETNAMESE.replace("nắng đẹp", "mưa lớn").replace("gia đình", "bạn bè")),
        (VIETNAMESE, f"{VIETNAMESE} Nhiệt độ tăng dần vào những ngày tới."),
        (RUSSIAN, RUSSIAN.replace("новая", "большая")),
        (RUSSIAN, f"{RUSSIAN} Вход в неё свободный."),
    ],
)
def test_the_letters_of_a_language_are_no_disguise(text: str, other: str) -> None:
    assert compared(text, other).disguise == compared(other, text).disguise == ()


def test_marks_that_one_text_has_alone_are_a_disguise() -> None:
    disguised = ENGLISH.replace("e", "е").replace("o", "о")
    assert compared(f"{ENGLISH} Café.", f"{disguised} Café.").disguise == (Disguise.LOOK_ALIKES,)


def test_acronyms_beside_a_disguise_take_nothing_from_it() -> None:
    """Those that were read as no syllables are none of its places."""
    plain, disguised = (f"{text} US TV IT UK EU UN DC" for text in (CHINESE, SPELT))
    assert compared(plain, disguised).disguise == (Disguise.PINYIN,)
