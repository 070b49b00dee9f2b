"""Words: jieba is the reference; rjieba, if installed, gives the same tokens ten times faster.

Both use a separate tokenizer instance, so a host program's dictionary never leaks in. The plan
names the dictionary; an installation that would segment differently is refused.
"""

from __future__ import annotations

import hashlib
import importlib.util
import logging
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from indexer.home import home_folder
from indexer.text.kernels import compiled
from indexer.text.preparation import Prepared, prepare_all
from indexer.text.repeats import repetitive_blocks, with_jiebas_ties
from mappings.errors import PlanMismatch
from mappings.plan import Plan

Segmenter = Callable[[str], list[str]]

DICTIONARIES: Final = {
    "jieba-0.42.1": "7197c3211ddd98962b036cdf40324d1ea2bfaa12bd028e68faa70111a88e12a8",
}
"""sha256 of the dict.txt that each dictionary name stands for."""

ACCELERATORS: Final = {"jieba-0.42.1": ("0.2.2",)}
"""Versions of rjieba that embed exactly that dictionary and model, as a test verifies."""

_CONNECTED = re.compile(r"[+#&._%\-][a-zA-Z0-9]|[a-zA-Z0-9][+#&._%\-]")
_RARE = re.compile("([\u3400-\u4dbf\u9fd6-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])")
_REPEATED_IN_DICTIONARY: Final = 3
_NOWHERE: Final = "\ue000\ue000"
"""jieba counts duplicate entries of the dictionary twice in the sum of all frequencies, rjieba does
not, and how the logarithm of the sum is rounded decides ties. So rjieba gets the difference as the
frequency of a word that is in no text."""

_REMEMBERED: Final = 1 << 14
_SHORT: Final = 64
"""Tokens of up to so many characters are remembered: a long one would stay with all its parts."""

_ASCII_PART = re.compile(r"([a-zA-Z0-9]+(?:\.\d+)?%?)")


def segmenter(plan: Plan) -> Segmenter:
    """The segmenter of a plan. Raises PlanMismatch when its dictionary is not the plan's."""
    words = _prepared_words(plan) if plan.user_words else ()
    return _segmenter(plan.dictionary, words, backend(plan.dictionary))


@lru_cache(maxsize=4)
def _prepared_words(plan: Plan) -> tuple[str, ...]:
    """The user's words as they look in prepared text: lower case, simplified."""
    prepared = prepare_all(plan.user_words, plan)
    forms = (form.text(row).strip() for form in _forms(prepared) for row in range(len(form)))
    return tuple(dict.fromkeys(filter(None, forms)))


def _forms(prepared: Prepared) -> tuple[Prepared, ...]:
    """Texts as they are prepared, and their skeletons where these are something else."""
    return (prepared,) if prepared.before is None else (prepared.before, prepared)


@cache
def backend(dictionary: str) -> str:
    """The package that segments on this machine: "rjieba" or "jieba"."""
    try:
        supported = version("rjieba") in ACCELERATORS.get(dictionary, ())
    except PackageNotFoundError:
        return "jieba"
    return "rjieba" if supported else "jieba"


@lru_cache(maxsize=4)  # tens of megabytes each
def _segmenter(dictionary: str, user_words: tuple[str, ...], name: str) -> Segmenter:
    make = _fast if name == "rjieba" else _reference
    return make(dictionary, user_words)


def _reference(dictionary: str, user_words: tuple[str, ...]) -> Segmenter:
    lcut: Segmenter = _jieba(dictionary, user_words).lcut
    return lcut


def _jieba(dictionary: str, user_words: tuple[str, ...]) -> Any:
    """jieba's tokenizer with the user's words. Raises PlanMismatch for another dictionary."""
    expected = DICTIONARIES.get(dictionary)
    if _dictionary_digest() != expected:
        raise PlanMismatch(
            f"the plan segments with {dictionary}, this installation with jieba "
            f"{version('jieba')} and another dictionary; install jieba==0.42.1, or run "
            "'dupdex rebuild' with a plan without words"
        )
    import jieba

    jieba.setLogLevel(logging.WARNING)
    tokenizer = jieba.Tokenizer()
    with _cache_folder() as folder:
        tokenizer.tmp_dir = str(folder)
        tokenizer.initialize()
    for word in user_words:
        tokenizer.add_word(word)
    return tokenizer


