"""Make the code-point table that text preparation reads: run once per table version.

    python -m scripts.make_tables --version 1

It needs OpenCC (traditional to simplified), pypinyin (readings) and Python's own Unicode data.
The result, `indexer/text/data/table-<version>.npz`, is committed; at run time nothing is asked
of those packages again, so an upgrade of them cannot change a stored value.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import sys
import unicodedata
import zipfile
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path

import numpy as np
import numpy.typing as npt

from indexer.text.table import LIMIT, Kind

HERE = Path(__file__).resolve().parent.parent / "indexer" / "text" / "data"

PUNCTUATION = {
    '"': "“”„‟«»「」『』〝〞〟",
    "'": "‘’‚‛`´′‵",
    "-": "‐‑‒–—―−﹘﹣ー─━",
    ",": "、﹑，",
    ".": "·•‧・．",
    "~": "〜～∼",
    "(": "〔【〖〈《［｛[{<",
    ")": "〕】〗〉》］｝]}>",
}
"""Marks that mean the same, reduced to one. The full stop 。 stays: it ends a sentence."""

NO_SPACE_SCRIPTS = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x2FDF),  # radicals
    (0x3005, 0x3007),
    (0x3021, 0x3029),
    (0x3031, 0x3035),
    (0x3040, 0x30FF),  # kana
    (0x3100, 0x312F),  # bopomofo
    (0x31A0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x1B000, 0x1B16F),
    (0x20000, 0x3FFFF),  # all of planes 2 and 3, also what Unicode has yet to assign
)
"""Scripts written without spaces: each character is a unit of its own."""

Sparse = dict[int, tuple[int, ...]]


@cache
def characters() -> list[tuple[int, str]]:
    """The assigned characters; no step changes any other."""
    every = ((code, chr(code)) for code in range(LIMIT) if not 0xD800 <= code < 0xE000)
    return [(code, it) for code, it in every if unicodedata.category(it) not in ("Cn", "Co")]


def sparse(change: Callable[[str], str]) -> Sparse:
    """The code points that `change` alters, with what they become."""
    out: Sparse = {}
    for code, character in characters():
        result = change(character)
        if result != character:
            out[code] = tuple(map(ord, result))
    return out


def folded(character: str) -> str:
    """Case folded; what NFKC would alter anyway is left to the step of that name."""
    plain = character.casefold()
    if unicodedata.normalize("NFKC", character) != character:
        return plain
    return unicodedata.normalize("NFKC", plain)


def simplified() -> Sparse:
    """OpenCC character by character: Taiwan and Hong Kong forms first, then the general table."""
    from opencc import OpenCC

    codes = [code for code in range(LIMIT) if unit_kind(code) is Kind.UNIT]
    now = list(map(chr, codes))
    for name in ("tw2s", "hk2s", "t2s"):  # a line each, as a call each takes most of the time
        changed = OpenCC(name).convert("\n".join(now)).split("\n")
        now = [new if len(new) == 1 else old for old, new in zip(now, changed, strict=True)]
    out: Sparse = {
        code: (ord(form),) for code, form in zip(codes, now, strict=True) if ord(form) != code
    }
    # 麼 becomes 么, so 么 itself has to stay, though OpenCC alone would make it 幺
    forms = {form for (form,) in out.values()}
    return {code: form for code, form in out.items() if code not in forms}


def unit_kind(code: int) -> Kind:
    """What a code point is to the feature streams."""
    category = unicodedata.category(chr(code))
    if category == "Cn":
        return Kind.UNIT if 0x20000 <= code <= 0x3FFFF else Kind.OTHER
    if category[0] not in "NLM":
        return Kind.OTHER
    inside = any(low <= code <= high for low, high in NO_SPACE_SCRIPTS)
    if category[0] == "N":
        return Kind.UNIT if inside else Kind.DIGIT
    return Kind.UNIT if inside else Kind.LETTER


def spaces() -> Sparse:
    """White space becomes a space or, where it ends a line, a line feed."""
    ends = {0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029}
    return {
        code: (0x0A,) if code in ends else (0x20,)
        for code, character in characters()
        if character.isspace() and character not in "\x1c\x1d\x1e\x1f"
    }


def invisible() -> list[int]:
    """Control, format and other characters that show nothing; surrogates without a partner."""
    kept = set(spaces())
    listed = [
        code
        for code, character in characters()
        if unicodedata.category(character) in ("Cc", "Cf") and code not in kept
    ]
    fillers = [0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0xFFFD]
    selectors = [*range(0xFE00, 0xFE10), *range(0x180B, 0x1810), *range(0xE0000, 0xE1000)]
    return sorted({*listed, *fillers, *selectors, *range(0xD800, 0xE000)})


def composing() -> list[int]:
    """Code points whose NFKC may join what stands before them: the slow path looks at these."""
    out = []
    for code, character in characters():
        first = unicodedata.normalize("NFKC", character)[0]
        if (
            unicodedata.combining(first)
            or 0x1161 <= ord(first) <= 0x1175
            or 0x11A8 <= ord(first) <= 0x11C2
            or ord(first) in _composition_seconds()
        ):
            out.append(code)
    return out


_SECONDS: set[int] = set()


def _composition_seconds() -> set[int]:
    if not _SECONDS:
        for _, character in characters():
            parts = unicodedata.decomposition(character).split()
            if len(parts) == 2 and not parts[0].startswith("<"):
                _SECONDS.add(int(parts[1], 16))
    return _SECONDS


def readings() -> tuple[list[str], dict[int, int]]:
    """Syllables without tone, and the most usual one of each character."""
    from pypinyin import Style, pinyin_dict
    from pypinyin.style import convert

    table = pinyin_dict.pinyin_dict
    usual = {
        code: convert(reading.split(",")[0], Style.NORMAL, strict=False).replace("ü", "v")
        for code, reading in table.items()
    }
    usual[ord("校")] = "xiao"  # 学校 is far more usual than 校对
    names = sorted({name for name in usual.values() if name})
    number = {name: i for i, name in enumerate(names)}
    return names, {code: number[name] for code, name in usual.items() if name}


def packed(table: Sparse) -> dict[str, npt.NDArray[np.uint32]]:
    """A sparse table as three arrays: code points, lengths, targets in a row."""
    codes = sorted(table)
    return {
        "codes": np.array(codes, np.uint32),
        "sizes": np.array([len(table[code]) for code in codes], np.uint32),
        "targets": np.array([t for code in codes for t in table[code]], np.uint32),
    }


def build(table_version: str) -> dict[str, npt.NDArray[np.generic]]:
    punctuation: Sparse = {ord(m): (ord(one),) for one, marks in PUNCTUATION.items() for m in marks}
    steps: dict[str, Sparse] = {
        "nfkc": sparse(lambda c: unicodedata.normalize("NFKC", c)),
        "casefold": sparse(folded),
        "simplified": simplified(),
        "space": spaces(),
        "punctuation": punctuation,
        "invisible": dict.fromkeys(invisible(), ()),
    }
    arrays: dict[str, npt.NDArray[np.generic]] = {
        f"{name}_{part}": array
        for name, table in steps.items()
        for part, array in packed(table).items()
    }
    names, syllables = readings()
    codes = np.array(sorted(syllables), np.uint32)
    arrays |= {
        "kind": np.array([unit_kind(code) for code in range(LIMIT)], np.uint8),
        "composing": np.array(composing(), np.uint32),
        "assigned": np.packbits([unicodedata.category(chr(code)) != "Cn" for code in range(LIMIT)]),
        "syllable_codes": codes,
        "syllable_ids": np.array([syllables[int(code)] for code in codes], np.uint32),
        "syllable_names": np.array(names),
        "sources": np.array(
            [
                f"table {table_version}",
                f"Unicode {unicodedata.unidata_version}",
                f"OpenCC {version('OpenCC')}",
                f"pypinyin {version('pypinyin')}",
            ]
        ),
    }
    return arrays


def write(path: Path, arrays: dict[str, npt.NDArray[np.generic]]) -> None:
    """A compressed npz whose bytes depend on the arrays alone (no time stamps)."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(arrays):
            buffer = io.BytesIO()
            np.save(buffer, arrays[name], allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), buffer.getvalue(), 8)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--version", required=True, help="table version, named in every plan")
    parser.add_argument("--out", type=Path, default=HERE)
    options = parser.parse_args()
    path = options.out / f"table-{options.version}.npz"
    arrays = build(options.version)
    write(path, arrays)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    print(f"{path}: {path.stat().st_size} bytes, sha256 {digest}")
    print(", ".join(map(str, arrays["sources"])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
