"""The data files of a plan as plain data, for programs that work on several machines.

    resources = resources_of(plan)  # where the index is; can be pickled
    hand_in(resources)              # where the work is done, before the first text

A plan names its files, and the content behind a name never changes. Most are shipped; statistics of
a user's corpus are in the data folder of one machine. The dictionary is not among them: it comes
with the package jieba, which dupdex requires.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from indexer.fingerprints.meant_keys import STEP
from indexer.text import corpus_statistics, data_files, skeleton_table, stop_words, table
from mappings.plan import Plan


@dataclass(frozen=True, slots=True)
class Resources:
    """Files by name."""

    files: Mapping[str, bytes]


def resources_of(plan: Plan) -> Resources:
    """The files that a plan names. Raises PlanMismatch for one that is not on this machine."""
    files = {table.file_name(plan.table): table.content(plan.table)}
    if not {"skeleton", STEP}.isdisjoint(plan.steps):
        name = skeleton_table.file_name(plan.table)
        files[name] = skeleton_table.content(plan.table)
    if plan.uses_statistics:
        name = corpus_statistics.file_name(plan.statistics)
        files[name] = corpus_statistics.content(plan.statistics)
    if plan.simhash.stop_words != "none":
        name = stop_words.file_name(plan.simhash.stop_words)
        files[name] = stop_words.content(plan.simhash.stop_words)
    return Resources(files)


def hand_in(resources: Resources) -> None:
    """Let this process use the files; a shipped file of the same name takes precedence."""
    data_files.give(resources.files)
