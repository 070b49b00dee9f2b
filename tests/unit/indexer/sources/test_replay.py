from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from indexer.meta import IndexMeta
from indexer.model import Document, Outcome, Status
from indexer.sources import BadLine
from indexer.sources.dead_letters import DeadLetter, DeadLetters, KeptLine, Target
from indexer.sources.replay import Elsewhere, Replay
from mappings.errors import InputRefused, NotFound

HERE = Target("/store", "news")
THERE = Target("/store", "other")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rejects.ndjson"


def keep(path: Path, to: Target | None, *names: str, text: str = "t") -> None:
    with DeadLetters(path, to) as letters:
        for name in names:
            letters.add(Document(name, text, {"text": text}, f"x:{name}"), "at first")


def left(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def send(replay: Replay, refused: tuple[str, ...] = ()) -> list[DeadLetter]:
    """Send what is to be sent; some ids are refused again."""
    sent = [item for item in replay.items() if isinstance(item, DeadLetter)]
    for letter in sent:
        status = Status.REJECTED if letter.id in refused else Status.CREATED
        replay.settle(Outcome(letter.document(IndexMeta()), status, "once more"))
    return sent


def test_what_is_stored_leaves_the_file(path: Path) -> None:
    keep(path, HERE, "a", "b", "c")
    path.chmod(0o640)
    with Replay(path, HERE) as replay:
        assert [letter.id for letter in send(replay, refused=("b",))] == ["a", "b", "c"]
    (entry,) = left(path)
    assert (entry["id"], entry["reason"], entry["origin"]) == ("b", "once more", "x:b")
    assert entry["to"] == {"store": "/store", "index": "news"}
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    with Replay(path, HERE) as replay:
        assert [letter.id for letter in send(replay)] == ["b"]
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("to", [THERE, Target("/another", "news"), None])
def test_what_was_meant_for_another_index_stays(path: Path, to: Target | None) -> None:
    keep(path, to, "a")
    keep(path, HERE, "b")
    with Replay(path, HERE) as replay:
        elsewhere, here = replay.items()
        assert isinstance(elsewhere, Elsewhere)
        assert (elsewhere.letter.to, elsewhere.where) == (to, f"{path}:1")
        assert isinstance(here, DeadLetter)
        send(replay)
    assert [entry["id"] for entry in left(path)] == ["a"]
    with Replay(path, HERE, force=True) as replay:
        assert [letter.id for letter in send(replay)] == ["a"]
    assert not path.exists()


def test_of_one_id_only_the_last_is_sent(path: Path) -> None:
    """An older body never goes over a newer one, not even when the newer is refused again."""
    keep(path, HERE, "a", "b", text="old")
    keep(path, THERE, "a", text="of another index")
    keep(path, HERE, "a", text="new")
    with Replay(path, HERE) as replay:
        assert [letter.body["text"] for letter in send(replay, refused=("a",))] == ["old", "new"]
        assert replay.superseded == 1
    assert [entry["body"]["text"] for entry in left(path)] == ["of another index", "new"]


def test_what_is_no_document_stays_as_it_is(path: Path) -> None:
    with DeadLetters(path, HERE) as letters:
        letters.add_line(BadLine("x:1", "bad", "{oops"))
    keep(path, HERE, "a")
    with path.open("ab") as file:
        file.write(b'\n{"my": "note"}\n\xff\xff')
    before = path.read_bytes().splitlines()
    with Replay(path, HERE) as replay:
        kinds = [type(item) for item in replay.items()]
        assert kinds == [KeptLine, DeadLetter, BadLine, BadLine]
        send(replay)
    assert path.read_bytes().splitlines() == [before[0], *before[3:]]


def test_a_replay_that_fails_keeps_what_was_not_sent(path: Path) -> None:
    keep(path, HERE, "a", "b", "c")
    with pytest.raises(KeyboardInterrupt), Replay(path, HERE) as replay:
        first = next(item for item in replay.items() if isinstance(item, DeadLetter))
        replay.settle(Outcome(first.document(IndexMeta()), Status.UPDATED))
        raise KeyboardInterrupt
    assert [entry["id"] for entry in left(path)] == ["b", "c"]


def test_a_link_stays_a_link(path: Path, tmp_path: Path) -> None:
    keep(path, HERE, "a", "b")
    (tmp_path / "sub").mkdir()
    link = tmp_path / "sub" / "link.ndjson"
    link.symlink_to(path)
    with Replay(link, HERE) as replay:
        send(replay, refused=("b",))
    assert link.is_symlink()
    assert [entry["id"] for entry in left(path)] == ["b"]


def test_values_that_json_cannot_hold_survive_being_refused_again(path: Path) -> None:
    with DeadLetters(path, HERE) as letters:
        letters.add(Document("a\ud800", "t", {"text": "t", "n": 2**80}), "why \ud800")
    with Replay(path, HERE) as replay:
        send(replay, refused=("a\ud800",))
    with Replay(path, HERE) as replay:
        (again,) = (item for item in replay.items() if isinstance(item, DeadLetter))
    assert (again.id, again.body["n"], again.reason) == ("a\ud800", 2**80, "once more")


def test_one_at_a_time(path: Path) -> None:
    keep(path, HERE, "a")
    with DeadLetters(path, HERE) as first, DeadLetters(path, HERE) as second:
        first.add(Document("b", "t"), "x")
        second.add(Document("c", "t"), "x")  # runs may append together
        with pytest.raises(InputRefused, match="written by another dupdex; wait"):
            Replay(path, HERE).__enter__()
    with Replay(path, HERE), DeadLetters(path, HERE) as late:  # noqa: SIM117
        with pytest.raises(InputRefused, match="written by another dupdex"):
            late.add(Document("d", "t"), "x")
    assert len(left(path)) == 3


def test_files_that_cannot_be_replayed(tmp_path: Path) -> None:
    for name, error in (("no", NotFound), ("", InputRefused)):
        with pytest.raises(error):
            Replay(f"{tmp_path}/{name}", HERE).__enter__()
    with pytest.raises(InputRefused, match="is no file that could be written back"):
        Replay("/dev/null", HERE).__enter__()


def test_a_replay_that_is_killed_has_blanked_what_was_stored(path: Path) -> None:
    """What is done with is gone at once, not when all is done."""
    keep(path, HERE, "a", "b", "c", text="某" * 3_000)
    before = path.stat().st_size
    replay = Replay(path, HERE).__enter__()
    first = next(item for item in replay.items() if isinstance(item, DeadLetter))
    replay.settle(Outcome(first.document(IndexMeta()), Status.CREATED))
    replay._file.close()  # as the system does when the process is killed
    assert path.stat().st_size == before
    with Replay(path, HERE) as replay:
        assert [letter.id for letter in send(replay)] == ["b", "c"]
