"""The files that gateways are run by are valid for what reads them, and start what there is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from dupdex.cli import cli
from dupdex.gateway.observe.health import Health
from dupdex.gateway.serving import DRAIN_SECONDS

ROOT = Path(__file__).resolve().parents[3]
COMPOSE, DOCKERFILE = ROOT / "docker-compose.yml", ROOT / "Dockerfile"
DEPLOYMENT = ROOT / "examples" / "gateway" / "dupdex.deployment.yaml"
YAMLLINT = (
    "{extends: default, rules: {line-length: {max: 120}, document-start: disable, "
    "comments: {min-spaces-from-content: 1}}}"
)


def tool(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a validator that is installed beside this Python, or among its packages."""
    beside = [Path(folder).parents[2] / "bin" / name for folder in sys.path if "site-" in folder]
    program = next(path for path in beside if path.exists())
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("hadolint", (str(DOCKERFILE),)),
        ("yamllint", ("-s", "-d", YAMLLINT, str(COMPOSE), str(DEPLOYMENT))),
        ("check-jsonschema", ("--builtin-schema", "vendor.compose-spec", str(COMPOSE))),
    ],
)
def test_validators(name: str, arguments: tuple[str, ...]) -> None:
    done = tool(name, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_validators_see_mistakes(tmp_path: Path) -> None:
    (tmp_path / "Dockerfile").write_text("FROM python:latest\nRUN cd /tmp\n")
    assert tool("hadolint", str(tmp_path / "Dockerfile")).returncode != 0
    (tmp_path / "compose.yml").write_text("services: {a: {imagine: b}}\n")
    wrong = tool("check-jsonschema", "--builtin-schema", "vendor.compose-spec",
                 str(tmp_path / "compose.yml"))  # fmt: skip
    assert wrong.returncode != 0


def manifests() -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(DEPLOYMENT.read_text("utf-8")))


def test_the_deployment() -> None:
    deployment, service = manifests()
    for each in (deployment, service):
        kubernetes_validate.validate(each, "1.30", strict=True)
    spec = deployment["spec"]["template"]["spec"]
    (container,) = spec["containers"]
    check_command(container["args"])
    drains = next(each for each in container["args"] if each.startswith("--drain-seconds="))
    assert spec["terminationGracePeriodSeconds"] > int(drains.partition("=")[2]) + DRAIN_SECONDS
    assert container["securityContext"]["readOnlyRootFilesystem"]
    assert spec["securityContext"]["runAsNonRoot"]
    for probe, path in (("livenessProbe", "healthz"), ("readinessProbe", "readyz")):
        assert container[probe]["httpGet"]["path"] == f"/{path}"
        assert hasattr(Health, path)
    mounted = {mount["name"] for mount in container["volumeMounts"]}
    assert mounted == {volume["name"] for volume in spec["volumes"]}


def test_the_services_of_compose() -> None:
    services = yaml.safe_load(COMPOSE.read_text("utf-8"))["services"]
    check_command(services["dupdex"]["command"])
    assert services["kibana"]["environment"]["ELASTICSEARCH_HOSTS"] == "http://dupdex:9280"
    for service in services.values():
        assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert services["dupdex"]["read_only"]


def test_the_image() -> None:
    lines = DOCKERFILE.read_text("utf-8").splitlines()
    (command,) = [line for line in lines if line.startswith("CMD")]
    check_command(yaml.safe_load(command.removeprefix("CMD")))
    (user,) = [line for line in lines if line.startswith("USER")]
    assert user.split()[1].split(":")[0] not in ("0", "root")
    copied = {line.split()[1] for line in lines if line.startswith("COPY") and "--" not in line}
    assert {"mappings", "indexer", "query", "dupdex"} <= copied
    kept = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert {f"!{each}" for each in copied if each != "pyproject.toml"} <= set(kept)


def check_command(arguments: list[str]) -> None:
    """Fails where the command line has no such command or options."""
    name, *options = arguments
    with cli.context_class(cli) as context:
        found = cli.get_command(context, name)
        assert found is not None
        found.make_context(name, options)
