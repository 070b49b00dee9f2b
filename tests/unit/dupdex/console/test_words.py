"""What the console says in Chinese of names that other parts of the program give."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from dupdex.groups.correction_store import CorrectionKind
from indexer.grouping import Policy
from mappings.schemes import STORED


def words_of(view: str) -> str:
    return files("dupdex.console").joinpath("assets", "views", view).read_text("utf-8")


@pytest.mark.parametrize("label", sorted({each.label for each in STORED.values()}))
def test_every_scheme_has_a_label_in_chinese(label: str) -> None:
    name = label if label.isalpha() else f'"{label}"'
    assert re.search(rf'^  {re.escape(name)}: "[^"]*[一-鿿]', words_of("health.js"), re.MULTILINE)


@pytest.mark.parametrize("policy", Policy)
def test_every_policy_is_told(policy: Policy) -> None:
    assert re.search(rf'\b{policy.value}: say\("[一-鿿]', words_of("health.js"))


@pytest.mark.parametrize("kind", CorrectionKind)
def test_every_correction_is_told(kind: CorrectionKind) -> None:
    assert re.search(rf'\b{kind.value}: say\("[一-鿿]', words_of("groups.js"))
