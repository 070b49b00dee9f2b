import os
import time

from indexer.workers import made_in_processes


def _made_by(part: int, seconds: float) -> tuple[int, int]:
    time.sleep(seconds)
    return part, os.getpid()


def test_this_process_has_its_share_of_a_few_batches() -> None:
    """All four given to the other one would leave this one waiting for them."""
    made = made_in_processes(range(4), int, _made_by, 0.2, 2)
    found = [each for _, each in made]
    assert [part for part, _ in found] == [0, 1, 2, 3]
    assert 1 <= [process for _, process in found].count(os.getpid()) <= 3


def test_while_results_are_stored_more_batches_wait_for_the_other_process() -> None:
    made = made_in_processes(range(4), int, _made_by, 0.2, 2, ahead=4)
    assert os.getpid() not in [process for _, (_, process) in made]