def _dictionary_digest() -> str:
    spec = importlib.util.find_spec("jieba")
    if spec is None or spec.origin is None:
        return ""
    return hashlib.sha256((Path(spec.origin).parent / "dict.txt").read_bytes()).hexdigest()


@contextmanager
def _cache_folder() -> Iterator[Path]:
    """The folder where jieba caches its compiled dictionary; without a home, a private one.

    Never the shared temporary folder: anyone who writes there could change stored values.
    """
    named = os.environ.get("XDG_CACHE_HOME")
    folder = (Path(named) if named else home_folder(os.environ) / ".cache") / "dupdex"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        with TemporaryDirectory(prefix="dupdex-") as private:
            yield Path(private)
        return
    yield folder


def _fast(dictionary: str, user_words: tuple[str, ...]) -> Segmenter:
    import rjieba

    tokenizer = rjieba.Jieba()
    missing = _REPEATED_IN_DICTIONARY
    if user_words:  # jieba rounds the frequency of a new word in its own way
        reference = _jieba(dictionary, user_words)
        missing = reference.total - sum(reference.FREQ.values())
        for word in user_words:
            tokenizer.add_word(word, reference.FREQ[word], None)
    tokenizer.add_word(_NOWHERE, missing, None)
    return Accelerated(tokenizer)


def _connected(tokens: list[str]) -> list[int]:
    """The tokens of ASCII in which one of the marks +#&._%- stands beside a letter or digit, other
    than those like 3.5% or v2.0, which jieba's model leaves in one piece."""
    return [
        at
        for at, token in enumerate(tokens)
        if token.isascii()
        and _CONNECTED.search(token) is not None
        and _ASCII_PART.fullmatch(token) is None
    ]


class Accelerated:
    """rjieba with three differences from jieba corrected: jieba's model splits runs like "node.js";
    jieba makes each rare character (outside U+4E00 to U+9FD5) a token; and where characters
    repeat, the two break ties between equally likely segmentations differently.
    """

    def __init__(self, tokenizer: Any) -> None:
        self.cut: Segmenter = tokenizer.cut
        """Without the corrections."""
        self._cut_by_dictionary: Segmenter = partial(tokenizer.cut, hmm=False)
        self._is_word: Callable[[str], bool] = tokenizer.has_word
        self.remembered = lru_cache(maxsize=_REMEMBERED)(self._parts_of)

    def __call__(self, text: str) -> list[str]:
        """The tokens of a text."""
        blocks = repetitive_blocks(text)
        if not blocks:
            return self._parts(text)
        out: list[str] = []
        done = 0
        for start, stop in blocks:
            out += self._parts(text[done:start])
            block = text[start:stop]
            plain = self._cut_by_dictionary(block)
            out += with_jiebas_ties(self._parts(block), plain, self._is_word)
            done = stop
        return out + self._parts(text[done:])

    def _parts(self, text: str) -> list[str]:
        if _RARE.search(text) is not None:
            return [token for part in _RARE.split(text) if part for token in self.common(part)]
        return self.common(text)

    def common(self, text: str) -> list[str]:
        """The tokens of a text without rare characters and ties."""
        tokens = self.cut(text)
        out: list[str] = []
        done = 0
        for at in _connected(tokens) if compiled is None else compiled.connected(tokens):
            out += tokens[done:at]
            out += self.parts_of(tokens[at])
            done = at + 1
        return out + tokens[done:] if done else tokens

    def parts_of(self, token: str) -> tuple[str, ...]:
        """A token, or what jieba's model makes of one like "node.js" that is no word."""
        return (self.remembered if len(token) <= _SHORT else self._parts_of)(token)

    def _parts_of(self, token: str) -> tuple[str, ...]:
        if len(token) == 1 or not token.isascii() or token.isalnum() or token.isspace():
            return (token,)
        if _ASCII_PART.fullmatch(token) is not None or self._is_word(token):
            return (token,)
        return tuple(filter(None, _ASCII_PART.split(token)))
