"""What the whole index says of matches: some rest on a passage that many documents have, others
are fillings of one form.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import structs

from indexer.model import Keys
from query.answers import Match, Ref, Term, Verdict
from query.facts.differ import Compared
from query.judged import Judged, Texts
from query.pair import PairJudge
from query.passage_terms import Frequencies, by_field, form_terms
from query.verify.seen_texts import Seen
from query.verify.widespread import RARE, Suspect


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
            wanted = (term for term in (*needed, *self._wished) if term not in self.known)
            self.known |= self.ask(by_field(wanted))
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
                    self.frequencies.wish(form_terms(match.evidence.keys))
        suspects = [self._suspects(lookup, texts) for lookup in lookups]
        shown = [self._shown(*pair) for pair in zip(lookups, suspects, strict=True)]
        left = [
            (known, ref, pair)
            for known, found in zip(shown, suspects, strict=True)
            for ref, pair in found.items()
            if ref not in known
        ]
        counted = self.judge.are_widespread([pair for *_, pair in left], self.frequencies)
        for (known, ref, _), is_widespread in zip(left, counted, strict=True):
            if is_widespread:
                known.add(ref)
        for lookup, dropped in zip(lookups, shown, strict=True):
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
        spared = 1.0 if spaced else RARE if self.judge.shares_little(match, spaced) else 0.0
        return lookup.spread.may_be_in(match.evidence.keys, self._unrelated, spared)

    def mark_templates(
        self, lookups: Sequence[Judged], texts: Texts, size: int | None, facts: bool, keep: bool
    ) -> None:
        """Compare facts, and mark or, unless `keep`, leave out fillings of one form.

        With `facts` the matches tell the facts that differ. Facts of matches beyond `size`, which
        nobody will see, are looked at only where some match may be a filling: all matches together
        tell which are.
        """
        compared, asked = [], []
        for lookup in lookups:
            may_be_forms = self._may_be_forms(lookup, lookup.matches)
            lookup.matches = lookup.matches[: None if may_be_forms else size]
            found = self._facts(lookup, texts, facts, may_be_forms)
            pairs = list(zip(lookup.matches, found, strict=True))
            compared.append(pairs)
            asked.append(pairs if may_be_forms else [(match, None) for match, _ in pairs])
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
        self, lookup: Judged, texts: Texts, shown: bool, forms: bool
    ) -> list[Compared | None]:
        """The facts of matches. Those of partial copies are not shown, and are compared only where
        some match can be a filling of a form.
        """
        read = [
            (match, texts.get(match.ref))
            if forms or (shown and match.verdict is not Verdict.PARTIAL)
            else (match, None)
            for match in lookup.matches
        ]
        return self.judge.facts(lookup.asked, read)
