"""The files of examples/every-night are valid for what reads them, and start what there is."""

from __future__ import annotations

import configparser
import shutil
import subprocess
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from dupdex.cli import cli
from dupdex.jobs.cron import cron_trigger

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "every-night"
SERVICE, TIMER = FOLDER / "dupdex-sweep.service", FOLDER / "dupdex-sweep.timer"
CRON_JOB = FOLDER / "dupdex-sweep.cronjob.yaml"

DIRECTIVES = {
    "Unit": {"Description", "Wants", "After"},
    "Service": {
        "Type", "DynamicUser", "Environment", "EnvironmentFile", "ExecStart", "KillSignal",
        "SuccessExitStatus", "Restart", "RestartSec", "PrivateTmp", "Nice",
    },
    "Timer": {"OnCalendar", "Persistent", "RandomizedDelaySec"},
    "Install": {"WantedBy"},
}  # fmt: skip


def unit(path: Path) -> configparser.ConfigParser:
    parsed = configparser.ConfigParser(strict=True, interpolation=None, delimiters=("=",))
    parsed.optionxform = str  # type: ignore[assignment, method-assign]
    parsed.read_string(path.read_text("utf-8"))
    return parsed


@pytest.mark.parametrize("path", [SERVICE, TIMER], ids=lambda path: path.suffix)
def test_units_of_systemd(path: Path) -> None:
    """Every directive is known; systemd itself is asked where it is."""
    parsed = unit(path)
    for section in parsed.sections():
        assert set(parsed[section]) <= DIRECTIVES[section]
    program = shutil.which("systemd-analyze")
    if program is not None:
        done = subprocess.run(
            [program, "verify", str(SERVICE), str(TIMER)],
            capture_output=True,
            text=True,
            check=False,
        )
        told = [line for line in done.stderr.splitlines() if "dupdex" in line]
        assert (done.returncode, told) == (0, [])


def test_the_timer_starts_the_service() -> None:
    assert TIMER.stem == SERVICE.stem
    assert unit(TIMER)["Timer"]["Persistent"] == "true"
    command = unit(SERVICE)["Service"]["ExecStart"].split()
    assert command[:2] == ["/usr/bin/env", "dupdex"]
    check_command(command[2:])


def cron_job() -> dict[str, Any]:
    (manifest,) = yaml.safe_load_all(CRON_JOB.read_text("utf-8"))
    assert isinstance(manifest, dict)
    return manifest


def test_the_cron_job_is_valid() -> None:
    kubernetes_validate.validate(cron_job(), "1.30", strict=True)


def test_the_validator_sees_mistakes() -> None:
    manifest = cron_job()
    manifest["spec"]["jobTemplate"]["spec"]["template"]["spec"]["restartPolice"] = "Never"
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(manifest, "1.30", strict=True)


def test_the_cron_job_runs_a_command() -> None:
    spec = cron_job()["spec"]
    cron_trigger(spec["schedule"], spec["timeZone"])
    (container,) = spec["jobTemplate"]["spec"]["template"]["spec"]["containers"]
    assert container["args"][0] == "dupdex"
    check_command(container["args"][1:])


def check_command(arguments: list[str]) -> None:
    """Fails where the command line has no such command or options."""
    name, *options = arguments
    with cli.context_class(cli) as context:
        found = cli.get_command(context, name)
        assert found is not None
        found.make_context(name, options)
