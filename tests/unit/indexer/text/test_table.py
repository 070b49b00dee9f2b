"""The code-point table: frozen, reproducible, and independent of the running Python."""

from __future__ import annotations

import ast
import hashlib
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given

import indexer.text.preparation
from indexer.text import prepare
from indexer.text.table import LIMIT, Kind, load
from mappings.errors import PlanMismatch
from mappings.plan import TABLE_STEPS as STEPS
from scripts.make_tables import HERE, build
from tests.texts import LAW, texts
from tests.texts import PLAIN as STANDARD

Arrays = dict[str, npt.NDArray[Any]]

ROOT = Path(__file__).resolve().parents[4]

DIGESTS = {
    "first": "0cb9ab199afbf6cec0d74f4734814711e81706a521680bf857675646162d04dd",
    "target": "b170eaed16ca36350b89619225c9f3eb6b22d84ed896172008a992d81184c070",
    "kind": "fcb891185d915ee5236b837792c0578c5eff2cce8c078978addeefad140616da",
    "syllable": "f2c22cf8c9d77383748f29e5afc140e5ddefa3ae63ff7c87b4f21bdcafab65a0",
    "assigned": "e0e117f273e3ecbd9820ddf71d5a266264bac21b1f49abc9faa06bf43a3b96fc",
    "expansions": "86cd5fb6fa85bd6f28519420f161b4c584aaa3589d27176fdb1252464c46bcdd",
    "syllable_names": "ab103527b9ac54468ed17fee8d34ee9bd9de004ea4b1dd68bb9a2cc0326d20bd",
}
"""A change here changes stored values: it needs a new table version, not a new digest."""

OWNERS = {
    "Unicode": ("nfkc", "casefold", "space", "invisible", "composing", "kind", "assigned"),
    "OpenCC": ("simplified",),
    "pypinyin": ("syllable",),
}
"""Which arrays each source may change."""


def committed() -> Arrays:
    with np.load(HERE / "table-1.npz") as data:
        return dict(data)


@pytest.fixture(scope="module")
def rebuilt() -> Arrays:
    return build("1")


def test_the_composed_table_is_frozen() -> None:
    table = load("1", STEPS)
    found = {
        name: hashlib.sha256(getattr(table, name).tobytes()).hexdigest()
        for name in ("first", "target", "kind", "syllable", "assigned")
    }
    rows = table.expansions
    expansions = b"|".join(rows[at].tobytes() for at in range(len(rows)))
    found["expansions"] = hashlib.sha256(expansions).hexdigest()
    found["syllable_names"] = hashlib.sha256(",".join(table.syllable_names).encode()).hexdigest()
    assert found == DIGESTS


def unexplained(stored: Arrays, made: Arrays) -> list[str]:
    """Arrays that differ though the source they come from is the same on both sides."""
    old, new = (dict(str(s).split(" ") for s in part["sources"]) for part in (stored, made))
    moved = [name for name in OWNERS if old[name] != new[name]]
    explained = tuple(prefix for name in moved for prefix in OWNERS[name])
    if "Unicode" in moved:
        explained += OWNERS["OpenCC"]  # only characters of known scripts are converted
    different = {
        name
        for name in stored.keys() | made.keys()
        if name not in stored or name not in made or not np.array_equal(stored[name], made[name])
    } - {"sources"}
    return sorted(name for name in different if not name.startswith(explained or ("\0",)))


def test_the_script_makes_the_committed_table(rebuilt: Arrays) -> None:
    """With the recorded versions installed, array by array; with others, whatever differs must
    come from a package whose version differs, and the file would say so.
    """
    stored = committed()
    assert [str(s).split(" ")[0] for s in stored["sources"]] == ["table", *OWNERS]
    assert stored.keys() == rebuilt.keys()
    assert unexplained(stored, rebuilt) == []


@pytest.mark.parametrize("name", ["simplified_targets", "punctuation_codes", "kind", "assigned"])
def test_a_difference_with_the_same_sources_is_reported(name: str) -> None:
    stored, made = committed(), committed()
    made[name] = made[name].copy()
    made[name][5] ^= 1
    assert unexplained(stored, made) == [name]
    made["sources"] = np.array(["table 1", "Unicode 14.0.0", "OpenCC 0.0", "pypinyin 0.55.0"])
    stored["sources"] = np.array(["table 1", "Unicode 14.0.0", "OpenCC 1.0", "pypinyin 0.55.0"])
    assert unexplained(stored, made) == ([] if name == "simplified_targets" else [name])


