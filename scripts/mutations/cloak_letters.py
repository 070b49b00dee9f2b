"""Other letters for the same letters: look-alikes, digits, sounds, parts of characters."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

_CYRILLIC: Final = dict(zip("aceopxyijsABEKMHOPCTXS", "асеорхуіјѕАВЕКМНОРСТХЅ", strict=True))
_GREEK: Final = dict(zip("aoviupABEZHIKMNOPTYX", "αονιυρΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", strict=True))
_ALL_CYRILLIC: Final = {
    **dict(zip("abcdehijkmnoprstuwxy", "аьсԁеніјкмпоргѕтцшху", strict=True)),
    **dict(zip("ABCEHIJKMNOPRSTUWXY", "АВСЕНІЈКМИОРЯЅТЦШХУ", strict=True)),
}
_ALL_GREEK: Final = {
    **dict(zip("abdeiknoprtuvwxy", "αβδεικπορΓτυνωχγ", strict=True)),
    **dict(zip("ABEHIKMNOPRTXYZWD", "ΑΒΣΗΙΚΜΝΟΡΓΤΧΥΖΩΔ", strict=True)),
}
_FANCY: Final = {
    **dict(zip("abcdefghijklmnopqrstuvwxyz", "αв¢∂єfgнιנкℓмησρqяѕтυνωχуz", strict=True)),
    **dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "ΛBᄃDΣFGΉIJKᄂMПӨPQЯƧƬЦVЩXΥZ", strict=True)),
}
"""Three more tables: signs of shops in Cyrillic, capitals in Greek, generators of fancy text."""
_SIGNS: Final = dict(zip("aistclyeo", "@!$+(|¥€0", strict=True))
_FEW_SIGNS: Final = dict(zip("ais", "@!$", strict=True))
_DIGITS: Final = dict(zip("aeiostAEIOST", "431057431057", strict=True))
_VOWELS: Final = "aeiou"
_CIRCLED: Final = dict(zip("0123456789", "⓪①②③④⑤⑥⑦⑧⑨", strict=True))

_HAN_ALIKE: Final = (
    "未末 己已 日曰 土士 人入 天夭 干千 大太 木本 刀力 王玉 白自 田由 甲申 免兔 鸟乌 侯候 折拆 "
    "今令 兵乒 治冶 贷货 准淮 晴睛 拔拨 师帅 历厉 间问 住往 微徽 析折 戊戌 孔扎 失矢 牛午 见贝"
)
_PARTS: Final = Path(__file__).with_name("parts.txt")
"""Characters with the two that stand side by side in them: `好女子`."""

_HAN: Final = re.compile("[\u4e00-\u9fff]")


def cyrillic(text: str, _rng: Random) -> str | None:
    """Every Latin letter that a Cyrillic one looks like."""
    return _replaced(text, _CYRILLIC)


def greek(text: str, _rng: Random) -> str | None:
    """Every Latin letter that a Greek one looks like."""
    return _replaced(text, _GREEK)


def digits_for_letters(text: str, _rng: Random) -> str | None:
    """L33t: seven letters become digits, wherever they stand."""
    return _replaced(text, _DIGITS)


def more_cyrillic(text: str, _rng: Random) -> str | None:
    """Cyrillic letters by their looks to readers, small and capital: Я for R, п for n."""
    return _replaced(text, _ALL_CYRILLIC)


def more_greek(text: str, _rng: Random) -> str | None:
    """All in capitals, so far as Greek has them: Η for H, Σ for E."""
    return _replaced(text.upper(), _ALL_GREEK)


def fancy(text: str, _rng: Random) -> str | None:
    """What generators of fancy text write."""
    return _replaced(text, _FANCY)


def signs_for_letters(text: str, _rng: Random) -> str | None:
    """L33t with signs: nine letters, wherever they stand."""
    return _replaced(text, {**_SIGNS, **{each.upper(): sign for each, sign in _SIGNS.items()}})


def few_signs(text: str, _rng: Random) -> str | None:
    """@, ! and $ only, with digits for e and o."""
    return _replaced(text, _FEW_SIGNS | {"e": "3", "o": "0"})


def stretched(text: str, rng: Random) -> str | None:
    """One vowel of every word is written three to five times."""

    def longer(found: re.Match[str]) -> str:
        word = found.group()
        places = [at for at, letter in enumerate(word) if letter in _VOWELS]
        if not places:
            return word
        at = rng.choice(places)
        return word[:at] + word[at] * rng.randint(3, 5) + word[at + 1 :]

    changed = re.sub("[A-Za-z]+", longer, text)
    return None if changed == text else changed


def circled_digits(text: str, _rng: Random) -> str | None:
    """①②③ for 123."""
    return _replaced(text, _CIRCLED)


def look_alike_han(text: str, _rng: Random) -> str | None:
    """未 for 末, and so on, wherever they stand."""
    other: dict[str, str] = {}
    for pair in _HAN_ALIKE.split():
        other |= {pair[0]: pair[1], pair[1]: pair[0]}
    return _replaced(text, other)


def pinyin(text: str, rng: Random, percent: int) -> str | None:
    """Pinyin, as read in the text, for `percent` of the Han characters."""
    whole = [each for run in _runs(text) for each in _read(run)]
    places = [at for at, character in enumerate(text) if _HAN.match(character)]
    if not places:
        return None
    out = list(text)
    for at in rng.sample(places, max(1, round(len(places) * percent / 100))):
        out[at] = whole[at]
    return "".join(out)


def pinyin_with_tones(text: str, rng: Random) -> str | None:
    """The same for a quarter of the Han characters, each with a digit for its tone."""
    spelled = pinyin(text, rng, 25)
    if spelled is None:
        return None
    return re.sub(
        "(?<![A-Za-z])[a-z]{1,6}(?![A-Za-z])",
        lambda found: f"{found[0]}{rng.randint(1, 4)}",
        spelled,
    )


def _runs(text: str) -> list[str]:
    """Stretches of Han characters, and all others one by one."""
    return re.findall("[\u4e00-\u9fff]+|.", text, re.DOTALL)


def _read(run: str) -> list[str]:
    from pypinyin import Style, lazy_pinyin

    if not _HAN.match(run):
        return [run]
    readings = lazy_pinyin(run, style=Style.NORMAL)
    return readings if len(readings) == len(run) else list(run)


def taken_apart(text: str, _rng: Random) -> str | None:
    """女子 for 好: every character of the list."""
    return _replaced(text, _parts())


@cache
def _parts() -> dict[str, str]:
    lines = _PARTS.read_text("utf-8").split()
    return {line[0]: line[1:] for line in lines}


def _replaced(text: str, other: dict[str, str]) -> str | None:
    changed = "".join(other.get(letter, letter) for letter in text)
    return None if changed == text else changed
