"""learn: which sentences of an index are boilerplate."""

from __future__ import annotations

import click

from dupdex.cli.parameters import AT_LEAST_ONE, location, print_json, store_options
from dupdex.cli.screen import note, say_all
from dupdex.index import SAMPLE, Index
from dupdex.session import Session
from indexer.boilerplate import NOTHING, Learned

_SHOWN = 10


@click.command()
@click.option(
    "--sample",
    type=AT_LEAST_ONE,
    default=SAMPLE,
    show_default=True,
    help="Documents to learn from, at most.",
)
@click.option("--forget", is_flag=True, help="Forget what was learned, until learning anew.")
@store_options
def learn(sample: int, forget: bool, store: str | None, index: str | None, as_json: bool) -> None:
    """Learn which sentences are boilerplate and leave them out of lookups.

    A sentence that many unrelated documents share (a disclaimer, a header, the fixed part of a
    template) joins nothing: it has no say when two texts are compared. Copies of one text are
    related, so a text that is copied often stays comparable. 'dupdex index' learns by itself from
    up to 5,000 documents once there are 1,000, and again whenever there are twice as many; run
    this after the texts have changed in kind. 'dupdex check --boilerplate' counts such sentences
    for once.

    Exit status: 0 learned (perhaps that there is none), 2 and more an error.
    """
    with Session(location(store, index)) as session:
        session.reader()  # `create` would make an index that is not there
        with Index.create(session) as opened:
            if forget:
                opened.forget()
            learned = Learned(NOTHING, {}) if forget else opened.learn(sample)
            problem = opened.problem
    if problem:
        note(problem)
    if as_json:
        print_json({**learned.boilerplate.to_json(), "examples": dict(learned.examples)})
        return
    say_all(_lines(learned))


def _lines(learned: Learned) -> list[str]:
    boilerplate = learned.boilerplate
    sentences = boilerplate.sentences
    lines = [f"{boilerplate.documents:,} documents, {len(sentences):,} sentences of boilerplate"]
    lines += [f"  {learned.examples[key]}" for key in list(sentences)[:_SHOWN]]
    if len(sentences) > _SHOWN:
        lines.append(f"  and {len(sentences) - _SHOWN:,} more: --json shows all")
    return lines
