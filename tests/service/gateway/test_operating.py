"""Health, metrics, logs, TLS and the end of a gateway, as whoever runs it meets them."""

from __future__ import annotations

import http.client
import json
import re
import signal
import ssl
import subprocess
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dupdex
from tests.command import run
from tests.service.gateway.asking import Answer, ask
from tests.service.gateway.running import Running, free_port, gateway_before
from tests.service.proxy import Reply, Seen, proxied


def test_health_readiness_and_version(gateway: Running) -> None:
    assert ask(gateway.url, "GET", "/healthz").json() == {"status": "ok"}
    assert ask(gateway.url, "GET", "/readyz").json() == {"status": "ready"}
    version = ask(gateway.url, "GET", "/version").json()
    assert version["dupdex"] == dupdex.__version__
    assert version["server"]["version"].startswith("8.")


def test_without_its_cluster_it_lives_and_is_not_ready() -> None:
    with gateway_before(f"http://127.0.0.1:{free_port()}") as running:
        assert ask(running.url, "GET", "/healthz").status == 200
        answer = ask(running.url, "GET", "/readyz")
        assert (answer.status, answer.json()["reason"]) == (503, "the cluster cannot be reached")


def test_a_folder_is_ready(tmp_path: Path) -> None:
    with gateway_before(str(tmp_path / "store")) as running:
        assert ask(running.url, "GET", "/readyz").status == 200
        assert ask(running.url, "GET", "/version").json()["server"] is None


def test_ids_come_back_and_are_in_the_log(gateway: Running) -> None:
    trace = "0af7651916cd43dd8448eb211c80319c"
    answer = ask(
        gateway.url, "GET", "/no-such-thing/_search?q=secret+words", x_request_id="r-17",
        x_opaque_id="o-17", traceparent=f"00-{trace}-b7ad6b7169203331-01",
    )  # fmt: skip
    assert answer.headers["x-request-id"] == "r-17"
    assert answer.headers["x-opaque-id"] == "o-17"
    line = logged(gateway, "r-17")
    assert line["trace.id"] == trace
    assert line["log.level"] == "info"
    assert line["http.response.status_code"] == 404
    assert line["url.path"] == "/no-such-thing/_search"
    assert line["event.duration"] > 0
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00", line["@timestamp"])
    assert "secret" not in gateway.log.read_text()
    forged = ask(gateway.url, "GET", "/", x_request_id="a b\x7f")
    assert "x-request-id" not in forged.headers


def logged(running: Running, request_id: str) -> dict[str, Any]:
    """The line of a request, which is written when its answer has gone."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        lines = [line for line in running.log.read_text().splitlines() if line.startswith("{")]
        found = [
            each for each in map(json.loads, lines) if each.get("http.request.id") == request_id
        ]
        if found:
            (line,) = found
            assert isinstance(line, dict)
            return line
        time.sleep(0.05)
    raise AssertionError(f"no line of request {request_id}")


def figure(answer: Answer, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", answer.content.decode(), re.MULTILINE)
    return float(found[1]) if found else 0.0


def test_metrics_count_by_route(gateway: Running) -> None:
    name = 'dupdex_requests_total{method="GET",route="/{index}/_count",status="404"}'
    before = figure(ask(gateway.url, "GET", "/metrics"), name)
    for at in range(3):
        ask(gateway.url, "GET", f"/absent-{at}/_count")
    after = ask(gateway.url, "GET", "/metrics")
    assert after.headers["content-type"].startswith("text/plain")
    assert figure(after, name) - before == 3
    assert "absent" not in after.content.decode()


def test_metrics_of_all_workers_are_told_by_each(es_url: str) -> None:
    name = 'dupdex_requests_total{method="GET",route="/{index}/_count",status="404"}'
    with gateway_before(es_url, "--workers", "2") as running:
        for _ in range(20):
            ask(running.url, "GET", "/absent/_count")
        told = {figure(ask(running.url, "GET", "/metrics"), name) for _ in range(8)}
        assert told == {20.0}


def test_it_drains_before_it_stops(es_url: str) -> None:
    def slow(seen: Seen) -> Reply | None:
        if "slow" in seen.path:
            time.sleep(2)
        return None

    with proxied(es_url) as proxy:
        proxy.rule = slow
        with gateway_before(proxy.url, "--drain-seconds", "1") as running:
            answers: list[Answer] = []
            asked = threading.Thread(
                target=lambda: answers.append(ask(running.url, "GET", "/slow/_count"))
            )
            asked.start()
            time.sleep(0.3)
            assert ask(running.url, "GET", "/readyz").status == 200
            running.process.send_signal(signal.SIGTERM)
            time.sleep(0.3)
            assert ask(running.url, "GET", "/readyz").json() == {"status": "stopping"}
            assert ask(running.url, "GET", "/healthz").status == 200
            asked.join()
            assert answers[0].status == 404
            assert running.process.wait(20) == 0


def test_https(es_url: str, tmp_path: Path) -> None:
    certificate, key = tmp_path / "tls.pem", tmp_path / "tls.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj",
         "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out",
         str(certificate)],
        check=True, capture_output=True,
    )  # fmt: skip
    trusting = ssl.create_default_context(cafile=str(certificate))
    options = ("--tls-cert", str(certificate), "--tls-key", str(key))
    with gateway_before(es_url, *options, waits=False) as running:
        line = http.client.HTTPSConnection(urlsplit(running.url).netloc, context=trusting)
        line.request("GET", "/healthz")
        assert line.getresponse().read() == b'{"status":"ok"}'
        line.close()


def test_it_is_not_reached_from_outside_by_mistake(es_url: str, tmp_path: Path) -> None:
    refused = run("serve", "--store", es_url, "--host", "0.0.0.0", folder=tmp_path)
    assert "there is no authentication" in refused.error()
    missing = run("serve", "--store", es_url, "--keys", "absent.json", folder=tmp_path)
    assert "dupdex keys create" in missing.error()
    half = run("serve", "--store", es_url, "--tls-cert", "a.pem", folder=tmp_path)
    assert "--tls-key" in half.error()


def test_a_login_comes_from_a_file_and_stays_in_it(es_url: str, tmp_path: Path) -> None:
    secret = tmp_path / "password"
    secret.write_text("s3cret-word\n")
    secret.chmod(0o600)
    seen: list[str] = []
    with proxied(es_url) as proxy:
        with gateway_before(
            proxy.url, DUPDEX_USERNAME="robot", DUPDEX_PASSWORD_FILE=str(secret)
        ) as running:
            ask(running.url, "GET", "/", es_security_runas_user="elastic")
            log = running.log.read_text()
        seen = [each.authorization for each in proxy.seen if each.path == "/"]
    assert set(seen) == {"Basic cm9ib3Q6czNjcmV0LXdvcmQ="}
    assert "s3cret" not in log
