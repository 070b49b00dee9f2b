"""learn: boilerplate of an index, from the command line."""

from __future__ import annotations

from pathlib import Path

from dupdex import Index, Location
from dupdex.learning import FROM
from mappings.plan import STANDARD
from tests.command import write_lines
from tests.texts import chinese
from tests.unit.dupdex.cli.conftest import CommandLine

NOTICE = "本网站转载此文只为传播信息，并不代表赞同其中的观点，也不对其真实性负责。"
LIMIT = STANDARD.thresholds.unrelated


def with_notice(number: int) -> str:
    return f"{chinese(300, number)}。{NOTICE * 4}"


def notices(folder: Path, count: int = LIMIT) -> None:
    documents: list[dict[str, object]] = [
        {"id": f"d{n}", "text": with_notice(n)} for n in range(count)
    ]
    write_lines(folder / "notices.jsonl", documents)


def test_a_notice_joins_nothing_once_it_is_learned(dupdex: CommandLine, tmp_path: Path) -> None:
    notices(tmp_path)
    dupdex("index", "notices.jsonl")
    assert dupdex("check", with_notice(99)).status == 0
    learned = dupdex("learn")
    assert learned.status == 0
    first, example = learned.out.splitlines()
    assert first == f"{LIMIT} documents, 1 sentences of boilerplate"
    assert example.strip() == NOTICE.rstrip("。")
    found = dupdex("check", with_notice(99), "--json")
    assert found.status == 1
    assert found.json()["completeness"]["boilerplate"] == 4 * len(
        [c for c in NOTICE if c not in "，。"]
    )
    assert "characters of boilerplate not counted" in dupdex("check", with_notice(99)).out
    assert dupdex("check", "--id", "d1").status == 1
    assert dupdex("check", f"{with_notice(3)}完").status == 0  # a copy stays a copy


def test_learn_as_json_and_from_a_sample(dupdex: CommandLine, tmp_path: Path) -> None:
    notices(tmp_path, 2 * LIMIT)
    dupdex("index", "notices.jsonl")
    told = dupdex("learn", "--json").json()
    assert told["documents"] == 2 * LIMIT
    assert list(told["sentences"].values()) == [LIMIT]
    assert set(told["examples"]) == set(told["sentences"])
    few = dupdex("learn", "--sample", str(LIMIT - 1), "--json").json()
    assert (few["documents"], few["sentences"]) == (LIMIT - 1, {})
    with Index.open(Location(str(tmp_path / "dupdex-store"))) as index:
        assert index.meta.boilerplate.documents == LIMIT - 1


def test_learn_needs_an_index(dupdex: CommandLine, tmp_path: Path) -> None:
    refused = dupdex("learn")
    assert refused.status == 3
    assert not (tmp_path / "dupdex-store").exists()


def test_index_learns_by_itself_when_there_are_many(dupdex: CommandLine, tmp_path: Path) -> None:
    def learned_from() -> int:
        return int(dupdex("info", "--json").json()["boilerplate_learned_from"])

    def more(first: int, last: int) -> None:
        documents: list[dict[str, object]] = [
            {"id": f"d{n}", "text": chinese(30, n) + "。" + (NOTICE if n % 100 else "")}
            for n in range(first, last)
        ]
        write_lines(tmp_path / "many.jsonl", documents)
        assert dupdex("index", "many.jsonl", "--plan", "characters").err == ""

    more(0, FROM - 1)
    assert learned_from() == 0
    more(FROM - 1, FROM)
    assert learned_from() == FROM
    more(FROM, FROM + 5)
    assert learned_from() == FROM
    more(FROM, 2 * FROM)
    assert learned_from() == 2 * FROM


def test_what_was_learned_can_be_left_aside_or_forgotten(
    dupdex: CommandLine, tmp_path: Path
) -> None:
    notices(tmp_path)
    dupdex("index", "notices.jsonl")
    dupdex("learn")
    assert dupdex("check", with_notice(99)).status == 1
    assert dupdex("check", with_notice(99), "--boilerplate").status == 0
    forgotten = dupdex("learn", "--forget", "--json").json()
    assert forgotten["sentences"] == {}
    assert dupdex("check", with_notice(99)).status == 0
    assert dupdex("info", "--json").json()["boilerplate"] == 0
