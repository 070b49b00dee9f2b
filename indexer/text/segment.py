"""Words: jieba as the reference, rjieba (the same tokens, about ten times faster) when installed.

Both use a tokenizer instance of our own, so a host program's dictionary never leaks in. The plan
names the dictionary; an installation that would segment otherwise is refused.
"""

from __future__ import annotations

import hashlib
import importlib.util
import logging
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from indexer.home import home_folder
from indexer.text.preparation import prepare_all
from mappings.errors import PlanMismatch
from mappings.plan import Plan

Segmenter = Callable[[str], list[str]]

DICTIONARIES: Final = {
    "jieba-0.42.1": "7197c3211ddd98962b036cdf40324d1ea2bfaa12bd028e68faa70111a88e12a8",
}
"""sha256 of the dict.txt that each dictionary name stands for."""

ACCELERATORS: Final = {"jieba-0.42.1": ("0.2.2",)}
"""Versions of rjieba that embed that very dictionary and model, proved by a test."""

_CONNECTED = re.compile(r"[+#&._%\-][a-zA-Z0-9+#&._%\-]|[a-zA-Z0-9][+#&._%\-]")
_RARE = re.compile("([\u3400-\u4dbf\u9fd6-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])")
_ASCII_PART = re.compile(r"([a-zA-Z0-9]+(?:\.\d+)?%?)")


def segmenter(plan: Plan) -> Segmenter:
    """The segmenter of a plan. Raises PlanMismatch when its dictionary is not the plan's."""
    words = _prepared_words(plan) if plan.user_words else ()
    return _segmenter(plan.dictionary, words, backend(plan.dictionary))


@lru_cache(maxsize=4)
def _prepared_words(plan: Plan) -> tuple[str, ...]:
    """The user's words as they look in prepared text: lower case, simplified."""
    prepared = prepare_all(plan.user_words, plan)
    return tuple(filter(None, (prepared.text(row).strip() for row in range(len(prepared)))))


@cache
def backend(dictionary: str) -> str:
    """Which package does the work here: "rjieba" or "jieba"."""
    try:
        known = version("rjieba") in ACCELERATORS.get(dictionary, ())
    except PackageNotFoundError:
        return "jieba"
    return "rjieba" if known else "jieba"


@lru_cache(maxsize=4)  # tens of megabytes each
def _segmenter(dictionary: str, user_words: tuple[str, ...], name: str) -> Segmenter:
    return _fast(user_words) if name == "rjieba" else _reference(dictionary, user_words)


def _reference(dictionary: str, user_words: tuple[str, ...]) -> Segmenter:
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
    lcut: Segmenter = tokenizer.lcut
    return lcut


def _dictionary_digest() -> str:
    found = importlib.util.find_spec("jieba")
    if found is None or found.origin is None:
        return ""
    return hashlib.sha256((Path(found.origin).parent / "dict.txt").read_bytes()).hexdigest()


@contextmanager
def _cache_folder() -> Iterator[Path]:
    """Where jieba keeps what it computes from its dictionary; without a home, for once only.

    Never the shared temporary folder: whoever writes there could change what we store.
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


def _fast(user_words: tuple[str, ...]) -> Segmenter:
    """rjieba, with two differences mended: jieba's model splits runs like "node.js", and to
    jieba rare characters (outside of U+4E00 to U+9FD5) are no Chinese: each is a token.
    """
    import rjieba

    tokenizer = rjieba.Jieba()
    for word in user_words:
        tokenizer.add_word(word, None, None)
    cut, known = tokenizer.cut, tokenizer.has_word

    def lcut(text: str) -> list[str]:
        if _RARE.search(text) is not None:
            return [token for part in _RARE.split(text) if part for token in lcut_common(part)]
        return lcut_common(text)

    def lcut_common(text: str) -> list[str]:
        tokens: list[str] = cut(text)
        if _CONNECTED.search(text) is None:
            return tokens
        joined = {
            token
            for token in filter(str.isascii, tokens)
            if len(token) > 1
            and not token.isalnum()
            and not token.isspace()
            and _ASCII_PART.fullmatch(token) is None
            and not known(token)
        }
        if not joined:
            return tokens
        out: list[str] = []
        for token in tokens:
            if token in joined:
                out.extend(part for part in _ASCII_PART.split(token) if part)
            else:
                out.append(token)
        return out

    return lcut
