"""Names by their capital letters, in scripts that have such letters.

A name is a run of words with a capital letter (iOS has one, too), of initials, and of the small
words that names have inside or before them: Jean van der Berg, University of Kent, Acorn & Co. Two
lists of names are compared name by name.
"""

from __future__ import annotations

import re
from typing import Final, Protocol

from rapidfuzz.distance import OSA

from query.facts.classes import of_one_latin_class
from query.facts.sides import Side, Sides

_CASED: Final = r"[^\W\d_\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
_TOKEN: Final = re.compile(rf"{_CASED}+(?:['-]{_CASED}+)*|[^\w\s]")
_LETTER: Final = re.compile(rf"{_CASED}|['-](?={_CASED})")
_UNCASED: Final = re.compile(r"[\d_\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_WITHOUT_CASE: Final = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_INSIDE: Final = re.compile(rf"(?<=[^\W\d_] |[,;] ){_CASED}+", re.ASCII)
"""A word behind another one in its sentence."""

_SENTENCE: Final = re.compile(r"(?:^|[.!?:。\n]|[.!?]['\")]+)[\s\"'(]*$")
_SHORTENED: Final = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|gen|sen|gov|rep|rev|hon|capt|col|lt|sgt|maj|pres)|(?<![^\s\"'(])[b-hj-z])"
    r"\.\s*$"
)
"""What has a full stop after it and a name behind that, as initials have; not p.m. and U.S."""

_PARTICLES: Final = frozenset(
    re.findall(
        r"\w+",
        "de la del della von van der den dem di da dos das du le las los bin ibn al el zu",
    )
)
"""What a family name may begin with."""

_LINKS: Final = _PARTICLES | frozenset(("of", "the", "&", "for", "für", "des", "y", "plc"))
"""What may stand inside a name."""

_BETWEEN: Final = frozenset(
    re.findall(
        r"\w+",
        "and or with und oder mit et ou avec e con o to by in at from for of the a an as plc",
    )
) | frozenset(",;()&:'\"/.-")
"""What two lists of names may have between them."""

_SAID: Final = frozenset(
    re.findall(
        r"\w+",
        "hello hi hey yo hallo hola bonjour ciao dear bye goodbye thanks thank thx tks please pls "
        "sorry ok okay yes yeah yep no nope wow oh ah haha omg lol btw fyi ps welcome congrats",
    )
)
"""What is said to somebody and is no name, however it is written."""

_ORDINARY: Final = frozenset(
    re.findall(
        r"\w+",
        "he she it we you they who what that this these those there here where when how why let "
        "one some others another everyone everybody someone somebody anyone anybody nobody "
        "nothing police people management staff parliament government court press media navy "
        "army troops president governor mayor king queen prince princess bishop pope chairman "
        "chairwoman mother father mom dad mum man men woman women children today yesterday "
        "tomorrow tonight however meanwhile still also but and so then later earlier now all "
        "most many much more few several none part half any each both either neither because "
        "instead only even out inside outside ahead west east north south",
    )
)
"""Words that begin a sentence without an article and are no names, but for those in the plural."""

_SPEAKS: Final = frozenset(
    re.findall(
        r"\w+",
        "said says told tells announced announces denied declined confirmed agreed warned unveiled "
        "acquired recalled recalls plans hired sued fired launched reported vowed urged",
    )
)
"""What persons and companies do, and things only with an article before them."""

_PLURAL: Final = re.compile(r".*[^aius']s")
_NEXT: Final = re.compile(r" ([^\W\d_]+)(?: ([^\W\d_]))?")

_NEAR: Final = 40
"""Letters after a word that are looked at for more of its name."""

_ACRONYM: Final = 4
_SHORTEST: Final = 3
_WIDEST: Final = 240
"""Letters of the widest stretch that is looked at."""


class Written(Protocol):
    """A prepared text with what was written. `names_inside`: its words that have a capital letter
    inside of sentences, and never a small one.
    """

    def original(self, span: tuple[int, int]) -> str: ...

    @property
    def names_inside(self) -> frozenset[str]: ...


def may_be_cased(asked: Side, stored: Side) -> bool:
    """Whether two stretches can be of words that have capital letters: most have other letters."""
    return not (_UNCASED.search(*asked) or _UNCASED.search(*stored))


def capital_names(asked: Side, stored: Side, left: Written, right: Written) -> Sides | None:
    """Two names that a gap belongs to, the first that differ where there are several."""
    if max(len(asked.inside), len(stored.inside)) > _WIDEST:
        return None
    if any(map(_is_between_words, (asked, stored))):
        return None
    if not (names := _names(asked, left)) or not (others := _names(stored, right)):
        return None
    if len(names) != len(others):
        names, others = _without_header(names, left), _without_header(others, right)
    if len(names) == len(others) == 1 and all(map(_is_first_word, (names[0], others[0]))):
        names, others = [_with_next(names[0], left)], [_with_next(others[0], right)]
    for one, other in zip(names, others, strict=False):
        if _are_different(one.inside, other.inside) and _are_names(one, other, left, right):
            return one, other
    return None


def _without_header(names: list[Side], written: Written) -> list[Side]:
    """Names without a header in capitals that a mark ends: BREAKING NEWS --"""
    first = names[0]
    ends = not first.text[first.stop : first.stop + 2].strip(" ").isalnum()
    header = ends and " " in first.inside and written.original(first[1:]).isupper()
    return names[1:] if header and len(names) > 1 else names


def _are_names(one: Side, other: Side, left: Written, right: Written) -> bool:
    """Whether neither is a word that has its capital letter for where it stands: two countries or
    cities, acronyms, or names in other places of the texts as well, may stand there.
    """
    sides = one, other
    if any(side.inside.split()[0] in _ORDINARY and begins_sentence(side) for side in sides):
        return False
    first = [side for side in sides if _is_first_word(side)]
    if not first or of_one_latin_class(_owner(one), _owner(other)):
        return True
    known = left.names_inside | right.names_inside
    return all(
        side not in first
        or _owner(side) in known
        or _is_acronym(side, written)
        or _is_subject(side, written)
        for side, written in ((one, left), (other, right))
    )


def _is_subject(word: Side, written: Written) -> bool:
    """Whether a first word without an article has something, speaks or is of a place, as neither
    things nor many people are said to: Netflix said, Netflix's, Bissell of Dallas.
    """
    owner = _owner(word)
    if len(owner) < _SHORTEST or owner in _ORDINARY or _PLURAL.fullmatch(owner):
        return False
    if word.inside.endswith("'s"):
        return True
    behind = _NEXT.match(word.text, word.stop)
    if behind is None:
        return False
    if behind[1] == "of":
        return behind[2] is not None and written.original(behind.span(2)).isupper()
    return behind[1] in _SPEAKS


def _is_acronym(word: Side, written: Written) -> bool:
    """OPEC, but no label in capitals: NOTE:"""
    short = len(_owner(word)) <= _ACRONYM and word.text[word.stop : word.stop + 1] != ":"
    return short and written.original((word.start, word.start + len(_owner(word)))).isupper()


def names_inside(text: str) -> frozenset[str]:
    """The words of a text as written that have a capital letter inside of sentences, and never a
    small one; in small letters.
    """
    capital, small = set[str](), set[str]()
    for found in _INSIDE.finditer(text):
        word = found[0]
        (capital if word[0].isupper() else small).add(word.lower())
    return frozenset(capital - small)


def _owner(word: Side) -> str:
    """The word without a genitive: Israel of Israel's."""
    return word.inside.removesuffix("'s").removesuffix("'")


def _is_between_words(side: Side) -> bool:
    """Whether a text has nothing in this place: Barack Obama beside President Barack Obama."""
    if side.start < side.stop:
        return False
    inside = _LETTER.match(side.text, side.start) and _LETTER.match(side.text, side.start - 1)
    return side.start == 0 or not inside


def _is_first_word(name: Side) -> bool:
    """A single word at the beginning of a sentence has a capital letter for that alone; in a
    sentence of a script without such letters it is a name.
    """
    if " " in name.inside or not begins_sentence(name):
        return False
    return _WITHOUT_CASE.match(name.text[name.stop : name.stop + 2].lstrip(" ")) is None


def begins_sentence(side: Side) -> bool:
    """Whether a stretch is the first of a sentence, as far as marks tell."""
    before = side.text[max(0, side.start - 8) : side.start]
    return _SENTENCE.search(before) is not None and _SHORTENED.search(before) is None


def _names(side: Side, written: Written) -> list[Side]:
    """The names in the whole words of a stretch; none where there is anything but names."""
    whole = whole_words(side)
    if _UNCASED.search(*whole):
        return []
    tokens = _tokens(whole)
    names: list[Side] = []
    place = 0
    while place < len(tokens):
        stop = _name_from(tokens, place, written)
        if stop > place:
            names.append(Side(side.text, tokens[place].start, tokens[stop - 1].stop))
        elif tokens[place].inside not in _BETWEEN:
            return []
        place = max(stop, place + 1)
    return names


def _tokens(side: Side) -> list[Side]:
    return [Side(side.text, *token.span()) for token in _TOKEN.finditer(*side)]


def _name_from(tokens: list[Side], place: int, written: Written) -> int:
    """Where the name ends that begins with a token; `place` itself where none does."""
    stop = place
    for at in range(place, len(tokens)):
        word = tokens[at].inside
        dot = word == "." and stop == at > place and len(tokens[at - 1].inside) == 1
        if dot or (word[0].isalpha() and _has_capital(tokens[at], written)):
            stop = at + 1
        elif word not in (_LINKS if stop > place else _PARTICLES):
            break
    return stop


def _has_capital(word: Side, written: Written) -> bool:
    """Whether it begins with a capital letter; one inside is enough but for units, as of 5 kWh."""
    letters = written.original(word[1:])
    if letters[:1].isupper():
        return True
    before = word.text[: word.start].rstrip(" ")[-1:]
    return not before.isdigit() and any(map(str.isupper, letters))


def whole_words(side: Side) -> Side:
    """The words that a stretch of letters belongs to."""
    text, start, stop = side
    while start and _LETTER.match(text, start - 1):
        start -= 1
    while _LETTER.match(text, stop):
        stop += 1
    return Side(text, start, stop)


def _with_next(name: Side, written: Written) -> Side:
    """A name with the words after it that belong to it."""
    tokens = _tokens(Side(name.text, name.start, name.stop + _NEAR))
    stop = _name_from(tokens, 0, written)
    return Side(name.text, name.start, tokens[stop - 1].stop) if stop else name


def _are_different(left: str, right: str) -> bool:
    """Whether two names are no two ways to write one: with initials, shortened, misspelt."""
    left, right = _bare(left), _bare(right)
    if left in _SAID or right in _SAID:
        return False
    if left in right or right in left or _initials(left) == right or _initials(right) == left:
        return False
    changed = OSA.distance(left, right)
    if changed == 1 and min(len(left), len(right)) < _SHORTEST:
        return False  # a letter that is lost
    return changed > min(2, (max(len(left), len(right)) - 3) // 3)


def _bare(name: str) -> str:
    """A name without initials."""
    words = name.replace(".", " ").split()
    return " ".join(word for word in words if len(word) > 1) or name


def _initials(words: str) -> str:
    return "".join(word[0] for word in words.split() if word not in _LINKS)
