"""Requests that a machine makes up from the OpenAPI document: documented answers, no errors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.service.gateway.rest_client import ROOT, Rest

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "unsupported_method",
    "negative_data_rejection",
)
LEFT_OUT = (
    "add_documents",  # sends no lines; see test_rest_documents
    "attach",
    "detach",
)


@pytest.mark.timeout(240)
def test_nothing_made_up_finds_a_fault(rest: Rest, tmp_path: Path) -> None:
    for number in range(3):
        rest.put(str(number), f"a text that is stored three times or so, number {number}")
    rest.refresh()
    # every request is about the index of this test
    settings = tmp_path / "schemathesis.toml"
    settings.write_text(f'[parameters]\n"query.target" = "{rest.target}"\n"path.id" = "1"\n')
    command = [
        sys.executable,
        "-c",
        "import sys; from schemathesis.cli import schemathesis; sys.exit(schemathesis())",
        f"--config-file={settings}",
        "run",
        f"{rest.url}{ROOT}/openapi.json",
        "--max-examples=3",
        "--phases=coverage,fuzzing",
        f"--checks={','.join(CHECKS)}",
        "--no-color",
        "--max-failures=5",
        *(part for name in LEFT_OUT for part in ("--exclude-operation-id", name)),
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr[-2_000:]
    assert "Selected: " in done.stdout
