"""Chinese articles that look real to a segmenter and to an index: made, not collected.

Words are drawn by the frequencies of jieba's dictionary (a Zipf curve; about 87,000 words remain
at this resolution), a third of them from a few words that are the subject of the article, so that
words come again as they do in real texts. One sentence of every article is quoted from the
sample that dupdex ships, so articles share passages as agency reports do.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Final

import numpy as np
import numpy.typing as npt
import orjson

SEED: Final = 20_250_101
SHORTEST, LONGEST = 1_100, 1_700

_URN_BITS: Final = 20
_SUBJECTS: Final = 40
_SHARE_OF_SUBJECTS: Final = 0.33
_WORDS: Final = 1_400  # more than the longest article needs
_SENTENCE: Final = re.compile(r"[^。！？!?\n]+[。！？!?]?")
_NUMBERS: Final = (
    *(f"{n}" for n in range(2, 60)),
    *(f"{n}%" for n in range(3, 60, 2)),
    *(f"{n / 10}%" for n in range(11, 99, 4)),
    *(f"{n}年" for n in range(1990, 2026)),
    *(f"{n}万" for n in range(2, 40)),
    *("GDP", "CEO", "APP", "5G", "AI", "IT", "NBA", "iPhone", "Windows", "COVID-19", "Wi-Fi"),
)
_SHARE_OF_NUMBERS: Final = 0.015

Numbers = npt.NDArray[np.uint64]


def article(number: int, seed: int = SEED) -> str:
    """Article `number`: always the same text."""
    draws = random_numbers(number, _WORDS + _SUBJECTS, seed)
    chosen = _indices(draws)
    words = _vocabulary()[chosen].tolist()
    breaks = _breaks(draws[_SUBJECTS:])
    text = "".join(chain.from_iterable(zip(words, breaks, strict=True)))
    text = text[: SHORTEST + int(draws[0] % np.uint64(LONGEST - SHORTEST + 1))]
    text = text[: text.rfind("。") + 1]
    quoted = quotations()
    if not quoted:
        return text
    at = text.find("。", int(draws[1] % np.uint64(max(1, len(text) - 100)))) + 1
    return text[:at] + quoted[int(draws[2] % np.uint64(len(quoted)))] + text[at:]


def random_numbers(number: int, count: int, seed: int = SEED) -> Numbers:
    """64-bit numbers; NumPy promises that this stream never changes."""
    draws: Numbers = np.random.PCG64(np.random.SeedSequence((seed, number))).random_raw(count)
    return draws


def _indices(draws: Numbers) -> npt.NDArray[np.int32]:
    """Words by frequency; a share of them from the subjects, which are the first draws."""
    chosen = _urn()[draws >> np.uint64(64 - _URN_BITS)]
    subjects, rest = chosen[:_SUBJECTS], chosen[_SUBJECTS:].copy()
    low = draws[_SUBJECTS:] & np.uint64(0xFFFF)
    again = low < int(_SHARE_OF_SUBJECTS * 0x10000)
    rest[again] = subjects[low[again] % np.uint64(_SUBJECTS)]
    out: npt.NDArray[np.int32] = rest
    return out


def _breaks(draws: Numbers) -> list[str]:
    """What follows each word: nothing, a comma, a full stop, a new paragraph."""
    out = [""] * len(draws)
    steps = ((draws >> np.uint64(16)) % np.uint64(9)).astype(np.int64) + 4
    ends = np.cumsum(steps)
    for clause, end in enumerate(ends[ends < len(out)].tolist(), 1):
        out[end] = "，" if clause % 3 else "。\n" if clause % 12 == 0 else "。"
    return out


@cache
def quotations() -> tuple[str, ...]:
    """Chinese sentences of the sample that dupdex ships; none when it is not there."""
    source = files("dupdex.data") / "sample.jsonl"
    if not source.is_file():
        return ()
    texts = [orjson.loads(line)["text"] for line in source.read_bytes().splitlines() if line]
    found = dict.fromkeys(part for text in texts for part in sentences(text))
    return tuple(part for part in found if len(part) >= 12 and "\u4e00" <= part[0] <= "\u9fff")


def sentences(text: str) -> list[str]:
    """A text cut after its full stops."""
    return [part.strip() for part in _SENTENCE.findall(text) if part.strip()]


@cache
def _dictionary() -> tuple[list[str], npt.NDArray[np.float64]]:
    source = files("jieba") / "dict.txt"
    rows = [line.split(" ") for line in source.read_text(encoding="utf-8").splitlines()]
    return [row[0] for row in rows], np.array([int(row[1]) for row in rows], np.float64)


@cache
def _vocabulary() -> npt.NDArray[np.object_]:
    return np.array([*_dictionary()[0], *_NUMBERS], np.object_)


@cache
def _urn() -> npt.NDArray[np.int32]:
    """Word numbers, each as often as its frequency says; a draw is one look-up."""
    frequencies = _dictionary()[1]
    share = frequencies.sum() * _SHARE_OF_NUMBERS / len(_NUMBERS)
    ends = np.cumsum(np.concatenate((frequencies, np.full(len(_NUMBERS), share))))
    places = (np.arange(1 << _URN_BITS) + 0.5) * (ends[-1] / (1 << _URN_BITS))
    out: npt.NDArray[np.int32] = np.searchsorted(ends, places).astype(np.int32)
    return out


@cache
def vocabulary_size() -> int:
    """How many different words can be drawn."""
    return len(np.unique(_urn()))
