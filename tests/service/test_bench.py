"""What scripts/bench measures on a server can be measured: each section, on few documents."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from scripts.benchmark import bench_cli

LEAST = {"loops": 8, "bulk": 10, "size": 3, "real": 8, "jobs": 6}
"""Figures of a section."""


@pytest.mark.parametrize("section", sorted(LEAST))
def test_a_section_is_measured_on_few_documents(es_url: str, tmp_path: Path, section: str) -> None:
    to = tmp_path / "figures.json"
    arguments = ["--quick", "--sections", section, "--store-url", es_url, "--json", str(to)]
    assert bench_cli.main(arguments) == 0
    lines = orjson.loads(to.read_bytes())["sections"][section]["lines"]
    assert len(lines) >= LEAST[section]
    assert all(line["value"] > 0 for line in lines)
