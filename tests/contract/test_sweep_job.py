"""Sweeps of a whole index on both stores: all pairs, once, whatever comes in between."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from dupdex.groups.assign import Grouper
from dupdex.jobs import sweep_job
from dupdex.jobs.joined_pairs import Found, Joined, pairs_between
from dupdex.jobs.run_store import RunStore, State
from dupdex.jobs.sweep_job import Sweep, since_last, sweep
from dupdex.matches.match_store import MatchStore
from dupdex.session import Session
from indexer.model import Ref
from indexer.stores.collection_store import scan
from indexer.stores.lease import leased
from mappings.errors import StoreUnavailable
from mappings.records import GROUPS, LEASES, MATCHES
from query.sweep import all_pairs
from tests.contract.stores import Store, real

SENTENCES = (
    "昨天下午三点，市里的图书馆为孩子们办了一场关于候鸟的讲座。",
    "老师傅说，修一只旧钟表要先听它走动的声音，再看齿轮磨到了什么程度。",
    "山脚下的村子今年种了许多油菜，春天一到便有人从城里赶来拍照。",
    "渡口的船家记得每一位常客的名字，也记得他们爱坐船头还是船尾。",
    "新修的自行车道沿着河岸一直通到水文站，傍晚时分格外热闹。",
    "厨房里飘出炒豆子的香味，祖母把去年收的花生也倒进了锅里。",
    "气象台提醒，未来两天北部山区有大雾，行车的人要放慢速度。",
    "剧团在旧仓库里排练新戏，布景是演员们自己用纸板和麻绳做的。",
    "博物馆的库房里有一只陶罐，口沿上刻着至今没有人认得的符号。",
)


def text_of(number: int) -> str:
    """Three sentences, others for every number below 84."""
    parts = [SENTENCES[(number // 9**place + 2 * place) % 9] for place in range(2)]
    return (
        f"第{number}篇。"
        + "".join(parts)
        + f"编号是{number * 7919}的读者来信说，{number}号楼的灯修好了。"
    )


def documents() -> dict[str, str]:
    out = {f"d{number:02}": text_of(number * 10) for number in range(8)}
    out |= {
        f"d{number:02}-near": text_of(number * 10).replace("的", "得", 2) for number in range(5)
    }
    out |= {f"d{number:02}-same": text_of(number * 10) + "！" for number in range(3)}
    out |= {"d06-strokes": "丨".join(text_of(60)), "d06-turned": f"\u202e{text_of(60)[::-1]}"}
    return out


@pytest.fixture
def session(store: Store) -> Iterator[Session]:
    store.write(*(real(name, text) for name, text in documents().items()))
    store.close_writer()
    with ExitStack() as opened:
        yield opened.enter_context(Session(store.opener.location))


def recorded(session: Session) -> dict[tuple[str, str], str]:
    """The verdicts that are kept, by the ids of a pair."""
    records = MatchStore.open(session).everything()
    return {(each.first.id, each.second.id): each.verdict.value for each in records}


def looked_up(session: Session) -> dict[tuple[str, str], str]:
    """The same as lookups of all documents find them."""
    reader = session.reader()
    pairs = all_pairs(reader.scan(), reader.meta.plan, reader, reader.meta.boilerplate)
    found = {}
    for pair in pairs:
        first, second = sorted((pair.first.id, pair.second.id))
        found[first, second] = pair.match.verdict.value
    return found


def grouped(session: Session) -> dict[str, str]:
    return {ref.id: standing.group for ref, standing in session.reader().all_standings()}


def versions(session: Session) -> set[tuple[str, str]]:
    kept = [session.collection(each) for each in (MATCHES, GROUPS)]
    return {(item.id, item.version) for each in kept for item in scan(each)}


def test_a_sweep_records_what_lookups_find(session: Session) -> None:
    run = sweep(session)
    assert run.state is State.DONE
    pairs = recorded(session)
    assert pairs == looked_up(session)
    assert pairs["d00", "d00-same"] == "exact"
    assert pairs["d01", "d01-near"] == "near"
    groups = grouped(session)
    assert groups["d00"] == groups["d00-near"] == groups["d00-same"]
    assert groups["d06"] == groups["d06-strokes"] == groups["d06-turned"]
    assert groups["d07"] == "d07"
    assert run.counts["documents"] == len(documents())
    assert run.counts["pairs"] == run.counts["kept"] == len(pairs)
    assert run.counts["groups"] == 6


def test_a_second_sweep_changes_nothing(session: Session) -> None:
    sweep(session)
    before, groups = versions(session), grouped(session)
    again = sweep(session)
    assert again.counts["pairs"] > 0
    assert versions(session) == before
    assert grouped(session) == groups


def test_pairs_alone(session: Session) -> None:
    sweep(session, Sweep(groups=False))
    assert recorded(session) == looked_up(session)
    assert all(name == group for name, group in grouped(session).items())


class Killed(BaseException):
    """What no cleanup hears of."""


def killed_after(parts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let sweeps die when so many parts are settled."""
    real_pairs, done = pairs_between, 0

    def pairs(part: tuple[int, int], joined: Joined) -> Found:
        nonlocal done
        if done == parts:
            raise Killed
        done += 1
        return real_pairs(part, joined)

    monkeypatch.setattr(sweep_job, "PART", 3)
    monkeypatch.setattr(sweep_job, "MARGIN", 0)
    monkeypatch.setattr(sweep_job, "pairs_between", pairs)