def test_an_unknown_version_is_refused() -> None:
    for version in ("2", "../1", ""):
        with pytest.raises(PlanMismatch, match="dupdex rebuild"):
            load(version, STEPS)


# --- independence of the running Python


def test_the_table_knows_unicode_14() -> None:
    assigned = load("1", STEPS).assigned
    now = np.array([unicodedata.category(chr(code)) != "Cn" for code in range(LIMIT)])
    assert not (assigned & ~now).any()  # this Python knows at least as much
    then = [unicodedata.ucd_3_2_0.category(chr(code)) != "Cn" for code in range(LIMIT)]
    assert not (np.array(then) & ~assigned).any()
    assert assigned.sum() == 144_697 + 137_468 + 2_048 + 65  # graphic and format, private, ...
    for younger in (0x1E030, 0x105C9, 0x105D2, 0x1611E, 0x11F00):
        assert not assigned[younger]


class Recorder:
    """Stands in for `unicodedata` and keeps what it is asked."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def normalize(self, form: str, text: str) -> str:
        assert form == "NFKC"
        self.asked.update(text)
        # a later Unicode that gives every character unknown to the table another normal form
        younger = {ord(c): "Z" for c in text if not load("1", STEPS).assigned[ord(c)]}
        return unicodedata.normalize("NFKC", text.translate(younger))


@pytest.mark.parametrize(
    "text",
    [
        "\U0001e030\u0301",  # Unicode 15: a modifier letter with a compatibility form
        "\U000105d2\u0307",  # Unicode 16: composes to U+105C9
        "\U0001611e\U0001611e",  # Unicode 16: a composing pair
        "字\U0001e08f\u0301",  # Unicode 15: a combining mark
        "\u0378\u0301\u0323",
    ],
)
def test_a_character_younger_than_the_table_is_never_normalised(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    recorder = Recorder()
    monkeypatch.setattr(indexer.text.preparation, "unicodedata", recorder)
    made = prepare(text, STANDARD).text()
    assert "Z" not in made and "z" not in made
    assert text[0] in made
    assert all(load("1", STEPS).assigned[ord(c)] for c in recorder.asked)


@given(texts)
@LAW
def test_unicodedata_is_asked_about_assigned_characters_only(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        recorder = Recorder()
        patch.setattr(indexer.text.preparation, "unicodedata", recorder)
        prepare(text, STANDARD)
    assigned = load("1", STEPS).assigned
    assert [hex(ord(c)) for c in recorder.asked if not assigned[ord(c)]] == []


def test_the_slow_path_is_taken_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    monkeypatch.setattr(indexer.text.preparation, "unicodedata", recorder)
    assert prepare("cafe\u0301", STANDARD).text() == "café"
    assert recorder.asked == {"e", "\u0301"}


def test_no_other_module_asks_unicodedata() -> None:
    """Only `prepare.text` may, and only for what never changes of a character that is assigned:
    its normal form, and the class of a mark."""
    uses = []
    for package in ("mappings", "indexer", "query"):
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                    if node.value.id == "unicodedata":
                        uses.append((path.relative_to(ROOT).as_posix(), node.attr))
                elif isinstance(node, ast.ImportFrom) and node.module == "unicodedata":
                    uses.append((path.name, "import from"))
    place = "indexer/text/preparation.py"
    assert set(uses) == {(place, "normalize"), (place, "combining")}


# --- kinds and readings


@pytest.mark.parametrize(
    ("characters", "kind"),
    [
        ("aéßяαمञ", Kind.LETTER),
        ("07٣", Kind.DIGIT),
        ("中〇あカㄅไ\U00020000\U000323b0", Kind.UNIT),
        ("。!,-😀 \n", Kind.OTHER),
    ],
)
def test_kinds(characters: str, kind: Kind) -> None:
    table = load("1", STEPS)
    assert [Kind(table.kind[ord(c)]) for c in characters] == [kind] * len(characters)


@pytest.mark.parametrize(
    ("characters", "syllable"),
    [("中钟终", "zhong"), ("是事市", "shi"), ("校小", "xiao"), ("女", "nv"), ("么", "me")],
)
def test_readings(characters: str, syllable: str) -> None:
    table = load("1", STEPS)
    for character in characters:
        number = int(table.syllable[ord(character)]) - LIMIT
        assert table.syllable_names[number] == syllable


def test_a_character_without_a_reading_stands_for_itself() -> None:
    table = load("1", STEPS)
    assert [int(table.syllable[ord(c)]) for c in "a7あ"] == [ord(c) for c in "a7あ"]
