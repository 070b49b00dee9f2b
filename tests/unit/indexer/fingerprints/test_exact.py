"""The direct signature: digests anybody can compute, and one more character changes half of it."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace

import mmh3
import pytest

from indexer.fingerprints import fingerprint_of, fingerprints_of
from indexer.fingerprints.exact import DIGESTS, text_hashes
from indexer.text import prepare_all
from mappings.contract import Field
from mappings.plan import STANDARD
from mappings.plan.parts import ExactPlan
from mappings.plan.rules import DIGESTS as NAMES
from tests.texts import METRO, METRO_TRADITIONAL

digests = pytest.mark.parametrize("digest", NAMES)


def made(digest: str, *texts: str) -> list[str]:
    return text_hashes(prepare_all(texts, STANDARD), digest)


def bits(text_hash: str) -> int:
    return int.from_bytes(base64.urlsafe_b64decode(text_hash + "=" * (-len(text_hash) % 4)))


@digests
def test_one_more_character_changes_about_half_of_the_bits(digest: str) -> None:
    """ "I am Chinese", with and without a particle at the end."""
    left, right = made(digest, "我是中国人", "我是中国人啊")
    size = 8 * len(DIGESTS[digest](b""))
    differing = (bits(left) ^ bits(right)).bit_count()
    assert abs(differing - size / 2) < 4 * (size / 4) ** 0.5  # four standard deviations
    assert left == made(digest, " 我是，中国人。")[0]


@pytest.mark.parametrize(
    ("digest", "expected"),
    [
        ("md5", hashlib.md5("我是中国人".encode("utf-32-le")).digest()),
        ("sha1", hashlib.sha1("我是中国人".encode("utf-32-le")).digest()),
        ("sha256", hashlib.sha256("我是中国人".encode("utf-32-le")).digest()),
        ("murmur3", mmh3.hash_bytes("我是中国人".encode("utf-32-le"), 0, True)),
    ],
)
def test_the_digest_is_of_the_letters_in_utf_32(digest: str, expected: bytes) -> None:
    (text_hash,) = made(digest, "我是中国人！")
    assert text_hash == base64.urlsafe_b64encode(expected).decode().rstrip("=")


@pytest.mark.parametrize(
    ("digest", "length"), [("murmur3", 22), ("md5", 22), ("sha1", 27), ("sha256", 43)]
)
def test_the_term_holds_the_whole_digest(digest: str, length: int) -> None:
    for text_hash in made(digest, METRO, "😀", "a"):
        assert re.fullmatch(f"[A-Za-z0-9_-]{{{length}}}", text_hash)


@digests
def test_a_plan_chooses_the_digest(digest: str) -> None:
    """Also for a text without letters, which has no other key."""
    plan = replace(STANDARD, exact=ExactPlan(digest))  # type: ignore[arg-type]
    found = fingerprints_of([METRO, METRO_TRADITIONAL, "😀"], plan)
    expected = made(digest, METRO, METRO, "😀")
    assert [each.text_hash for each in found] == expected
    assert [each.keys[Field.TEXT_HASH] for each in found] == [(text,) for text in expected]
    assert fingerprint_of(METRO, plan).simhash == fingerprint_of(METRO, STANDARD).simhash
    assert (plan.id == STANDARD.id) == (digest == "murmur3")
