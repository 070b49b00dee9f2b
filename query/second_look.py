"""What the whole index says of matches: some rest on a passage that many documents have, others
are fillings of one form.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import structs

from indexer.model import Keys
from mappings.contract import Field
from query.answers import CandidatePage, Match, Ref, Term, Verdict
from query.facts.differ import Compared
from query.known_spread import KnownSpread, passage_terms
from query.pair import Frequencies, PairJudge, Text
from query.verify.widespread import RARE, Seen, Suspect

Texts = dict[Ref, Text]
"""The texts of matches, ready for what else is asked of them."""


@dataclass(slots=True)
class Judged:
    """An asked text with its candidates judged. `matches` are its own business until they are
    ranked, best first; `widespread` and `templates`: how many were left out; `seconds`: what the
    comparison of texts took.
    """

    asked: Text
    page: CandidatePage
    to_read: list[Ref]
    spread: KnownSpread
    matches: list[Match] = field(default_factory=list)
    examined: int = 0
    from_stored: int = 0
    undecided: int = 0
    widespread: int = 0
    templates: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class Counts:
    """Document frequencies that a store is asked for once each. What was wished for is asked along
    with the next terms that somebody needs.
    """

    ask: Frequencies
    known: dict[Term, int] = field(default_factory=dict)
    _wished: dict[Term, None] = field(default_factory=dict)

    def wish(self, terms: Iterable[Term]) -> None:
        """Note terms that would be good to know, if the store is asked at all."""
        self._wished.update(dict.fromkeys(terms))

    def __call__(self, keys: Keys) -> Mapping[Term, int]:
        needed = [(name, term) for name, terms in keys.items() for term in terms]
        if any(term not in self.known for term in needed):
            wanted: dict[Field, list[str]] = {}
            for name, term in dict.fromkeys((*needed, *self._wished)):
                if (name, term) not in self.known:
                    wanted.setdefault(name, []).append(term)
            self.known |= self.ask({name: tuple(terms) for name, terms in wanted.items()})
        return self.known


@dataclass(frozen=True, slots=True)
class SecondLook:
    """Asks the store in how many documents something is, for all lookups together."""

    judge: PairJudge
    frequencies: Counts

    @property
    def _unrelated(self) -> int:
        return self.judge.plan.thresholds.unrelated

    def leave_out_widespread(
        self, lookups: Sequence[Judged], texts: Texts, forms: bool = True
    ) -> None:
        """Remove widespread matches, and count them. Where the store is asked, and `forms` are
        looked for, it tells of possible ones as well, before any facts are compared.
        """
        for lookup in lookups:
            if forms and self._may_be_forms(lookup, lookup.matches):
                for match in lookup.matches:
                    self.frequencies.wish(passage_terms(match.evidence.keys))
        suspects = [self._suspects(lookup, texts) for lookup in lookups]
        shown = [self._shown(*pair) for pair in zip(lookups, suspects, strict=True)]
        left = [
            pair
            for found, known in zip(suspects, shown, strict=True)
            for ref, pair in found.items()
            if ref not in known
        ]
        counted = iter(self.judge.are_widespread(left, self.frequencies))
        for lookup, found, dropped in zip(lookups, suspects, shown, strict=True):
            dropped |= {ref for ref in found if ref not in dropped and next(counted)}
            lookup.widespread = len(dropped)
            if dropped:
                lookup.matches = [match for match in lookup.matches if match.ref not in dropped]
            lookup.spread.learn(self.frequencies.known)

    def _suspects(self, lookup: Judged, texts: Texts) -> dict[Ref, Suspect]:
        """The matches that may be widespread."""
        found = {}
        for match in lookup.matches:
            if match.evidence.verified == "text" and self._may_be_widespread(lookup, match):
                pair = self.judge.suspect(match, lookup.asked, texts[match.ref])
                if pair is not None:
                    found[match.ref] = pair
        return found

    def _shown(self, lookup: Judged, suspects: Mapping[Ref, Suspect]) -> set[Ref]:
        """Those that are widespread by what the lookup has seen, for which nothing is counted."""
        if not suspects:
            return set()
        seen = Seen(lookup.spread.asked, lookup.spread.seen)
        return {ref for ref, pair in suspects.items() if pair.is_shown(seen, self._unrelated)}

    def _may_be_widespread(self, lookup: Judged, match: Match) -> bool:
        """Whether enough of what a match shares may be in many documents; of short passages, as
        scripts with spaces have them, any part is enough.
        """
        spaced = lookup.asked.features.spaced
        but = 1.0 if spaced else RARE if self.judge.shares_little(match, spaced) else 0.0
        return lookup.spread.may_be_in(match.evidence.keys, self._unrelated, but)

    def mark_templates(
        self, lookups: Sequence[Judged], texts: Texts, size: int | None, facts: bool, keep: bool
    ) -> None:
        """Compare facts, and mark or, unless `keep`, leave out fillings of one form.

        With `facts` the matches tell the facts that differ. Facts of matches beyond `size`, which
        nobody will see, are looked at only where a match may be left out.
        """
        compared, asked = [], []
        for lookup in lookups:
            matches = lookup.matches[: size if keep else None]
            may_be_forms = self._may_be_forms(lookup, matches)
            found = self._facts(lookup, matches, texts, facts, may_be_forms)
            compared.append(list(zip(matches, found, strict=True)))
            asked.append(compared[-1] if may_be_forms else [(match, None) for match in matches])
        marks = self.judge.are_templates(asked, self.frequencies)
        for lookup, pairs, are_templates in zip(lookups, compared, marks, strict=True):
            kept = []
            for (match, said), template in zip(pairs, are_templates, strict=True):
                if template and not keep:
                    lookup.templates += 1
                    continue
                if facts:
                    match = self.judge.with_facts(match, said)
                kept.append(structs.replace(match, template=True) if template else match)
            lookup.matches = kept

    def _may_be_forms(self, lookup: Judged, matches: Sequence[Match]) -> bool:
        """Whether what the asked text shares with some match can be in many documents, and several
        are there to show a form.
        """
        read = [
            match
            for match in matches
            if match.verdict is not Verdict.EXACT and match.evidence.verified == "text"
        ]
        may, least = lookup.spread.may_mostly_be_in, self._unrelated
        return len(read) > 1 and any(may(match.evidence.keys, least) for match in read)

    def _facts(
        self, lookup: Judged, matches: Sequence[Match], texts: Texts, shown: bool, forms: bool
    ) -> list[Compared | None]:
        """The facts of matches. Those of partial copies are not shown, and are compared only where
        some match can be a filling of a form.
        """
        wanted = (forms or (shown and match.verdict is not Verdict.PARTIAL) for match in matches)
        read = [
            (match, texts.get(match.ref) if is_wanted else None)
            for match, is_wanted in zip(matches, wanted, strict=True)
        ]
        return self.judge.facts(lookup.asked, read)
