"""What a crawl brought is stored in batches: pages first, then addresses they lead to, then what
became of their own addresses. Whatever is cut off is asked again, and changes nothing twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final, Protocol

from dupdex.crawl.address import Address, UrlState, id_of, next_due, shapes_of
from dupdex.crawl.aliases import Alias, Aliases
from dupdex.crawl.answer_reading import Kind, Reading
from dupdex.crawl.crawl_limits import Limits, Scope
from dupdex.crawl.frontier import Frontier
from dupdex.crawl.host_budget import HostBudget
from dupdex.crawl.listings import Entry
from dupdex.crawl.shapes import ShapeBudget
from dupdex.pages.addresses import identity
from dupdex.pages.page_model import Extracted, Fetched, PageOutcome, PageState
from mappings.collections import moment

_MOST_TIMES: Final = 200_000
_ENDS: Final = (UrlState.GONE, UrlState.UNWANTED, UrlState.MOVED)
_TEXTS: Final = (PageState.INDEXED, PageState.PART)


class Intake(Protocol):
    """Takes pages in (`dupdex.pages.intake.PageIntake`)."""

    def take(self, pages: Sequence[tuple[Fetched, Extracted]]) -> list[PageOutcome]:
        """Store pages; what became of each, in order."""
        ...

    def texts(self, names: Iterable[str]) -> dict[str, str]:
        """Those of kept pages, by id; pages without a text are left out."""
        ...

    def remove(self, names: Iterable[str]) -> None:
        """Let go of pages, with what documents have of them."""
        ...


@dataclass(frozen=True, slots=True)
class Got:
    """What came of an address, to be stored. `state`: what it is by now, None for a page whose
    text decides; `count`: what it counts as, "" for what the text decides."""

    address: Address
    state: UrlState | None
    count: str = ""
    fetched: Fetched | None = None
    reading: Reading | None = None
    leads_to: tuple[Address, ...] = ()
    same: bool = False

    asked_at: str = ""
    """The site that was asked, where the address has moved to another one."""

    @property
    def site(self) -> str:
        """The site whose queue it came from."""
        return self.asked_at or self.address.site

    @property
    def weight(self) -> int:
        """Bytes held for it."""
        return len(self.fetched.body) if self.fetched is not None else 0


@dataclass(slots=True)
class Stored:
    """What storing a batch gave: `to_ask` are addresses that wait from now on."""

    to_ask: list[Address] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


class Storing:
    """Stores batches; one thread uses it."""

    def __init__(
        self,
        frontier: Frontier,
        intake: Intake,
        scope: Scope,
        limits: Limits,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """`check` raises when another crawl may have taken over."""
        self.frontier, self._intake = frontier, intake
        self._scope, self._limits, self._check = scope, limits, check
        self.shapes = ShapeBudget(limits.fruitless, {each.why for each in frontier.trapped()})
        self.hosts = HostBudget(scope, limits.hosts, frontier.sites())
        self._aliases = Aliases(frontier, intake, self._follows)
        self._times: dict[str, str] = {}

    def begin(self, starts: Iterable[str]) -> list[Address]:
        """The start addresses as they are to be asked now, whenever that was done before."""
        wanted = {id_of(url): Address.met(url) for url in starts}
        self.frontier.meet(wanted.values())
        stored = self.frontier.stored(wanted)
        return [
            replace(stored[name], url=address.url, site=address.site, depth=0, hops=0)
            for name, address in wanted.items()
        ]

    def meet(self, urls: Iterable[str]) -> list[Address]:
        """Addresses to begin with that a site names by itself: its sitemaps."""
        known = self.frontier.meet(Address.met(url) for url in urls if self._follows(url))
        return known.fresh

    def met_sites(self) -> list[str]:
        """The sites of this crawl that were met before."""
        met = sorted(self.frontier.sites())
        return [site for site in met if self._scope.has_site(site) and self.hosts.lets(site)]

    def store(self, batch: Sequence[Got]) -> Stored:
        """Store what came; returns what is to be asked next."""
        self._check()
        out = Stored()
        leads = [list(self._leads(got)) for got in batch]
        self._note_times(leads)
        states = [self._state(got) for got in batch]
        aliases = self._aliases.found(batch, states)
        settled, fruits = self._settled(batch, states, aliases, out.counts)
        leads.append([alias.original for alias in aliases.values()])
        own = {got.address.id for got in batch}
        led_to = (address for each in leads for address in each if address.id not in own)
        known = self.frontier.meet(led_to)
        self._note_shapes(batch, fruits, leads, {address.id for address in known.fresh})
        self._check()
        back = list(self._aliases.of(settled))
        self._aliases.remove_copies()
        self.frontier.write([*settled, *back])
        out.to_ask = [*known.fresh, *known.renewed]
        waiting = [each for each in (*settled, *back) if each.state is UrlState.WAITING]
        out.to_ask += waiting
        return out

    def _follows(self, url: str) -> bool:
        """Whether an address is one of this crawl, of a host that is."""
        return self._scope.has(url) and self.hosts.lets_ask(url)

    def _note_times(self, leads: Iterable[list[Address]]) -> None:
        """Keep what lists say of addresses until these are settled: they may be under way."""
        if len(self._times) > _MOST_TIMES:
            self._times.clear()
        for led_to in leads:
            for address in led_to:
                if address.modified is not None:
                    before = self._times.get(address.id, "")
                    self._times[address.id] = max(before, address.modified)

    def _settled(
        self,
        batch: Sequence[Got],
        states: Sequence[UrlState],
        aliases: Mapping[int, Alias],
        counts: Counter[str],
    ) -> tuple[list[Address], list[bool]]:
        """What became of each address, and whether it gave a text."""
        now = datetime.now(UTC)
        states = [
            UrlState.ALIAS if number in aliases else state for number, state in enumerate(states)
        ]
        outcomes = self._taken(batch, states)
        out, fruits = [], []
        for number, (got, state) in enumerate(zip(batch, states, strict=True)):
            outcome = outcomes.get(number)
            counts[_count(got, state, outcome)] += 1
            address = _as_settled(got, state, outcome, now)
            if modified := self._times.pop(address.id, ""):
                address = replace(address, modified=max(modified, address.modified or ""))
                address = replace(address, due=next_due(address, now))
            if alias := aliases.get(number):
                address = self._aliases.written(address, alias)
            out.append(address)
            fruits.append(outcome is not None and outcome.changed and outcome.state in _TEXTS)
        return out, fruits

    def _state(self, got: Got) -> UrlState:
        if got.state is not None:
            return got.state
        reading = got.reading
        if reading is not None and reading.kind is Kind.LISTING:
            return UrlState.LISTING
        if reading is None or reading.kind is Kind.OTHER or reading.no_index:
            return UrlState.UNWANTED
        return UrlState.TAKEN

    def _taken(self, batch: Sequence[Got], states: Sequence[UrlState]) -> dict[int, PageOutcome]:
        pages = {}
        for number, (got, state) in enumerate(zip(batch, states, strict=True)):
            if got.fetched is None:
                continue
            if state is UrlState.TAKEN and got.reading and got.reading.extracted:
                pages[number] = (got.fetched, got.reading.extracted)
            elif got.address.page and state in _ENDS:
                # it was a page, and is none any more
                status = got.fetched.status if state is UrlState.GONE else 410
                gone = replace(got.fetched, url=got.address.url, status=status, body=b"")
                pages[number] = (gone, Extracted(got.address.page, ""))
        # a page that names itself first: what others say of it is judged by its text
        pages = dict(sorted(pages.items(), key=lambda item: _names_another(*item[1])))
        outcomes = self._intake.take(list(pages.values()))
        return dict(zip(pages, outcomes, strict=True))

    def _leads(self, got: Got) -> Iterator[Address]:
        """The addresses that an answer leads to, as far as the crawl follows them."""
        for address in got.leads_to:
            if self._follows(address.url):
                yield address
        if got.reading is None:
            return
        listing = got.reading.kind is Kind.LISTING
        depth = got.address.depth if listing else got.address.depth + 1
        if depth <= self._limits.depth:
            for entry in got.reading.entries:
                if self._follows(entry.url):
                    yield _met(entry, depth)
        if got.reading.forward and self._follows(got.reading.forward):
            yield Address.met(got.reading.forward, got.address.depth)

    def _note_shapes(
        self,
        batch: Sequence[Got],
        fruits: Sequence[bool],
        leads: Sequence[list[Address]],
        fresh: set[str],
    ) -> None:
        for got, fruit, led_to in zip(batch, fruits, leads, strict=False):
            met_before = got.address.fetched is not None
            if got.reading is None or got.reading.kind is not Kind.PAGE or met_before:
                continue
            new = {shapes_of(address.url) for address in led_to if address.id in fresh}
            sentences = got.reading.sentences if fruit else ()
            self.shapes.note(shapes_of(got.address.url), sentences, new)


def _names_another(fetched: Fetched, extracted: Extracted) -> bool:
    return extracted.canonical != identity(fetched.url)


def _met(entry: Entry, depth: int) -> Address:
    return Address.met(entry.url, depth, modified=entry.modified)


def _as_settled(got: Got, state: UrlState, outcome: PageOutcome | None, now: datetime) -> Address:
    """What became of an address, and when it is to be asked again."""
    address = replace(got.address, state=state, fetched=moment(now))
    if outcome is not None:
        page = "" if outcome.state is PageState.GONE else outcome.id
        address = replace(address, page=page, why=outcome.why)
    is_other = not got.same and (outcome is None or outcome.changed)
    if is_other or address.changed is None:
        address = replace(address, changed=moment(now))
    return replace(address, due=next_due(address, now))


def _count(got: Got, state: UrlState, outcome: PageOutcome | None) -> str:
    """What an address counts as."""
    if outcome is None or got.count:
        return got.count or state.value
    if outcome.state in (PageState.UNFIT, PageState.GONE, PageState.FAILED):
        return "gone" if outcome.state is PageState.GONE else "unfit"
    if not outcome.changed:
        return "unchanged"
    return "changed" if got.address.page else "new"
