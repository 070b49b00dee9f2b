"""Every disguise, in one table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from scripts.mutations import cloak_layout, cloak_letters
from scripts.mutations.mutation import Mutation

CHINESE: Final = "zh"
ENGLISH: Final = "en"
_BOTH: Final = (CHINESE, ENGLISH)


@dataclass(frozen=True, slots=True)
class Disguise:
    """How a text is disguised, and texts of which languages are. `adds`: it brings words of its
    own, which all texts so disguised have in common.
    """

    name: str
    make: Mutation
    languages: tuple[str, ...] = _BOTH
    adds: bool = False


_SWAPPED: Final = {
    f"swapped neighbours {p} %": partial(cloak_layout.swapped, percent=p) for p in (10, 20)
}
_PINYIN: Final = {f"pinyin {p} %": partial(cloak_letters.pinyin, percent=p) for p in (10, 25)}

DISGUISES: Final = (
    Disguise("emoji between", cloak_layout.emoji_between),
    Disguise("keycaps between", cloak_layout.keycaps_between),
    Disguise("flags between", cloak_layout.flags_between),
    Disguise("zero width between", cloak_layout.invisible_between),
    Disguise("marks between", cloak_layout.marks_between),
    Disguise("strokes between", cloak_layout.strokes_between),
    Disguise("vertical", cloak_layout.vertical, (CHINESE,)),
    Disguise("circled digits", cloak_letters.circled_digits),
    Disguise("look-alike Han", cloak_letters.look_alike_han, (CHINESE,)),
    Disguise("without spaces", cloak_layout.without_spaces, (ENGLISH,)),
    Disguise("Cyrillic look-alikes", cloak_letters.cyrillic, (ENGLISH,)),
    Disguise("Greek look-alikes", cloak_letters.greek, (ENGLISH,)),
    Disguise("Cyrillic by looks", cloak_letters.more_cyrillic, (ENGLISH,)),
    Disguise("Greek capitals", cloak_letters.more_greek, (ENGLISH,)),
    Disguise("fancy letters", cloak_letters.fancy, (ENGLISH,)),
    Disguise("digits for letters", cloak_letters.digits_for_letters, (ENGLISH,)),
    Disguise("signs for letters", cloak_letters.signs_for_letters, (ENGLISH,)),
    Disguise("signs for few letters", cloak_letters.few_signs, (ENGLISH,)),
    Disguise("stretched vowels", cloak_letters.stretched, (ENGLISH,)),
    Disguise("spaced letters", cloak_layout.spaced_letters, (ENGLISH,)),
    Disguise("stray letters", cloak_layout.stray_letters, (CHINESE,)),
    *(Disguise(name, make, (CHINESE,)) for name, make in _PINYIN.items()),
    Disguise("pinyin 25 % with tones", cloak_letters.pinyin_with_tones, (CHINESE,)),
    Disguise("taken apart", cloak_letters.taken_apart, (CHINESE,)),
    *(Disguise(name, make) for name, make in _SWAPPED.items()),
    Disguise("masked 15 %", partial(cloak_layout.masked, percent=15)),
    Disguise("masked 15 % by x", partial(cloak_layout.masked_by_letter, percent=15)),
    Disguise("dropped 10 %", partial(cloak_layout.dropped, percent=10)),
    Disguise("spam around", cloak_layout.with_spam, adds=True),
    Disguise("columns", cloak_layout.columns, (CHINESE,)),
    Disguise("HTML references", cloak_layout.references),
    Disguise("HTML tags", cloak_layout.tags_between),
    Disguise("turned by override", cloak_layout.turned_by_override),
    Disguise("backwards", cloak_layout.backwards),
)
