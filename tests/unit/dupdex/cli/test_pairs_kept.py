"""decide, matches, forget, and delete by query, on the embedded store."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupdex.index import Index
from dupdex.location import Location
from dupdex.matches.match_record import pair_id
from dupdex.matches.match_store import MatchStore
from dupdex.session import Session
from indexer.model import Ref
from tests.command import write_lines
from tests.unit.dupdex.cli.conftest import RAIN, CommandLine

Lines = list[dict[str, object]]


@pytest.fixture
def paired(indexed: CommandLine) -> CommandLine:
    """With the pairs of the index."""
    with Session(Location("dupdex-store")) as session, Index.open(session) as index:
        every = [document.ref for document in index.scan()]
        MatchStore.open(session).settle(every, list(index.sweep()), index.plan.id, "sweep-1")
    return indexed


def test_a_decision_is_told_and_kept(indexed: CommandLine) -> None:
    done = indexed("decide", "rain", "again", "not-duplicate", "--why", "两次降雨", "--by", "Li")
    assert (done.status, done.out) == (0, "again  rain  not-duplicate\n")
    left = indexed("check", "--id", "rain")
    assert left.status == 1
    assert "1 left out as decided to be no duplicates" in left.out
    listed = indexed("check", "--id", "rain", "--decided")
    assert listed.status == 0
    assert "decided: not-duplicate" in listed.out
    assert indexed("check", "--file", "news.jsonl", "--self").out.splitlines()[0] == "rain\tnone"
    back = indexed("decide", "again", "rain", "undo", "--json").json()
    assert (back["first"]["id"], back["decision"]) == ("again", None)
    assert back["history"][0]["by"] == "Li"
    again = indexed("decide", "rain", "again", "duplicate")
    assert "before: not-duplicate by Li, " in again.out
    assert ": 两次降雨" in again.out
    assert indexed("check", "--id", "rain").status == 0


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("rain", "nobody", "duplicate"), 3, "no document 'nobody' in the index"),
        (("rain", "rain", "duplicate"), 2, "is one document"),
        (("rain", "again", "undo"), 2, "nothing is decided"),
        (("rain", "again", "maybe"), 2, "is not one of"),
    ],
)
def test_what_cannot_be_decided(
    indexed: CommandLine, arguments: tuple[str, ...], status: int, said: str
) -> None:
    refused = indexed("decide", *arguments)
    assert refused.status == status
    assert said in refused.err


def test_matches(paired: CommandLine) -> None:
    listed = paired("matches")
    assert listed.status == 0
    (line,) = listed.out.splitlines()
    verdict, first, second, found, *_ = line.split("\t")
    assert verdict.startswith("near 0.")
    assert (first, second) == ("again", "rain")
    assert found.startswith("20")
    (record,) = paired("matches", "--of", "rain", "--json").json_lines()
    name = pair_id(Ref("dupdex", "again"), Ref("dupdex", "rain"))
    kept = paired("matches", "--pair", name, "--json").json()
    assert [kept[side] for side in kept] == [record[side] for side in ("first", "second")]
    shown = paired("matches", "--pair", name).out.split()
    assert shown == [record[side]["id"] for side in ("first", "second")]
    assert paired("matches", "--pair", "nonsense").status == 3
    assert "leave the other" in paired("matches", "--pair", name, "--undecided").err
    assert record["first"] == {"index": "dupdex", "id": "again"}
    assert (record["verdict"], record["run"], record["decision"]) == ("near", "sweep-1", None)
    for none in (
        ("--of", "fox"),
        ("--of", "nobody"),
        ("--verdict", "exact"),
        ("--decided", "duplicate"),
        ("--run", "other"),
        ("--since", "2999-01-01"),
    ):
        assert (paired("matches", *none).status, none) == (1, none)
    for some in (("--verdict", "near", "--verdict", "exact"), ("--undecided",), ("--since", "1d")):
        assert (paired("matches", *some).status, some) == (0, some)
    paired("decide", "rain", "again", "duplicate")
    assert paired("matches", "--undecided").status == 1
    assert "decided: duplicate" in paired("matches", "--decided", "duplicate").out
    assert "exclude each other" in paired("matches", "--decided", "duplicate", "--undecided").err
    assert "is no date" in paired("matches", "--since", "soon").err


def test_matches_page_by_page(dupdex: CommandLine) -> None:
    documents: Lines = [
        {"id": str(n), "text": RAIN.replace("今天", "今天" * n)} for n in range(1, 5)
    ]
    write_lines(Path("four.jsonl"), documents)
    dupdex("index", "four.jsonl")
    assert dupdex("matches").status == 1
    with Session(Location("dupdex-store")) as session, Index.open(session) as index:
        every = [document.ref for document in index.scan()]
        MatchStore.open(session).settle(every, list(index.sweep()), index.plan.id)
    whole = dupdex("matches")
    assert whole.err == ""
    lines = whole.out.splitlines()
    assert len(lines) == 6
    got: list[str] = []
    after: tuple[str, ...] = ()
    while True:
        page = dupdex("matches", "--size", "4", *after)
        got += page.out.splitlines()
        if not page.err:
            break
        assert page.err.startswith("dupdex: there are more: --after ")
        after = ("--after", page.err.split()[-1])
    assert got == lines
    assert dupdex("matches", "--size", "4", "--json").json_lines()[-1] == {"next": after[1]}
    assert dupdex("matches", "--after", "nonsense").status == 2


def test_delete_what_a_query_finds(paired: CommandLine) -> None:
    shown = paired("delete", "--query", "city=北京", "--dry-run")
    assert (shown.status, shown.out) == (0, "rain  暴雨预警\n1 selected, 0 deleted\n")
    assert paired("get", "rain").status == 0
    none = paired("delete", "--query", "city=北京", "--query", "n=3", "--json")
    assert (none.status, none.json()) == (1, {"selected": 0, "deleted": 0, "unread": 0})
    done = paired("delete", "--text", "暴雨", "--query", "city=北京", "--json")
    assert (done.status, done.json()) == (0, {"selected": 1, "deleted": 1, "unread": 0})
    assert paired("get", "rain").status == 1
    assert paired("matches").status == 1


def test_delete_what_is_old(dupdex: CommandLine) -> None:
    days = ("2025-12-31", "2026-01-01", "soon", None)
    documents: Lines = [{"id": str(n), "text": RAIN, "day": day} for n, day in enumerate(days)]
    write_lines(Path("days.jsonl"), documents)
    dupdex("index", "days.jsonl")
    done = dupdex("delete", "--before", "2026-01-01", "--field", "day")
    assert done.status == 0
    assert done.out.splitlines()[-1] == "1 selected, 1 deleted"
    assert done.err == "dupdex: 1 document stays, as no readable date is in day\n"
    assert dupdex("delete", "--before", "1d", "--field", "day", "--yes").status == 0
    assert [dupdex("get", str(n)).status for n in range(4)] == [1, 1, 0, 0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "give IDs, or say which"),
        (("rain", "--query", "city=北京"), "not both"),
        (("--before", "2026-01-01"), "--before DATE --field F"),
        (("--field", "day"), "--before DATE --field F"),
        (("--query", "city"), "--query 'city': write FIELD=VALUE"),
        (("--before", "soon", "--field", "day"), "is no date"),
        (("--before", "999999w", "--field", "day"), "too long ago"),
    ],
)
def test_what_selects_nothing_is_refused(
    indexed: CommandLine, arguments: tuple[str, ...], said: str
) -> None:
    refused = indexed("delete", *arguments)
    assert refused.status == 2
    assert said in refused.err


def test_forget(paired: CommandLine) -> None:
    paired("decide", "rain", "again", "duplicate")
    before = paired("forget", "rain", "--verify")
    assert before.status == 1
    assert before.out.splitlines()[0] == "left          index dupdex: the document"
    receipt = paired("forget", "rain", "--json")
    assert receipt.status == 0
    values = receipt.json()
    assert (values["documents"], values["matches"], values["decisions"]) == (["dupdex"], 1, 1)
    assert values["left"] == []
    verified = paired("forget", "rain", "--verify")
    assert (verified.status, verified.out.split(":")[0]) == (0, "left          nothing")
    assert paired("forget", "rain", "--verify", "--json").json() == {"id": "rain", "left": []}
    assert paired("forget", "rain").status == 1
    told = paired("forget", "fox")
    assert told.out.splitlines()[0].startswith("forgotten     fox, 20")


def test_forgetting_makes_no_index(paired: CommandLine) -> None:
    """A receipt of a mistyped index would say that nothing is left."""
    for command in (("forget", "rain"), ("forget", "rain", "--yes"), ("forget", "rain", "--json")):
        refused = paired(*command, "--index", "typo")
        assert (refused.status, refused.out) == (3, "")
        assert "no index" in refused.err
    assert paired("info", "--index", "typo").status == 3
    assert paired("check", "--id", "rain").status == 0


def test_a_job_that_never_ran(paired: CommandLine) -> None:
    assert "nothing ran yet; 'dupdex sweep'" in paired("jobs").err
    assert paired("sweep").status == 0
    assert paired("jobs", "--job", "sweep").status == 0
    told = paired("jobs", "--job", "retro")
    assert told.status == 1
    assert "no run of a job 'retro'; leave --job out" in told.err


def test_a_sweep_makes_groups_and_the_report_says_whose(paired: CommandLine) -> None:
    assert paired("report", "--json").json()["health"]["group_policy"] is None
    assert paired("sweep").status == 0
    assert paired("report", "--json").json()["health"]["group_policy"] == "first"


def test_reviews_are_listed_and_counted(paired: CommandLine) -> None:
    listed = paired("review", "--by", "Li")
    assert listed.status == 0
    assert "wait for a decision" in listed.err
    first, second = listed.out.splitlines()[0].split("\t")[1:3]
    assert paired("review", "--by", "Wu").out == ""
    assert paired("decide", first, second, "duplicate", "--by", "Li").status == 0
    left = paired("review", "--by", "Li", "--json")
    assert f'"{first}"' not in left.out or f'"{second}"' not in left.out
    told = paired("review", "--figures")
    assert "reviewer   Li: 1 decisions, 1 lately" in told.out.splitlines()
    assert paired("review", "--figures", "--json").json()["decided"] == 1
    assert paired("review", "--since", "7d").status == 2
