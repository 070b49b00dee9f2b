"""What reviewers did, for people: lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from dupdex.matches.review_figures import ReviewFigures


def figure_lines(figures: ReviewFigures) -> Iterator[str]:
    """What is left and what was done; a line for each reviewer and for each disagreement."""
    yield f"left       {figures.left:,} pairs, {figures.held:,} of them before a reviewer"
    yield f"decided    {figures.decided:,} pairs, {figures.since:,} decisions lately"
    rate = "" if figures.agreement is None else f", {figures.agreement:.0%} of them alike"
    yield f"twice      {figures.twice:,} pairs{rate}"
    for each in figures.reviewers:
        pace = "" if each.per_hour is None else f", {each.per_hour:,.0f} an hour"
        name = each.reviewer or "(no name)"
        yield f"reviewer   {name}: {each.decisions:,} decisions, {each.since:,} lately{pace}"
    for apart in figures.disagreements:
        words = zip(apart.reviewers, apart.decisions, strict=True)
        said = ", ".join(f"{name} says {decision}" for name, decision in words)
        yield f"apart      {apart.first.id}  {apart.second.id}  {said}"
