"""A process elsewhere makes the same values: another hash seed, another data folder."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from indexer.fingerprints import fingerprint_of
from indexer.resources import resources_of
from indexer.text.corpus_statistics import Census, install, version_of
from mappings.plan import STANDARD, Plan
from tests.texts import LIBRARY, METRO, TEA, chinese

ROOT = Path(__file__).resolve().parents[2]

ELSEWHERE = """
import pickle, sys
from indexer.fingerprints import fingerprint_of
from indexer.resources import hand_in
plan, text, sent = pickle.load(sys.stdin.buffer)
if sent is not None:
    hand_in(sent)
sys.stdout.buffer.write(pickle.dumps(fingerprint_of(text, plan)))
"""


def printed(code: str, **environment: str) -> list[str]:
    """The lines that another process prints."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "PYTHONWARNINGS": "ignore", **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_the_same_without_the_compiled_loops() -> None:
    """Keys and judgements, in a process where NumPy does the work."""
    code = (
        "from indexer.fingerprints import fingerprint_of; from mappings.plan import STANDARD;"
        "from indexer.text.kernels import compiled; from query.pair import PairJudge;"
        "from tests.texts import METRO, METRO_HOMOPHONES, LIBRARY, TEA, chinese;"
        "long = chinese(400, 1); short = chinese(90, 2);"
        "texts = METRO, METRO_HOMOPHONES, LIBRARY, TEA, long, short + long[:200], 'a ' * 40;"
        "judge = PairJudge(STANDARD); read = judge.read(texts);"
        "print([fingerprint_of(text, STANDARD) for text in texts]);"
        "print([judge.judgement(one, other) for one in read for other in read]);"
        "print(compiled is not None)"
    )

    *with_them, are_there = printed(code, DUPDEX_NATIVE="1")
    *without, are_here = printed(code, DUPDEX_NATIVE="0")
    assert (are_there, are_here) == ("True", "False")
    assert with_them == without


def test_the_same_in_another_process() -> None:
    """Also under another hash seed, so no set or dict order gets into a value."""
    code = (
        "from indexer.fingerprints import fingerprint_of; from mappings.plan import STANDARD;"
        "from tests.texts import METRO, LIBRARY;"
        "print([fingerprint_of(t, STANDARD) for t in (METRO, LIBRARY)])"
    )
    expected = [fingerprint_of(text, STANDARD) for text in (METRO, LIBRARY)]
    assert printed(code, PYTHONHASHSEED="77") == [str(expected)]


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    """A plan with statistics of its own, which lie in a folder of this machine."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "here"))
    census = Census(STANDARD)
    census.add([METRO, TEA, *(chinese(300, seed) for seed in range(20))])
    content = census.to_bytes()
    install(content, tmp_path / "here" / "dupdex")
    weighed = replace(STANDARD.simhash, weights="tfidf", stop_words="1")
    return replace(STANDARD, name="own", simhash=weighed, statistics=version_of(content))


def elsewhere(folder: Path, *given: object) -> subprocess.CompletedProcess[bytes]:
    """What a process says that has another data folder."""
    return subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        input=pickle.dumps(given),
        capture_output=True,
        env={**os.environ, "XDG_DATA_HOME": str(folder)},
        check=False,
    )


def test_another_machine_makes_the_same_fingerprints(plan: Plan, tmp_path: Path) -> None:
    sent = resources_of(plan)
    assert sorted(sent.files) == [
        "skeleton-1.npz",
        f"statistics-{plan.statistics}.json",
        "stop-words-1.json",
        "table-1.npz",
    ]
    made = elsewhere(tmp_path / "there", plan, METRO, sent)
    assert pickle.loads(made.stdout) == fingerprint_of(METRO, plan)
    refused = elsewhere(tmp_path / "there", plan, METRO, None)
    assert b"the plan needs statistics sha256-" in refused.stderr


def test_what_was_changed_on_the_way_is_refused(plan: Plan, tmp_path: Path) -> None:
    sent = resources_of(plan)
    changed = {name: content.replace(b"22", b"23", 1) for name, content in sent.files.items()}
    refused = elsewhere(tmp_path / "there", plan, METRO, replace(sent, files=changed))
    assert b"was changed since it was made" in refused.stderr
