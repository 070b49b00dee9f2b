"""What becomes of single pages of a batch, before anything is written."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from dupdex.pages.addresses import LONGEST, identity, normalised, site_of
from dupdex.pages.extraction import LARGEST, VERSION
from dupdex.pages.page_model import Extracted, Fetched, PageState, page_id
from dupdex.pages.page_record import PageRecord, raw_hash
from dupdex.pages.sketches import are_alike, sketch_of

GONE: Final = (404, 410)
_OVER: Final = (PageState.GONE, PageState.FAILED)
_SAME: Final = (
    "text",
    "title",
    "author",
    "published",
    "language",
    "next_page",
    "previous_page",
    "quality",
)


@dataclass(frozen=True, slots=True)
class Taken:
    """One page of a batch. `kept`: there is a record of it, under `id`."""

    id: str
    changed: bool = False
    kept: bool = True
    why: str = ""


@dataclass(slots=True)
class Batch:
    """The pages of a batch by id. `stored`: as they were; `pages`: as they will be; `touched`:
    those whose documents may have to be others; `removed`: those that are let go of."""

    stored: dict[str, PageRecord]
    keep_bodies: bool = True
    pages: dict[str, PageRecord] = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)
    removed: set[str] = field(default_factory=set)

    def take(self, fetched: Fetched, extracted: Extracted) -> Taken:
        """Take one page in."""
        own = page_id(identity(fetched.url))
        if not own:
            why = f"its address is none, or has more than {LONGEST:,} characters"
            return Taken(own, kept=False, why=why)
        if fetched.status >= 400:
            return self._failing(own, fetched)
        name = page_id(extracted.canonical) or own
        if name != own and self._is_another(name, own, extracted):
            name = own
        elif name != own and _has_text(self.stored.get(own)) and not _has_text(self.known(name)):
            name = own  # until the page that it declares is there, which may be another one
        if name != own and own in self.stored and extracted.text:  # one page is one page
            self.pages.pop(own, None)
            self.removed.add(own)
            self.touched.add(own)
        return self._read(name, fetched, extracted)

    def known(self, name: str) -> PageRecord | None:
        """A page as it is by now."""
        return self.pages.get(name) or self.stored.get(name)

    def remaining(self) -> dict[str, PageRecord]:
        """All pages that were read or taken in, as they are by now."""
        both = {**self.stored, **self.pages}
        return {name: page for name, page in both.items() if name not in self.removed}

    def _keep(self, page: PageRecord) -> None:
        self.pages[page.id] = page
        self.removed.discard(page.id)

    def _failing(self, name: str, fetched: Fetched) -> Taken:
        before = self.known(name)
        why = f"the site answered {fetched.status}"
        state = PageState.GONE if fetched.status in GONE else PageState.FAILED
        if before is None:
            empty = Extracted(name, "", site=site_of(fetched.url), why=why)
            self._keep(_record(name, fetched, empty, state, with_body=False))
        elif state is PageState.FAILED:  # it may answer tomorrow; what was read of it stays
            return Taken(name, kept=False, why=why)
        else:
            now = replace(before, state=state, status=fetched.status, fetched=fetched.at, why=why)
            self._keep(now)
            self.touched.add(name)
        return Taken(name, why=why)

    def _is_another(self, name: str, own: str, extracted: Extracted) -> bool:
        """Whether a page that declares an address is another one than the page that has it: both
        come from elsewhere, with different texts. Some sites declare one address for all."""
        there = self.known(name)
        if there is None or not there.text or not extracted.text:
            return False
        if page_id(identity(there.url)) == own or there.text == extracted.text:
            return False
        return not are_alike(sketch_of(there.text), sketch_of(extracted.text))

    def _read(self, name: str, fetched: Fetched, extracted: Extracted) -> Taken:
        before = self.known(name)
        if not extracted.text and before is not None and before.text:
            now = replace(
                before,
                state=PageState.FAILED,
                status=fetched.status,
                fetched=fetched.at,
                why=extracted.why,
            )
            self._keep(now)
            self.touched.add(name)
            return Taken(name, why=extracted.why)
        state = PageState.UNFIT if extracted.text else PageState.FAILED
        now = _record(name, fetched, extracted, state, with_body=self.keep_bodies)
        changed = before is None or before.text != now.text
        if before is not None:
            at = now.changed if changed else before.changed
            is_back = before.state in _OVER
            kept_state = now.state if is_back else before.state
            now = replace(now, changed=at, document=before.document, state=kept_state)
        self._keep(now)
        if before is None or before.extraction != VERSION or _differ(before, now):
            self.touched.add(name)
        return Taken(name, changed, why=extracted.why)


def _record(
    name: str, fetched: Fetched, extracted: Extracted, state: PageState, *, with_body: bool
) -> PageRecord:
    keeps = with_body and len(fetched.body) <= LARGEST
    return PageRecord(
        name,
        url=normalised(fetched.url),
        site=extracted.site,
        state=state,
        fetched=fetched.at,
        changed=fetched.at,
        status=fetched.status,
        extraction=VERSION,
        quality=extracted.quality,
        published=extracted.published,
        language=extracted.language,
        raw_hash=raw_hash(fetched.body),
        previous_page=_linked(extracted.previous_url),
        next_page=_linked(extracted.next_url),
        content_type=fetched.content_type[:200],
        title=extracted.title,
        author=extracted.author,
        text=extracted.text,
        body=fetched.body if keeps else None,
        why=extracted.why,
    )


def _has_text(page: PageRecord | None) -> bool:
    return page is not None and bool(page.text)


def _linked(url: str) -> str:
    return page_id(identity(url)) if url else ""


def _differ(before: PageRecord, now: PageRecord) -> bool:
    """Whether a document may have to change; a page that came back, too."""
    if before.state in _OVER:
        return True
    return any(getattr(before, name) != getattr(now, name) for name in _SAME)
