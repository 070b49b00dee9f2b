"""Pages that are other addresses of a page: they name it as their own, or are to be printed.

claim of a page -> the other address, where it was asked -> the texts of both -> alias, or a page
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Final, Protocol

from dupdex.crawl.address import Address, UrlState, id_of
from dupdex.crawl.answer_reading import Reading
from dupdex.crawl.frontier import Frontier
from dupdex.pages.page_model import page_id
from dupdex.pages.print_versions import print_originals
from dupdex.pages.sketches import Sketch, are_alike, sketch_of

_HELD: Final = 5_000
"""Pages held until the address that they name is asked, some 7 kB each. A further one is taken in,
under that address, and is an alias when it is asked again."""


class Kept(Protocol):
    """The pages that are kept (`dupdex.pages.intake.PageIntake`)."""

    def texts(self, names: Iterable[str]) -> dict[str, str]:
        """Those of kept pages, by id; pages without a text are left out."""
        ...

    def remove(self, names: Iterable[str]) -> None:
        """Let go of pages, with what documents have of them."""
        ...


class Answered(Protocol):
    """An address that was asked, and what was read of its answer."""

    @property
    def address(self) -> Address: ...

    @property
    def reading(self) -> Reading | None: ...


@dataclass(frozen=True, slots=True)
class _Claim:
    """That a page is another one. `exact`: by its address alone, which takes the same text;
    `linked`: the page leads there."""

    original: Address
    sketch: Sketch
    digest: bytes
    exact: bool = False
    linked: bool = True

    def may_hold(self, text: str) -> bool:
        """Whether nothing speaks against it; a page without a text can be any."""
        if self.exact:
            return self.digest == _digest(text)
        return not self.sketch or not text or are_alike(self.sketch, sketch_of(text))


@dataclass(frozen=True, slots=True)
class Alias:
    """That an address is one of another page. `original`: the other address; `text`: of the page
    there, None while that is still to be asked; `page`: its id."""

    claim: _Claim
    text: str | None
    page: str = ""

    @property
    def original(self) -> Address:
        return self.claim.original


class Aliases:
    """The aliases of a crawl; one thread uses it. Those whose page is still to be asked are held
    until then."""

    def __init__(self, frontier: Frontier, kept: Kept, follows: Callable[[str], bool]) -> None:
        """`follows`: whether an address is one of the crawl."""
        self._frontier, self._kept, self._follows = frontier, kept, follows
        self._waiting: dict[str, list[tuple[Address, _Claim]]] = {}
        self._held = 0
        self._copies: set[str] = set()

    def found(self, batch: Sequence[Answered], states: Sequence[UrlState]) -> dict[int, Alias]:
        """Those that claim to be another page, where nothing speaks against it so far. Some sites
        name one address in all pages: one that has another text is not believed."""
        taken = {number for number, state in enumerate(states) if state is UrlState.TAKEN}
        made = {number: self._claims(batch[number]) for number in taken}
        names = {claim.original.id for claims in made.values() for claim in claims}
        stored = self._frontier.stored(names) if names else {}
        claims = {
            number: claim
            for number, several in made.items()
            for claim in reversed(several)
            if claim.linked or claim.original.id in stored
        }
        texts = self._texts(stored.values())
        places = {got.address.id: number for number, got in enumerate(batch)}
        out: dict[int, Alias] = {}
        for number, claim in claims.items():
            there, place = stored.get(claim.original.id), places.get(claim.original.id)
            if place is not None:
                # of two that name each other the first is the page
                is_first = place in taken and (place not in claims or place < number)
                if is_first and claim.may_hold(_text(batch[place])):
                    out[number] = Alias(claim, None)
            elif there is None or there.state is UrlState.WAITING:
                if self._held < _HELD:
                    out[number] = Alias(claim, None)
            elif there.state is UrlState.TAKEN:
                text = texts.get(there.page, "")
                if claim.may_hold(text):
                    out[number] = Alias(claim, text, there.page)
        return out

    def written(self, address: Address, alias: Alias) -> Address:
        """An address that is settled as an alias, as it is to be written now."""
        address = replace(address, why=alias.original.url)
        if alias.text is not None:
            return self._let_go(address, alias.text, alias.page)
        self._waiting.setdefault(alias.original.id, []).append((address, alias.claim))
        self._held += 1
        # whoever goes on after a kill needs its text again, to compare it
        return replace(address, due=address.fetched or address.due, etag="", last_modified="")

    def of(self, settled: Sequence[Address]) -> Iterator[Address]:
        """Pages that claimed to be one of these: done, or, where it is no page or has another
        text, to be asked."""
        named = [each for each in settled if each.state is not UrlState.ALIAS]
        named = [each for each in named if each.id in self._waiting]
        texts = self._texts(named)
        for address in named:
            text = texts.get(address.page, "")
            waiting = self._waiting.pop(address.id, [])
            self._held -= len(waiting)
            for alias, claim in waiting:
                if address.state is UrlState.TAKEN and claim.may_hold(text):
                    yield self._let_go(alias, text, address.page)
                else:
                    yield replace(alias, state=UrlState.WAITING, etag="", last_modified="", why="")

    def remove_copies(self) -> None:
        """Let go of pages that were taken in before they were aliases."""
        if self._copies:
            self._kept.remove(self._copies)
            self._copies = set()

    def _let_go(self, address: Address, text: str, original: str) -> Address:
        """One page is one page: what an alias was before goes, once the other one has its text.
        `original`: the page of the other one, which is this one where both name each other."""
        if not address.page or not text:
            return address
        if address.page == address.id != original:
            self._copies.add(address.page)
        return replace(address, page="")

    def _texts(self, addresses: Iterable[Address]) -> dict[str, str]:
        names = [each.page for each in addresses if each.page]
        return self._kept.texts(names) if names else {}

    def _claims(self, got: Answered) -> list[_Claim]:
        """That it is the page that it names as its own, as it names it, if this crawl follows
        that; else that of a page that may have a version to be printed. The best one first."""
        read = got.reading.extracted if got.reading is not None else None
        if got.reading is None or read is None:
            return []
        own = got.address
        links = {id_of(entry.url): entry.url for entry in reversed(got.reading.entries)}
        name = page_id(read.canonical)
        if name not in (own.id, ""):
            if name not in links or not self._follows(links[name]):
                return []
            original = Address.met(links[name], own.depth, own.hops)
            return [_Claim(original, sketch_of(read.text) if read.text else Sketch(), b"")]
        out = []
        for url in print_originals(own.url):
            if (other := id_of(url)) != own.id and self._follows(url) and read.text:
                linked = other in links
                original = Address.met(links.get(other, url), own.depth, own.hops)
                out.append(_Claim(original, Sketch(), _digest(read.text), True, linked))
        return out


def _text(got: Answered) -> str:
    read = got.reading.extracted if got.reading is not None else None
    return read.text if read is not None else ""


def _digest(text: str) -> bytes:
    """Of the letters of a text."""
    return blake2b("".join(text.split()).encode("utf-8", "replace"), digest_size=16).digest()
