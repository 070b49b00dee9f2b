"""A request with an Idempotency-Key happens once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from tests.service.gateway.rest_client import Rest, Told

TEXT = "words that nobody else has put together in this order, and some more of them"


def admit(rest: Rest, key: str, text: str = TEXT) -> Told:
    body = {"id": "1", "text": text}
    return rest.ask("POST", "/check", body, {"Idempotency-Key": key}, index="true", copies="true")


def test_the_second_time_it_is_answered_as_the_first(rest: Rest) -> None:
    first, second = admit(rest, "k"), admit(rest, "k")
    assert (first.status, second.status) == (201, 201)
    assert second.value == first.value
    assert second.headers["idempotency-replayed"] == "true"
    assert "idempotency-replayed" not in first.headers
    other = admit(rest, "another")
    assert (other.status, other.value["outcome"]["status"]) == (200, "updated")


def test_a_key_of_another_request_is_refused(rest: Rest) -> None:
    admit(rest, "k")
    told = admit(rest, "k", TEXT + " and one more")
    assert (told.status, told.value["code"]) == (422, "key_reused")


def test_what_was_refused_may_be_tried_again(rest: Rest) -> None:
    said = {"first": "1", "second": "2", "decision": "duplicate"}
    key = {"Idempotency-Key": "k"}
    assert rest.ask("POST", "/decisions", said, key).status == 404
    rest.put("1", TEXT)
    rest.put("2", TEXT.upper())
    rest.refresh()
    assert rest.ask("POST", "/decisions", said, key).status == 200


def test_a_job_is_begun_once(rest: Rest) -> None:
    rest.put("1", TEXT)
    key = {"Idempotency-Key": "k"}
    told = [rest.ask("POST", "/sweep", None, key) for _ in range(2)]
    assert told[0].value == told[1].value
    assert told[0].headers["location"] == told[1].headers["location"]
    assert len(rest.ask("GET", "/jobs").value["jobs"]) == 1


def test_of_many_at_the_same_time_one_happens(rest: Rest) -> None:
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda _: admit(rest, "k"), range(8)))
    done = [each for each in told if each.status == 201]
    waiting = [each for each in told if each.status == 409]
    assert len(done) + len(waiting) == 8
    assert sum("idempotency-replayed" not in each.headers for each in done) == 1
    assert all(each.value["code"] == "key_in_progress" for each in waiting)


def test_a_key_has_a_length(rest: Rest) -> None:
    assert admit(rest, "k" * 251).status == 400


def test_what_is_remembered_goes_with_a_forgotten_document(rest: Rest) -> None:
    admit(rest, "k")
    receipt = rest.ask("DELETE", "/documents/1", forget="true").value
    assert receipt["left"] == []
    assert admit(rest, "k").value["outcome"]["status"] == "created"