def test_it_goes_on_where_it_stopped(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        killed_after(2, patch)
        with pytest.raises(Killed):
            sweep(session)
    (broken,) = RunStore.open(session).latest()
    assert broken.state is State.FAILED
    assert broken.mark is not None and broken.mark["after"].endswith("d01-same")
    begun: list[int] = []
    real_pairs = pairs_between

    def pairs(part: tuple[int, int], joined: Joined) -> Found:
        begun.append(part[0])
        return real_pairs(part, joined)

    monkeypatch.setattr(sweep_job, "PART", 3)
    monkeypatch.setattr(sweep_job, "MARGIN", 0)
    monkeypatch.setattr(sweep_job, "pairs_between", pairs)
    run = sweep(session)
    assert (run.id, run.state, run.counts["resumed"]) == (broken.id, State.DONE, 1)
    assert begun[0] == 6
    assert recorded(session) == looked_up(session)


def test_what_changes_meanwhile(store: Store, session: Session) -> None:
    """A document that is written, changed or deleted while a sweep judges what it has read."""
    changes = [True]

    seen = 0

    def step(steps: int, _: int | None = None) -> None:
        nonlocal seen
        seen += steps
        if seen == 2 * len(documents()) and changes.pop():  # all is read, nothing is judged
            store.write(real("d06", text_of(70)), real("new", text_of(60)))
            store.writer.delete(["d00-near"])
            store.writer.refresh()
            store.close_writer()
            changes.append(False)

    sweep(session, step=step)
    assert recorded(session) == looked_up(session)
    assert ("d06", "d07") in recorded(session)
    assert not [pair for pair in recorded(session) if "d00-near" in pair]
    assert grouped(session)["d06"] == grouped(session)["d07"]


def test_documents_since_a_time(store: Store, session: Session) -> None:
    assert since_last(session) is None
    sweep(session)
    last = since_last(session)
    assert last is not None
    store.write(real("e00", text_of(70)))
    store.writer.delete(["d02-same"])
    store.writer.refresh()
    store.close_writer()
    run = sweep(session, Sweep(since=last))
    assert run.state is State.DONE
    assert recorded(session) == looked_up(session)
    assert run.counts["kept"] == len(recorded(session))
    assert grouped(session)["e00"] == grouped(session)["d07"]
    nothing = sweep(session, Sweep(since=last + 10**9))
    assert nothing.counts["documents"] == 0


def test_one_at_a_time(session: Session) -> None:
    with (
        leased(session.collection(LEASES), sweep_job.JOB),
        pytest.raises(StoreUnavailable, match="under way elsewhere"),
    ):
        sweep(session, wait=0.1)


def test_a_run_whose_program_is_gone(session: Session) -> None:
    runs = RunStore.open(session)
    lost = runs.begin(sweep_job.JOB)
    time.sleep(0.01)  # runs are told apart by the millisecond
    assert runs.get(lost.id).state is State.INTERRUPTED
    with leased(session.collection(LEASES), sweep_job.JOB):
        assert runs.get(lost.id).state is State.RUNNING
        later = runs.begin(sweep_job.JOB)
        assert [run.state for run in runs.latest()] == [State.RUNNING, State.INTERRUPTED]
    run = sweep(session)
    states = {run.id: run.state for run in runs.latest()}
    assert states == {
        lost.id: State.INTERRUPTED,
        later.id: State.INTERRUPTED,
        run.id: State.DONE,
    }
    assert all(run.ended for run in runs.latest())


def test_old_runs_are_forgotten(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dupdex.jobs.run_store.KEPT", 3)
    runs = RunStore.open(session)
    for _ in range(6):
        last = runs.begin("sweep")
        time.sleep(0.002)
    assert len(runs.latest()) == 3
    assert runs.latest()[0].id == last.id


def test_groups_as_those_of_documents_that_came_one_by_one(store: Store, session: Session) -> None:
    sweep(session)
    swept = grouped(session)
    writer = store.writer
    grouper = Grouper(session, writer)
    grouper.assign([Ref("", name) for name in documents()])
    writer.refresh()
    assert grouped(session) == swept
